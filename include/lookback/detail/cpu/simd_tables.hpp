/// \file
/// The SIMD kernels of summed-area tables: one row of a strip of numbers, for the types that have
/// them. Compiled into the library for several instruction sets (src/simd_tables.cpp) and picked at
/// run time.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/unsigned_words.hpp"

namespace lookback::detail {

/// A row of a strip, by the order of detail/table_order.hpp. Where there is nothing to the left or
/// above, sums begin with what changes nothing: 0, or -0.0. Arrays of floats but `in`, `next`
/// and `stream_to` have room for whole tiles.
template <class T, class A>
struct table_row_sum {
    const T* in;
    std::size_t columns;
    bool squared;        ///< of the items' squares
    A* left;             ///< the sum of what lies left; the row's own items are added
    const A* above;      ///< exact sums: the row of entries above; floats: that above the tile
    A* entry = nullptr;  ///< the row's entries; exact sums may replace those above

    A* stream_to = nullptr;   ///< if there is one: where the entries are streamed to as well
    const T* next = nullptr;  ///< while they are streamed, these items are prefetched

    // Floats:
    bool begins = false;  ///< the row begins a group, and what is in `down` goes to `groups`
    A* down = nullptr;    ///< the columns' sums in their group
    A* groups = nullptr;  ///< the columns' sums of the groups before
};
template <class T, class A>
using table_row_kernel = void (*)(const table_row_sum<T, A>&);

/// The kernel for this machine.
template <class T, class A>
[[gnu::visibility("default")]] table_row_kernel<T, A> simd_table_row();

// Which there are. Signed sums have the bits of unsigned ones.
template <class T, class A>
inline constexpr bool has_table_kernel = false;
template <>
inline constexpr bool has_table_kernel<std::uint8_t, std::uint32_t> = true;
template <>
inline constexpr bool has_table_kernel<std::uint8_t, std::uint64_t> = true;
template <>
inline constexpr bool has_table_kernel<std::uint16_t, std::uint32_t> = true;
template <>
inline constexpr bool has_table_kernel<std::uint16_t, std::uint64_t> = true;
template <>
inline constexpr bool has_table_kernel<std::uint32_t, std::uint32_t> = true;
template <>
inline constexpr bool has_table_kernel<std::uint64_t, std::uint64_t> = true;
template <>
inline constexpr bool has_table_kernel<float, float> = true;
template <>
inline constexpr bool has_table_kernel<float, double> = true;
template <>
inline constexpr bool has_table_kernel<double, double> = true;

/// Whether objects of a type may be read as words of its size.
template <class T>
concept is_word = std::integral<T> && !std::same_as<T, bool> &&
                  (std::same_as<T, unsigned_word<sizeof(T)>> ||
                   std::same_as<T, std::make_signed_t<unsigned_word<sizeof(T)>>>);

/// The types whose kernel sums items of `T` in an `A`: signed integers of one size are unsigned
/// ones.
template <class T, class A>
struct table_kernel_types {
    using item = T;
    using sum = A;
};
template <class T, class A>
    requires(is_word<T> && is_word<A> && (sizeof(T) == sizeof(A) || std::unsigned_integral<T>))
struct table_kernel_types<T, A> {
    using item = unsigned_word<sizeof(T)>;
    using sum = unsigned_word<sizeof(A)>;
};

/// Whether items at contiguous iterators `In` are summed in `A` by a kernel. (Squares of wide
/// integers are not.)
template <class T, class A, bool squared>
inline constexpr bool sums_by_kernel = has_table_kernel<typename table_kernel_types<T, A>::item,
                                                        typename table_kernel_types<T, A>::sum> &&
                                       !(squared && std::integral<T> && sizeof(T) > 2);

}  // namespace lookback::detail
