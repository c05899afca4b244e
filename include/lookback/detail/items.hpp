/// \file
/// Items by their number: through any iterator, or any object with an operator[] of its own.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>  // std::to_address too: <memory> would cost each program a tenth of a second
#include <type_traits>
#include <utility>
#include <vector>

#include "lookback/detail/portability.hpp"

namespace lookback::detail {

/// Input that is read by numbers of items: std::random_access_iterator without its demand that
/// iterators can be assigned and have a default, which those that hold a lambda do not.
template <class In>
concept indexed_input =
    std::copy_constructible<In> && requires(const In in, std::iter_difference_t<In> i) {
        typename std::iter_value_t<In>;
        *in;
        in[i];
        { in + i } -> std::same_as<In>;
        { in - in } -> std::convertible_to<std::iter_difference_t<In>>;
    };

/// Output that takes values of type `T` in any order, from several threads. Not vector<bool>, whose
/// items share their memory.
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

/// Asks for what lies a page behind `count` items from `first` on, where items lie in memory one
/// after the other: the hardware's own prefetcher stops at each page's end.
template <class In>
void prefetch_page_after([[maybe_unused]] const In& in, [[maybe_unused]] std::size_t first,
                         [[maybe_unused]] std::size_t count) {
#if defined(__GNUC__)
    if constexpr (std::contiguous_iterator<In>) {
        const auto* const at = reinterpret_cast<const char*>(std::to_address(in) + first);
        for (std::size_t byte = 0; byte < count * sizeof(std::iter_value_t<In>); byte += 64) {
            __builtin_prefetch(at + 4096 + byte);
        }
    }
#endif
}

/// What the items of an output are known to hold: void, where it can only be written.
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

/// A result as it is assigned to an item of type `V`: numbers are converted as if by a cast, all
/// else by the item's own assignment.
template <class V, class T>
LOOKBACK_HD constexpr decltype(auto) as_written(T&& value) {
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<T>> && std::is_arithmetic_v<V>) {
        return static_cast<V>(value);
    } else {
        return static_cast<T&&>(value);
    }
}

/// Assigns as_written.
template <class Out, class T>
void put(const Out& out, std::size_t i, T&& value) {
    out[static_cast<std::iter_difference_t<Out>>(i)] =
        detail::as_written<written_item<Out>>(std::forward<T>(value));
}

}  // namespace lookback::detail
