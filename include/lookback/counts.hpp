/// \file
/// What a call covers and what it counts: numbers of items that the call reads from memory, or
/// leaves there, when it runs; extents of arrays and images; where segments begin. The memory is
/// that of the machine on which the call runs: a GPU's or the host's.
///
/// Errors, of all calls that take them: std::invalid_argument for a null pointer, for a count_to
/// whose integer cannot hold the number of items, and for a count_to that is the count_at of the
/// same call.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>

#include "lookback/detail/items.hpp"

namespace lookback {

template <class N>
concept count_integer = std::integral<N> && (sizeof(N) == 2 || sizeof(N) == 4 || sizeof(N) == 8);

/// A number of items, passed in place of the input's end: the call covers min(*at, at_most) items.
/// The number may not lie in an output. N is an integer of 2, 4 or 8 bytes, and *at is not
/// negative. (On a GPU the tree of a float sum depends on `at_most`.)
template <count_integer N>
struct count_at {
    const N* at;
    std::size_t at_most;
};
template <class N>
count_at(const N*, std::size_t) -> count_at<N>;

/// Where a call writes the number of items that it kept, so that the caller does not wait for it.
/// The number may not lie in an array that the call reads or writes, and may not be the count_at of
/// the same call. N is an integer of 2, 4 or 8 bytes that can hold the number of items.
template <count_integer N>
struct count_to {
    N* at;
};
template <class N>
count_to(N*) -> count_to<N>;

/// An initial value in memory. It may not lie in the output.
template <class T>
struct value_at {
    const T* at;
};
template <class T>
value_at(const T*) -> value_at<T>;

/// Older names, which go in the version after 0.1. (clang accepts them with template arguments
/// only: device_count<int>{at, n}.)
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

/// A C-order array as seen from one of its axes: `outer` blocks of `length` rows of `inner` items,
/// scanned over `length`. For axis k, `outer` is the product of the extents before k, and `inner`
/// is the product of the extents after k.
struct axis_extents {
    std::size_t outer;
    std::size_t length;
    std::size_t inner;
};

/// `images` images of `height` rows of `width` items, one after another. Each row begins `in_pitch`
/// items after the row before it in the input, and `out_pitch` items after it in the output. A
/// pitch of 0 means the length of a row, without gaps. An image takes height * pitch items; the
/// gaps are neither read nor written.
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

/// Segment s is [first[s], first[s + 1]). [first, last) has one offset more than there are
/// segments; the last offset is the number of items.
template <std::random_access_iterator Offsets>
struct segment_offsets {
    Offsets first;
    Offsets last;
};
template <class Offsets>
segment_offsets(Offsets, Offsets) -> segment_offsets<Offsets>;

}  // namespace lookback
