/// \file
/// Items by their number: through any iterator, or any object with an operator[] of its own.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace lookback::detail {

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

template <class In>
decltype(auto) item(const In& in, std::size_t i) {
    return in[static_cast<std::iter_difference_t<In>>(i)];
}

/// Reads the items from `first` on, each once, in order. Input that has to look for its place in
/// something else overloads this.
template <class In>
auto in_order(const In& in, std::size_t /*first*/) {
    return [&in](std::size_t i) -> decltype(auto) { return item(in, i); };
}

/// Assigns; numbers are converted as if by a cast.
template <class Out, class T>
void put(const Out& out, std::size_t i, T&& value) {
    using V = std::iter_value_t<Out>;
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<T>> && std::is_arithmetic_v<V>) {
        out[static_cast<std::iter_difference_t<Out>>(i)] = static_cast<V>(value);
    } else {
        out[static_cast<std::iter_difference_t<Out>>(i)] = std::forward<T>(value);
    }
}

}  // namespace lookback::detail
