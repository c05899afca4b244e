/// \file
/// What all public function objects have in common: the forms of a call that follow from the one
/// that takes an execution and iterators.
///
///     f(where, first, last, out, ...)    is what each of them defines;
///     f(where, in, out, ...)             takes ranges, and checks that the outputs have room;
///     f(...)                             without an execution, runs on all cores;
///     f(anything else)                   does not compile: `Why` says what is wrong with it.
///
/// They are objects, so that argument-dependent lookup never finds another function by their names.
#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "lookback/cpu.hpp"
#include "lookback/detail/call.hpp"
#include "lookback/detail/ranges.hpp"
#include "lookback/detail/refusals.hpp"

namespace lookback::detail {

/// What an argument behind the first range is: an input for each item of that one, an output, or
/// something that is passed on as it is.
enum class role { input, output, other };

/// The first `inputs - 1` arguments are inputs, the ranges that follow outputs, up to `outputs`.
template <int inputs, int outputs, class... Rest>
constexpr std::array<role, sizeof...(Rest)> roles_of() {
    int inputs_left = inputs - 1, outputs_left = outputs;
    [[maybe_unused]] const auto next = [&](bool is_range) {
        if (inputs_left > 0) return --inputs_left, role::input;
        if (outputs_left > 0 && is_range) return --outputs_left, role::output;
        return role::other;
    };
    return {next(std::ranges::range<Rest>)...};
}

// Ranges and iterators are not mixed: an iterator's room could not be checked.
template <role what, class A>
inline constexpr bool fits_role = !std::input_or_output_iterator<std::decay_t<A>>;
template <class A>
inline constexpr bool fits_role<role::input, A> = sized_input<A>;
template <class A>
inline constexpr bool fits_role<role::output, A> = sized_output<A>;

template <role what, class A>
decltype(auto) beginning(A&& a) {
    if constexpr (what == role::other || !std::ranges::range<A>) {
        return std::forward<A>(a);
    } else {
        return std::ranges::begin(a);
    }
}

/// Calls `Form` with iterators for a range and what follows it.
template <class Form, int inputs, int outputs, class Numbers, class... Rest>
struct range_call;
template <class Form, int inputs, int outputs, std::size_t... i, class... Rest>
struct range_call<Form, inputs, outputs, std::index_sequence<i...>, Rest...> {
    static constexpr auto roles = roles_of<inputs, outputs, Rest...>();
    static constexpr bool has_output = ((roles[i] == role::output) || ...);
    static constexpr bool fits = has_output && (fits_role<roles[i], Rest> && ...);

    /// What `Form` returns for `Input`, iterators, and the beginnings of the rest.
    template <class... Input>
    using result =
        std::invoke_result_t<const Form&, Input...,
                             decltype(detail::beginning<roles[i]>(std::declval<Rest>()))...>;

    template <class... Input>
    static result<Input...> call(Input... input, Rest&&... rest) {
        return Form{}(std::forward<Input>(input)...,
                      detail::beginning<roles[i]>(std::forward<Rest>(rest))...);
    }
    static void check(std::size_t items, const char* beside, Rest&... rest) {
        const auto one = [&]<role what, class A>(A& a) {
            if constexpr (what == role::input) {
                detail::check_one_for_each(items, detail::size_of(a), beside);
            } else if constexpr (what == role::output) {
                detail::check_room_for(Form::room_for(items), detail::size_of(a));
            }
        };
        (one.template operator()<roles[i]>(rest), ...);
    }
};
template <class Form, int inputs, int outputs, class... Rest>
using range_call_of = range_call<Form, inputs, outputs, std::index_sequence_for<Rest...>, Rest...>;

/// The base of a function object `Form` that takes so many inputs, and up to so many outputs.
template <class Form, takes what, int inputs, int outputs>
struct algorithm {
    /// Of so many items, an output range has room for as many results.
    static constexpr std::size_t room_for(std::size_t items) { return items; }
    /// What messages call the items of a second input.
    static constexpr const char* beside = "values";

    // Conditions stand in the template's head, where compilers look at them before the return type,
    // which looks for the same function again.
    template <class Where = cpu, class In, class... Rest,
              class = std::enable_if_t<execution<Where> && sized_input<In> &&
                                       range_call_of<Form, inputs, outputs, Rest...>::fits>>
    auto operator()(Where&& where, In&& in, Rest&&... rest) const ->
        typename range_call_of<Form, inputs, outputs,
                               Rest...>::template result<Where&, iterator_of<In>, iterator_of<In>> {
        using ranges = range_call_of<Form, inputs, outputs, Rest...>;
        ranges::check(detail::size_of(in), Form::beside, rest...);
        return ranges::template call<Where&, iterator_of<In>, iterator_of<In>>(
            where, std::ranges::begin(in), detail::end_of(in), std::forward<Rest>(rest)...);
    }

    template <class First, class... Rest, class = std::enable_if_t<!execution<First>>>
    auto operator()(First&& first, Rest&&... rest) const
        -> std::invoke_result_t<const Form&, cpu, First, Rest...> {
        return Form{}(cpu{}, std::forward<First>(first), std::forward<Rest>(rest)...);
    }

    template <class... A, class Why = why_refused<what, inputs, A...>>
    void operator()(A&&...) const = delete;
};

}  // namespace lookback::detail
