/// \file
/// The requirements on the arguments of calls, as concepts.
#pragma once

#include <concepts>
#include <functional>
#include <iterator>
#include <type_traits>

#include "lookback/detail/functions.hpp"
#include "lookback/detail/half.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/detail/key_words.hpp"
#include "lookback/operators.hpp"

namespace lookback {

/// The accumulator of a scan of `In` with `Op` and without an initial value.
template <class In, class Op>
using scan_accumulator = std::remove_cvref_t<std::invoke_result_t<
    const detail::called<Op, const std::iter_value_t<In>&, const std::iter_value_t<In>&>&,
    const std::iter_value_t<In>&, const std::iter_value_t<In>&>>;

/// Input that can be scanned into accumulators of type `T`.
template <class In, class T>
concept scan_input =
    detail::indexed_input<In> && std::constructible_from<T, std::iter_reference_t<In>>;

/// Output that takes accumulators of type `T`. Not vector<bool>, whose items share their memory.
template <class Out, class T>
concept scan_output = detail::indexed_output<Out, T>;

/// An initial value of type `T`, which is also the accumulator, for items of `In`. If both are
/// numbers, T must be able to hold all values of the items: 0, an int, cannot begin sums of
/// `unsigned` or of 64-bit integers (write 0U, std::int64_t{0}), nor of floats (0.0F, 0.0). Two
/// exceptions: integers may be accumulated in floats, and signed integers in unsigned ones of the
/// same width.
template <class T, class In>
concept scan_init = detail::holds_numbers<T, std::iter_value_t<In>>();

namespace detail {

/// An extended __device__ lambda whose result type nvcc's host pass does not know. A lambda wrapped
/// in cuda::proclaim_return_type is not one.
template <class F>
inline constexpr bool hides_its_result =
#ifdef __CUDACC_EXTENDED_LAMBDA__
    is_device_lambda<F> && !__nv_is_extended_device_lambda_with_preserved_return_type(F);
#else
    false;
#endif

/// An operator, a predicate or an equality in the form in which it is called.
template <class T, class Op>
decltype(auto) to_fold(const Op& op) {
    return detail::to_call<const T&, const T&>(op);
}
template <class In, class Predicate>
decltype(auto) to_test(const Predicate& pred) {
    return detail::to_call<std::iter_reference_t<In>>(pred);
}
template <class In, class Equal>
decltype(auto) to_compare(const Equal& equal) {
    return detail::to_call<std::iter_reference_t<In>, std::iter_reference_t<In>>(equal);
}

template <class Op, class T>
concept folds = hides_its_result<Op> || associative_operator<called<Op, const T&, const T&>, T>;

template <class In, class Out, class T, class Op>
concept scannable = folds<Op, T> && scan_input<In, T> && scan_output<Out, T>;

template <class In, class Out, class T, class Op>
concept scannable_from = scan_init<T, In> && scannable<In, Out, T, Op>;

/// Without an initial value, the accumulator is what the operator returns.
template <class In, class Out, class Op>
concept scannable_alone = !hides_its_result<Op> && scannable<In, Out, scan_accumulator<In, Op>, Op>;

template <class In, class Out>
concept compactable = indexed_input<In> && std::copyable<std::iter_value_t<In>> &&
                      indexed_output<Out, std::iter_value_t<In>>;

template <class Predicate, class In>
concept predicate_of =
    hides_its_result<Predicate> ||
    std::predicate<const called<Predicate, std::iter_reference_t<In>>&, std::iter_reference_t<In>>;

template <class Equal, class In>
concept equality_of =
    hides_its_result<Equal> ||
    std::predicate<const called<Equal, std::iter_reference_t<In>, std::iter_reference_t<In>>&,
                   std::iter_reference_t<In>, std::iter_reference_t<In>>;

template <class In>
concept keys_in = std::random_access_iterator<In> && sort_key<std::iter_value_t<In>>;

/// The key that `By` makes of an item.
template <class By, class In>
using projection_of =
    std::remove_cvref_t<std::invoke_result_t<const By&, std::iter_reference_t<In>>>;
template <class By, class In>
concept projection_to_key = !hides_its_result<By> && sort_key<projection_of<By, In>>;

}  // namespace detail
}  // namespace lookback
