/// \file
/// Items by their index, through any iterator, or any object with an operator[].
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>  // std::to_address too: <memory> would cost each program a tenth of a second
#include <type_traits>
#include <utility>
#include <vector>

#include "lookback/detail/portability.hpp"

namespace lookback::detail {

/// Input that is read by index: std::random_access_iterator without the demand that iterators can
/// be assigned and default-constructed. Iterators that hold a lambda cannot.
template <class In>
concept indexed_input =
    std::copy_constructible<In> && requires(const In in, std::iter_difference_t<In> i) {
        typename std::iter_value_t<In>;
        *in;
        in[i];
        { in + i } -> std::same_as<In>;
        { in - in } -> std::convertible_to<std::iter_difference_t<In>>;
    };

/// Output that takes values of type `T` in any order, from several threads. vector<bool> does not,
/// because its items share memory.
template <class Out, class T>
concept indexed_output =
    std::copy_constructible<Out> && !std::same_as<Out, std::vector<bool>::iterator> &&
    !std::same_as<Out, std::vector<bool>::reverse_iterator> &&
    requires(const Out out, std::iter_difference_t<Out> i, const T value) {
        out[i] = value;
        out + i;
    };

template <class Iterator, class T>
concept contiguous_items_of =
    std::contiguous_iterator<Iterator> && std::same_as<std::iter_value_t<Iterator>, T>;

template <class In>
decltype(auto) item(const In& in, std::size_t i) {
    return in[static_cast<std::iter_difference_t<In>>(i)];
}

/// Prefetches the items that lie one page (4096 bytes) after items [first, first + count), if they
/// are contiguous in memory; `count` is at most `most`. The hardware's own prefetcher stops at the
/// end of each page. (Always inlined: GCC takes a function that only prefetches for one without
/// effects, and drops calls. Of small items always `most` are prefetched, as compilers unroll a
/// loop whose end they know.)
template <std::size_t most, class In>
[[gnu::always_inline]] inline void prefetch_page_after([[maybe_unused]] const In& in,
                                                       [[maybe_unused]] std::size_t first,
                                                       [[maybe_unused]] std::size_t count) {
#if defined(__GNUC__)
    if constexpr (std::contiguous_iterator<In>) {
        constexpr std::size_t size = sizeof(std::iter_value_t<In>);
        const auto* const at = reinterpret_cast<const char*>(std::to_address(in) + first);
        const std::size_t end = (size <= 16 ? most : count) * size;
        for (std::size_t byte = 0; byte < end; byte += 64) __builtin_prefetch(at + 4096 + byte);
    }
#endif
}

/// The type of an output's items; void if the output is write-only.
template <class Out>
struct written_type {
    using type = void;
};
template <class Out>
    requires requires { typename std::iter_value_t<Out>; }
struct written_type<Out> {
    using type = std::iter_value_t<Out>;
};
template <class Out>
using written_item = typename written_type<Out>::type;

/// A result as it is assigned to an item of type `V`: numbers are converted as if by a cast,
/// everything else by the item's own assignment.
template <class V, class T>
LOOKBACK_HD constexpr decltype(auto) as_written(T&& value) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<T>> && std::is_arithmetic_v<V>) {
        return static_cast<V>(value);
    } else {
        return static_cast<T&&>(value);
    }
}

/// Assigns as_written(value) to item i of `out`.
template <class Out, class T>
void put(const Out& out, std::size_t i, T&& value) {
    out[static_cast<std::iter_difference_t<Out>>(i)] =
        detail::as_written<written_item<Out>>(std::forward<T>(value));
}

}  // namespace lookback::detail
