/// \file
/// The base of all public function objects. Each object defines the call with an execution and
/// iterators; the base adds the other forms of the call:
///
///     f(where, first, last, out, ...)    is what each object defines;
///     f(where, in, out, ...)             takes ranges, and checks that the outputs have room;
///     f(...)                             without an execution, runs on all cores;
///     f(anything else)                   does not compile: `Why` names the reason.
///
/// They are objects rather than function templates, so that argument-dependent lookup never finds
/// another function of the same name.
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

/// What an argument after the first range is: an input with one item for each item of the first
/// range, an output, or something that is passed on unchanged.
enum class role { input, output, other };

/// The roles of the arguments after the first range: `inputs - 1` inputs, then at most `outputs`
/// ranges as outputs.
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

// Ranges and iterators are not mixed, because an iterator's room cannot be checked.
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

/// Calls `Form` with iterators, given a range and the arguments after it.
template <class Form, int inputs, int outputs, class Numbers, class... Rest>
struct range_call;
template <class Form, int inputs, int outputs, std::size_t... i, class... Rest>
struct range_call<Form, inputs, outputs, std::index_sequence<i...>, Rest...> {
    static constexpr auto roles = roles_of<inputs, outputs, Rest...>();
    static constexpr bool has_output = ((roles[i] == role::output) || ...);
    static constexpr bool fits = has_output && (fits_role<roles[i], Rest> && ...);

    /// What `Form` returns for iterators of types `Input` and the beginnings of the other
    /// arguments.
    template <class... Input>
    using result =
        std::invoke_result_t<const Form&, Input...,
                             decltype(detail::beginning<roles[i]>(std::declval<Rest>()))...>;

    template <class... Input>
    static result<Input...> call(Input... input, Rest&&... rest) {
        return Form{}(std::forward<Input>(input)...,
                      detail::beginning<roles[i]>(std::forward<Rest>(rest))...);
    }
    static void check(std::size_t items, const char* paired_name, Rest&... rest) {
        const auto one = [&]<role what, class A>(A& a) {
            if constexpr (what == role::input) {
                detail::check_one_for_each(items, detail::size_of(a), paired_name);
            } else if constexpr (what == role::output) {
                detail::check_room_for(Form::room_for(items), detail::size_of(a));
            }
        };
        (one.template operator()<roles[i]>(rest), ...);
    }
};
template <class Form, int inputs, int outputs, class... Rest>
using range_call_of = range_call<Form, inputs, outputs, std::index_sequence_for<Rest...>, Rest...>;

/// The base of a function object `Form` that takes `inputs` inputs and at most `outputs` outputs.
template <class Form, takes what, int inputs, int outputs>
struct algorithm {
    /// The number of results that an output range must have room for, for an input of `items`
    /// items.
    static constexpr std::size_t room_for(std::size_t items) { return items; }
    /// The name of the items of a second input in messages.
    static constexpr const char* paired_name = "values";

    // Conditions stand in the template's head: compilers check them there before they look at the
    // return type, which looks up this same function again.
    template <class Where = cpu, class In, class... Rest,
              class = std::enable_if_t<execution<Where> && sized_input<In> &&
                                       range_call_of<Form, inputs, outputs, Rest...>::fits>>
    auto operator()(Where&& where, In&& in, Rest&&... rest) const ->
        typename range_call_of<Form, inputs, outputs,
                               Rest...>::template result<Where&, iterator_of<In>, iterator_of<In>> {
        using ranges = range_call_of<Form, inputs, outputs, Rest...>;
        ranges::check(detail::size_of(in), Form::paired_name, rest...);
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
