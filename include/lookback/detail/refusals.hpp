/// \file
/// Calls that do not compile, and why. Each public function has one more overload, which is deleted
/// and takes all arguments that no other overload takes. So the compiler's first error line
/// (clang's second) names one of these reasons, and a requires-expression is false.
///
/// The roles of the arguments follow from their order and kind.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <tuple>
#include <type_traits>

#include "lookback/detail/call.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/detail/ranges.hpp"
#include "lookback/detail/requirements.hpp"
#include "lookback/operators.hpp"

namespace lookback {

struct sort_by;  // sort.hpp

/// The reasons why a call is refused.
namespace refused {
struct input_must_be_random_access_and_know_its_size {};
struct output_is_a_temporary_and_would_be_lost {};
struct output_is_read_only_or_its_items_share_memory {};
struct output_must_take_what_the_operator_returns {};
struct operator_must_take_two_accumulators_and_return_one {};
struct items_must_convert_to_what_the_operator_takes {};
template <class Item>
struct initial_value_must_hold_any_item_write_one_of_type {};
struct predicate_must_take_an_item_and_return_bool {};
struct equality_must_take_two_items_and_return_bool {};
struct keys_must_be_integers_enumerations_or_floats_of_4_or_8_bytes {};
struct projection_must_take_an_item_and_return_a_key {};
struct no_form_of_this_function_takes_such_arguments {};
}  // namespace refused

namespace detail {

// The first type that is a reason.
struct no_reason {};
template <class... Reasons>
struct first_reason {
    using type = no_reason;
};
template <class First, class... Rest>
struct first_reason<First, Rest...> {
    using type = First;
};
template <class... Rest>
struct first_reason<no_reason, Rest...> : first_reason<Rest...> {};
template <bool fulfilled, class Reason>
using unless = std::conditional_t<fulfilled, no_reason, Reason>;

/// The functions or keys that a primitive takes besides arrays.
enum class takes { predicates, equality, operators, keys, nothing };

// The kinds of arguments: an array, the beginnings of segments, an initial value, or a function.
template <class A>
concept place = std::ranges::range<A> || requires(const std::decay_t<A> a) {
    a[0];
    typename std::iter_value_t<std::decay_t<A>>;
};
template <class A>
concept segments =
    requires(const std::decay_t<A> a) { a.flags; } || requires(const std::decay_t<A> a) { a.last; };
template <class A>
concept in_memory = requires(const std::decay_t<A> a) {  // a count or a value
    a.at;
};
template <class A, class Values>
concept initial_value = !place<A> && !segments<A> && !in_memory<A> &&
                        std::constructible_from<std::decay_t<A>, std::iter_reference_t<Values>>;
template <class A, class Values>
concept function = !place<A> && !segments<A> && !in_memory<A> && !initial_value<A, Values>;

template <class A>
struct place_of {
    using type = std::decay_t<A>;
};
template <std::ranges::range A>
struct place_of<A> {
    using type = std::ranges::iterator_t<A>;
};

template <class Values, class... A>
struct operator_among {
    using type = plus<>;
};
template <class Values, class A, class... Rest>
struct operator_among<Values, A, Rest...> : operator_among<Values, Rest...> {};
template <class Values, function<Values> A, class... Rest>
struct operator_among<Values, A, Rest...> {
    using type = std::decay_t<A>;
};

// The type of the initial value; void if there is none.
template <class Values, class... A>
struct init_among {
    using type = void;
};
template <class Values, class A, class... Rest>
struct init_among<Values, A, Rest...> : init_among<Values, Rest...> {};
template <class Values, class A, class... Rest>
    requires initial_value<A, Values> ||
             (!std::same_as<init_type_of<std::decay_t<A>>, std::decay_t<A>>)  // a value_at
struct init_among<Values, A, Rest...> {
    using type = init_type_of<std::decay_t<A>>;
};
// The type of the initial value or, without one, what the operator returns.
template <class Values, class Op, class Init>
struct accumulator_from {
    using type = Init;
};
template <class Values, class Op>
    requires requires { typename scan_accumulator<Values, Op>; }
struct accumulator_from<Values, Op, void> {
    using type = scan_accumulator<Values, Op>;
};
template <class Values, class Op, class... A>
using accumulator_among =
    typename accumulator_from<Values, Op, typename init_among<Values, A...>::type>::type;

template <class A>
struct wrong_output {
    using type = no_reason;
};
template <place A>
struct wrong_output<A> {
    using to = typename place_of<A>::type;
    static constexpr bool outlives_the_call =
        !std::ranges::range<A> || std::ranges::borrowed_range<A>;
    using type = typename first_reason<
        unless<outlives_the_call, refused::output_is_a_temporary_and_would_be_lost>,
        unless<indexed_output<to, std::iter_value_t<to>>,
               refused::output_is_read_only_or_its_items_share_memory>>::type;
};

template <takes what, class In, class A>
struct wrong_function {
    using type = no_reason;
};
template <class In, function<In> A>
struct wrong_function<takes::predicates, In, A> {
    using type = unless<predicate_of<std::decay_t<A>, In>,
                        refused::predicate_must_take_an_item_and_return_bool>;
};
template <class In, function<In> A>
struct wrong_function<takes::equality, In, A> {
    using type = unless<equality_of<std::decay_t<A>, In>,
                        refused::equality_must_take_two_items_and_return_bool>;
};

template <class T, class Values, class Op, class... A>
struct wrong_fold_in {
    using items = std::iter_value_t<Values>;
    using type = typename first_reason<
        unless<folds<Op, T>, refused::operator_must_take_two_accumulators_and_return_one>,
        unless<scan_input<Values, T>, refused::items_must_convert_to_what_the_operator_takes>,
        unless<!(initial_value<A, Values> || ...) || scan_init<T, Values>,
               refused::initial_value_must_hold_any_item_write_one_of_type<items>>,
        unless<!(place<A> || ...) || (indexed_output<typename place_of<A>::type, T> || ...),
               refused::output_must_take_what_the_operator_returns>>::type;
};
template <class Values, class Op, class... A>
struct wrong_fold_in<void, Values, Op, A...> {
    using type = refused::operator_must_take_two_accumulators_and_return_one;
};
template <class Values, class... A>
struct wrong_fold {
    using Op = typename operator_among<Values, A...>::type;
    using type =
        typename wrong_fold_in<accumulator_among<Values, Op, A...>, Values, Op, A...>::type;
};

// For a call with an input `In`, a second input `Values` (the same as `In` if there is only one),
// and the arguments after them.
template <takes what, class In, class Values, class... A>
struct wrong_among {
    using type =
        typename first_reason<unless<indexed_input<In> && indexed_input<Values>,
                                     refused::input_must_be_random_access_and_know_its_size>,
                              typename wrong_output<A>::type...,
                              typename wrong_function<what, In, A>::type...,
                              refused::no_form_of_this_function_takes_such_arguments>::type;
};
template <class In, indexed_input Values, class... A>
struct wrong_among<takes::operators, In, Values, A...> {
    using type =
        typename first_reason<typename wrong_output<A>::type...,
                              typename wrong_fold<Values, A...>::type,
                              refused::no_form_of_this_function_takes_such_arguments>::type;
};

template <class A, class In>
concept projection = function<A, In> && !std::same_as<std::decay_t<A>, sort_by>;
template <class In, projection<In> A>
struct wrong_function<takes::keys, In, A> {
    using type = unless<projection_to_key<std::decay_t<A>, In>,
                        refused::projection_must_take_an_item_and_return_a_key>;
};
template <class In, std::random_access_iterator Values, class... A>
struct wrong_among<takes::keys, In, Values, A...> {
    using type = typename first_reason<
        unless<std::random_access_iterator<In>,
               refused::input_must_be_random_access_and_know_its_size>,
        typename wrong_output<A>::type..., typename wrong_function<takes::keys, In, A>::type...,
        unless<keys_in<In> || (projection_to_key<std::decay_t<A>, In> || ...),
               refused::keys_must_be_integers_enumerations_or_floats_of_4_or_8_bytes>,
        refused::no_form_of_this_function_takes_such_arguments>::type;
};

template <takes what, int inputs, class... A>
struct why {
    using type = refused::no_form_of_this_function_takes_such_arguments;
};
template <takes what, int inputs, execution Where, class... A>
struct why<what, inputs, Where, A...> : why<what, inputs, A...> {};

// [first, last), or the first iterator and extents.
template <class First, class Last>
concept beginning_and_end =
    (std::input_or_output_iterator<std::decay_t<First>> ||
     indexed_input<std::decay_t<First>>)&&(end_of_input<std::decay_t<Last>, std::decay_t<First>> ||
                                           std::same_as<std::decay_t<Last>, axis_extents> ||
                                           std::same_as<std::decay_t<Last>, image_extents>);
template <takes what, class First, class Last, class... A>
    requires beginning_and_end<First, Last>
struct why<what, 1, First, Last, A...>
    : wrong_among<what, std::decay_t<First>, std::decay_t<First>, A...> {};
template <takes what, class First, class Last, class Values, class... A>
    requires beginning_and_end<First, Last>
struct why<what, 2, First, Last, Values, A...>
    : wrong_among<what, std::decay_t<First>, typename place_of<Values>::type, A...> {};

template <class First>
concept range_only = std::ranges::range<First> && !std::is_array_v<std::remove_reference_t<First>>;
template <takes what, range_only In, class... A>
struct why<what, 1, In, A...>
    : wrong_among<what, std::ranges::iterator_t<In>, std::ranges::iterator_t<In>, A...> {};
template <takes what, range_only In, class Values, class... A>
struct why<what, 2, In, Values, A...>
    : wrong_among<what, std::ranges::iterator_t<In>, typename place_of<Values>::type, A...> {};
template <takes what, int inputs, range_only In, class... A>
    requires(!sized_input<In>)
struct why<what, inputs, In, A...> {
    using type = refused::input_must_be_random_access_and_know_its_size;
};

/// The reason why a function with `inputs` inputs refuses the arguments `A`.
template <takes what, int inputs, class... A>
using why_refused = typename why<what, inputs, A...>::type;

}  // namespace detail
}  // namespace lookback
