/// \file
/// How functions whose operator() is not const are called, through const references and from
/// several threads at once.
#pragma once

#include <concepts>
#include <type_traits>

#include "lookback/detail/portability.hpp"
#include "lookback/operators.hpp"

namespace lookback {
namespace detail {

/// Calls a fresh copy of `function` each time, so that what one call changes, no other call sees.
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

/// Whether F is a `[] __device__` lambda. When nvcc compiles for the host, it puts a placeholder in
/// its place, whose operator() is not const and returns int.
template <class F>
inline constexpr bool is_device_lambda =
#ifdef __CUDACC_EXTENDED_LAMBDA__
    __nv_is_extended_device_lambda_closure_type(F);
#else
    false;
#endif

/// How `F` is called with `A`: itself, or on copies if a const F cannot be called. (The host and
/// the device must make the same choice. Otherwise the host starts a kernel that was never
/// compiled.)
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
