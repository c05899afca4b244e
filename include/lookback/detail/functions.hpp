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

/// Whether it is a `[] __device__` lambda. Compiling for the host, nvcc has something else in its
/// place, whose operator() is not const and returns int.
template <class F>
inline constexpr bool is_device_lambda =
#ifdef __CUDACC_EXTENDED_LAMBDA__
    __nv_is_extended_device_lambda_closure_type(F);
#else
    false;
#endif

/// How `F` is called with `A`: as it is, or, where it cannot be as a constant, on copies. (The host
/// and the device must say the same, or the host starts a kernel that there is none of.)
template <class F, class... A>
using called = std::conditional_t<!is_device_lambda<F> && std::invocable<F&, A...> &&
                                      !std::invocable<const F&, A...>,
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
