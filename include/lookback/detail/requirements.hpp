/// \file
/// What the arguments of calls must be.
#pragma once

#include <concepts>
#include <functional>
#include <iterator>
#include <limits>
#include <type_traits>

#include "lookback/detail/items.hpp"
#include "lookback/execution.hpp"
#include "lookback/operators.hpp"

namespace lookback {

/// What a scan of `In` with `Op` and no initial value accumulates in.
template <class In, class Op>
using scan_accumulator = std::remove_cvref_t<
    std::invoke_result_t<const Op&, const std::iter_value_t<In>&, const std::iter_value_t<In>&>>;

/// Input that can be scanned into accumulators of type `T`.
template <class In, class T>
concept scan_input =
    std::random_access_iterator<In> && std::constructible_from<T, std::iter_reference_t<In>>;

/// Output that takes accumulators of type `T`. Not vector<bool>, whose items share their memory.
template <class Out, class T>
concept scan_output = detail::indexed_output<Out, T>;

namespace detail {

template <class T, class Item>
constexpr bool holds_numbers() {
    using to = std::numeric_limits<T>;
    using from = std::numeric_limits<Item>;
    if constexpr (!std::is_arithmetic_v<T> || !std::is_arithmetic_v<Item>) {
        return true;
    } else if constexpr (from::is_integer && !to::is_integer) {
        return true;
    } else {
        return from::is_integer == to::is_integer && from::digits <= to::digits;
    }
}

}  // namespace detail

/// An initial value of type `T`, which is what the scan accumulates in, for items of `In`. Of
/// numbers, it must hold all values that the items may have: 0, an int, cannot begin sums of
/// `unsigned` or of 64-bit integers (write 0U, std::int64_t{0}), nor of floats (0.0F, 0.0).
/// Integers may be accumulated in floats though, and signed ones in unsigned ones as wide.
template <class T, class In>
concept scan_init = detail::holds_numbers<T, std::iter_value_t<In>>();

namespace detail {

template <class In, class Out, class T, class Op>
concept scannable = associative_operator<Op, T> && scan_input<In, T> && scan_output<Out, T>;

template <class In, class Out, class T, class Op>
concept scannable_from = scan_init<T, In> && scannable<In, Out, T, Op>;

template <class In, class Out>
concept compactable = std::random_access_iterator<In> && std::copyable<std::iter_value_t<In>> &&
    indexed_output<Out, std::iter_value_t<In>>;

template <class Predicate, class In>
concept predicate_of = std::predicate<const Predicate&, std::iter_reference_t<In>>;

template <class Equal, class In>
concept equality_of =
    std::predicate<const Equal&, std::iter_reference_t<In>, std::iter_reference_t<In>>;

// In the template's head, where it is looked at before the return type, which would look for the
// same function again.
template <class First>
using not_an_execution = std::enable_if_t<!std::same_as<std::remove_cvref_t<First>, cpu>>;

}  // namespace detail
}  // namespace lookback
