/// \file
/// The base of all public function objects that count what they keep. Each object defines the call
/// with a place for its counts, after the outputs; the base adds the call that returns the counts.
///
///     f(where, first, last, out, counts, ...)   is what each object defines;
///     f(where, first, last, out, ...)           calls that with returned_counts.
///
/// If the place is a count_to, the call returns nothing and does not wait. The other forms are
/// those of detail/algorithm.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "lookback/counts.hpp"
#include "lookback/cpu.hpp"
#include "lookback/detail/algorithm.hpp"
#include "lookback/detail/call.hpp"

namespace lookback::detail {

/// A place for `n` counts that the call returns, after the execution `where` has written them.
template <class Execution, int n>
struct returned_counts : count_to<std::uint64_t> {
    Execution& where;
};

/// The end of a call. A call that returns its counts waits for them, and then lets `check` look at
/// the outputs, whose lengths are now known.
template <class N, class Check>
void once_known(const count_to<N>& /*counts*/, const Check& /*check*/) {}
template <class Execution, class Check>
std::size_t once_known(const returned_counts<Execution, 1>& counts, const Check& check) {
    const std::size_t kept = calls_on<Execution>::template wait_for<1>(counts.where, counts.at)[0];
    check(kept);
    return kept;
}
template <class Execution, class Check>
partition_counts once_known(const returned_counts<Execution, 2>& counts, const Check& check) {
    const auto kept = calls_on<Execution>::template wait_for<2>(counts.where, counts.at);
    check(kept[0], kept[1]);
    return {kept[0], kept[1]};
}

/// The result type of a call whose place of counts has type `Counts`.
template <class Counts>
using result_with = decltype(detail::once_known(std::declval<const Counts&>(), nullptr));

template <class A>
concept place_of_counts = requires { typename result_with<A>; };

/// The number of arguments of a call that stand before its counts, and the number of counts.
struct counts_among {
    std::size_t before;
    int counts;
};

// Arguments by their numbers, as in a std::tuple, but cheaper to compile.
template <std::size_t which, class A>
struct argument {
    A&& is;
};
template <class Numbers, class... A>
struct arguments;
template <std::size_t... which, class... A>
struct arguments<std::index_sequence<which...>, A...> : argument<which, A>... {};

template <std::size_t which, class A>
A&& get(const argument<which, A>& a) {
    return static_cast<A&&>(a.is);
}

/// A call of `Form` with arguments `A`. The arguments with numbers `i` stand before the counts; as
/// many as there are `k` stand after the counts.
template <class Form, class Where, class Before, class Behind, class... A>
struct call_with_counts;
template <class Form, class Where, std::size_t... i, std::size_t... k, class... A>
struct call_with_counts<Form, Where, std::index_sequence<i...>, std::index_sequence<k...>, A...> {
    using arguments = detail::arguments<std::index_sequence_for<A...>, A...>;
    using execution = execution_type<Where>;
    using counts = returned_counts<execution, Form::counts_of(sizeof...(A)).counts>;
    using result = result_with<counts>;
    static constexpr bool fits = requires(Where& where, const arguments& a, counts& at) {
        Form{}(where, detail::get<i>(a)..., at, detail::get<sizeof...(i) + k>(a)...);
    };

    static result run(Where& where, const arguments& a) {
        auto&& on = execution_of(where);
        return calls_on<execution>::with_counts(on, [&](std::uint64_t* memory) {
            counts at{{memory}, on};
            return Form{}(where, detail::get<i>(a)..., at, detail::get<sizeof...(i) + k>(a)...);
        });
    }
};
// (If there are too few arguments, the counts stand after all of them, where they fit no call.)
template <class Form, class... A>
inline constexpr std::size_t before_counts =
    std::min(Form::counts_of(sizeof...(A)).before, sizeof...(A));
template <class Form, class Where, class... A>
struct counting_call
    : call_with_counts<Form, Where, std::make_index_sequence<before_counts<Form, A...>>,
                       std::make_index_sequence<sizeof...(A) - before_counts<Form, A...>>, A...> {};

/// The base of a function object `Form` that counts what it keeps.
template <class Form, takes what, int inputs, int outputs>
struct counting_algorithm : algorithm<Form, what, inputs, outputs> {
    using algorithm<Form, what, inputs, outputs>::operator();

    /// For a call with `arguments` arguments after the execution, none of which is a place of
    /// counts.
    static constexpr counts_among counts_of(std::size_t /*arguments*/) {
        return {.before = inputs + 1 + outputs, .counts = 1};
    }

    // Conditions stand in the template's head, each before those that may only be checked if it
    // holds. An array is not an end: two arrays are a range and an output.
    template <class Where = cpu, class First, class Last, class... Rest,
              class = std::enable_if_t<execution<Where> && beginning_and_end<First, Last> &&
                                       !std::is_array_v<std::remove_reference_t<Last>> &&
                                       !(place_of_counts<std::decay_t<Rest>> || ...)>,
              class Call = counting_call<Form, Where, First, Last, Rest...>,
              class = std::enable_if_t<Call::fits>>
    auto operator()(Where&& where, First&& first, Last&& last, Rest&&... rest) const ->
        typename Call::result {
        return Call::run(where, {{std::forward<First>(first)},
                                 {std::forward<Last>(last)},
                                 {std::forward<Rest>(rest)}...});
    }
};

}  // namespace lookback::detail
