/// \file
/// Functions that are called through const references, from several threads at once, though their
/// operator() is not const.
#pragma once

#include <concepts>
#include <type_traits>

#include "lookback/detail/portability.hpp"
#include "lookback/operators.hpp"

namespace lookback {
namespace detail {

/// Calls a copy of `function`, each time: what a call changes, no other sees.
template <class F>
struct on_copies {
    F function;

    LOOKBACK_CALLS_ANY
    template <class... A>
        requires std::invocable<F&, A...>
    LOOKBACK_HD constexpr std::remove_cvref_t<std::invoke_result_t<F&, A...>> operator()(
        A&&... a) const {
        F copy = function;
        return copy(static_cast<A&&>(a)...);
    }
};

/// How `F` is called with `A`: as it is, or, where it cannot be as a constant, on copies.
template <class F, class... A>
using called = std::conditional_t<std::invocable<F&, A...> && !std::invocable<const F&, A...>,
                                  on_copies<F>, F>;
template <class... A, class F>
decltype(auto) to_call(const F& f) {
    if constexpr (std::same_as<called<F, A...>, F>) {
        return (f);
    } else {
        return on_copies<F>{f};
    }
}

}  // namespace detail

template <class F, class A>
inline constexpr bool exactly_associative<detail::on_copies<F>, A> = exactly_associative<F, A>;

}  // namespace lookback
