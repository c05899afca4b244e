/// \file
/// What a call covers and what it counts: numbers that it reads from memory, or leaves there, when
/// it runs; extents; where segments begin. The memory is that of the execution's machine, a GPU's
/// or the host's.
///
/// Errors of all calls that take them: std::invalid_argument for a null pointer, a count_to that
/// cannot hold the number of items, or one that is the count_at of the same call.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>

#include "lookback/detail/items.hpp"

namespace lookback {

template <class N>
concept count_integer = std::integral<N> && (sizeof(N) == 2 || sizeof(N) == 4 || sizeof(N) == 8);

/// A number of items, in place of the input's end: the call covers the smaller of it and `at_most`.
/// It may not lie in an output. (The tree of a float sum on a GPU goes by `at_most`.) N is an
/// integer of 2, 4 or 8 bytes, not negative.
template <count_integer N>
struct count_at {
    const N* at;
    std::size_t at_most;
};
template <class N>
count_at(const N*, std::size_t) -> count_at<N>;

/// Where the number of items that are kept goes, for a call that does not wait for it. It may not
/// lie in an array that is read or written, nor be the count_at of the same call. N is an
/// integer of 2, 4 or 8 bytes that holds the number of items.
template <count_integer N>
struct count_to {
    N* at;
};
template <class N>
count_to(N*) -> count_to<N>;

/// An initial value. It may not lie in the output.
template <class T>
struct value_at {
    const T* at;
};
template <class T>
value_at(const T*) -> value_at<T>;

/// The names that these had before. Gone in the version after 0.1. (clang has them with template
/// arguments only: device_count<int>{at, n}.)
template <count_integer N>
using device_count [[deprecated("lookback::device_count is called lookback::count_at")]] =
    count_at<N>;
template <class T>
using device_value [[deprecated("lookback::device_value is called lookback::value_at")]] =
    value_at<T>;

/// How many items went to the first and to the second output of a three-way partition.
struct partition_counts {
    std::size_t first;
    std::size_t second;
    friend bool operator==(const partition_counts&, const partition_counts&) = default;
};

/// A C-order array as it looks from one of its axes: `outer` blocks of `length` rows of `inner`
/// items, scanned over `length`. For axis k, `outer` is the product of the extents before it, and
/// `inner` the product of those behind it.
struct axis_extents {
    std::size_t outer;
    std::size_t length;
    std::size_t inner;
};

/// `images` images of `height` rows of `width` items, one behind another. A row begins `in_pitch`
/// items behind the one before it in the input, `out_pitch` in the output (0: as many as a row
/// has), so that an image takes height * pitch items; what lies in the gaps is neither read nor
/// written.
struct image_extents {
    std::size_t height;
    std::size_t width;
    std::size_t images = 1;
    std::size_t in_pitch = 0;
    std::size_t out_pitch = 0;
};

/// A segment begins at each item whose flag, converted to bool, is true, and at the first item.
template <detail::indexed_input Flags>
struct head_flags {
    Flags flags;
};
template <class Flags>
head_flags(Flags) -> head_flags<Flags>;

/// Segment s is [first[s], first[s + 1]); the last of [first, last) is the number of items.
template <std::random_access_iterator Offsets>
struct segment_offsets {
    Offsets first;
    Offsets last;
};
template <class Offsets>
segment_offsets(Offsets, Offsets) -> segment_offsets<Offsets>;

}  // namespace lookback
