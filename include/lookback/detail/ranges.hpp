/// \file
/// Ranges as arguments: inputs whose size is known, and outputs that outlive the call.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "lookback/detail/arguments.hpp"

namespace lookback::detail {

// views::iota(0) | views::take(n) is not a sized range, but its iterators know the count.
template <class R>
inline constexpr bool counts_an_endless_range = false;
template <std::ranges::view V>
inline constexpr bool counts_an_endless_range<std::ranges::take_view<V>> =
    std::same_as<std::ranges::sentinel_t<V>, std::unreachable_sentinel_t>;

template <class R>
concept sized_input =
    std::ranges::random_access_range<R> &&
    (std::ranges::sized_range<R> || counts_an_endless_range<std::remove_cvref_t<R>>);

/// Results in a temporary would be lost with it. A span, a subrange or a view of an array only
/// points to the results.
template <class R>
concept sized_output = std::ranges::random_access_range<R> && std::ranges::sized_range<R> &&
                       std::ranges::borrowed_range<R>;

template <class R>
using iterator_of = std::ranges::iterator_t<R>;

template <sized_input R>
std::size_t size_of(R&& range) {
    if constexpr (std::ranges::sized_range<R>) {
        return static_cast<std::size_t>(std::ranges::size(range));
    } else {
        return static_cast<std::size_t>(std::ranges::begin(range).count());
    }
}

template <sized_input R>
iterator_of<R> end_of(R&& range) {
    const auto items = static_cast<std::ranges::range_difference_t<R>>(detail::size_of(range));
    return std::ranges::begin(range) + items;
}

/// Refuses outputs without room for `need` items.
inline void check_room_for(std::size_t need, std::size_t room) {
    if (room < need) refuse_room(room, need);
}

/// Refuses values, flags and the like if they are fewer than the items that they belong to.
inline void check_one_for_each(std::size_t need, std::size_t have, const char* name) {
    if (have < need) {
        throw std::invalid_argument("lookback: there are " + std::to_string(have) + " " + name +
                                    " for " + std::to_string(need) +
                                    " items; expected one for each");
    }
}

}  // namespace lookback::detail
