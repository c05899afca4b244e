/// \file
/// Operators: the associative functions that a scan folds with.
///
/// An operator is any associative callable `op(a, b)` on two accumulators. It need not be
/// commutative and needs no identity. It is called through a const reference and from several
/// threads at once, so it must not change shared state without synchronisation. An operator whose
/// operator() is not const is copied for each call, and the copy is called. All operators here have
/// SIMD kernels on the CPU, except affine. Products of integers of 8 bytes have them with AVX-512.
///
/// Floats of 16 bits (CUDA's __half and __nv_bfloat16, or a compiler's own) are added in 16 bits by
/// plus<>, and in 32 bits by plus<float> or from an initial value of 0.0F.
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>

#include "lookback/detail/half.hpp"
#include "lookback/detail/portability.hpp"

namespace lookback {

/// `Op` folds two accumulators of type `A` into one. Associativity cannot be checked. Everything
/// that a compiler can see is checked here, and the first line of the error for a wrong operator
/// names the operator (detail/refusals.hpp).
template <class Op, class A>
concept associative_operator =
    std::copy_constructible<Op> && std::copyable<A> &&
    std::regular_invocable<const Op&, const A&, const A&> &&
    std::convertible_to<std::invoke_result_t<const Op&, const A&, const A&>, A>;

namespace detail {

// The operand type of a transparent operator (T = void): the common type of both sides, without the
// promotion of small integers to int, so that a scan of bytes stays a scan of bytes.
template <class T, class L, class R>
using operand = typename std::conditional_t<std::is_void_v<T>, std::common_type<L, R>,
                                            std::type_identity<T>>::type;

template <class V>
concept adds = requires(const V a, const V b) { static_cast<V>(a + b); };
template <class V>
concept multiplied = requires(const V a, const V b) { static_cast<V>(a * b); };
template <class V>
concept ordered = requires(const V a, const V b) { static_cast<bool>(a < b); };

template <class T>
LOOKBACK_HD constexpr bool is_nan([[maybe_unused]] const T& x) {
    if constexpr (is_float<T>) {
        return x != x;
    } else {
        return false;
    }
}

}  // namespace detail

/// a + b. Unsigned and signed integers wrap around.
template <class T = void>
struct plus {
    template <class L, class R, detail::adds V = detail::operand<T, L, R>>
    LOOKBACK_HD constexpr V operator()(const L& a, const R& b) const {
        if constexpr (std::is_integral_v<V> && !std::is_same_v<V, bool>) {
            using U = std::make_unsigned_t<V>;  // signed overflow is undefined, wrapping is not
            return static_cast<V>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
        } else {
            return static_cast<V>(static_cast<V>(a) + static_cast<V>(b));
        }
    }
};

/// a * b. Unsigned and signed integers wrap around.
template <class T = void>
struct multiplies {
    template <class L, class R, detail::multiplied V = detail::operand<T, L, R>>
    LOOKBACK_HD constexpr V operator()(const L& a, const R& b) const {
        if constexpr (std::is_integral_v<V> && !std::is_same_v<V, bool>) {
            using wide = std::common_type_t<std::make_unsigned_t<V>, unsigned>;  // no int overflow
            return static_cast<V>(static_cast<wide>(a) * static_cast<wide>(b));
        } else {
            return static_cast<V>(static_cast<V>(a) * static_cast<V>(b));
        }
    }
};

/// The smaller of a and b. If one is NaN the result is NaN (IEEE 754-2019 `minimum`,
/// numpy.minimum), because the comparison of std::min is not associative once a NaN is in the data.
/// It is not specified which of two equal zeros is returned.
template <class T = void>
struct minimum {
    template <class L, class R, detail::ordered V = detail::operand<T, L, R>>
    LOOKBACK_HD constexpr V operator()(const L& a, const R& b) const {
        const V x = static_cast<V>(a);
        const V y = static_cast<V>(b);
        return detail::is_nan(x) || x < y ? x : y;
    }
};

/// The larger of a and b. If one is NaN the result is NaN, as in `minimum`.
template <class T = void>
struct maximum {
    template <class L, class R, detail::ordered V = detail::operand<T, L, R>>
    LOOKBACK_HD constexpr V operator()(const L& a, const R& b) const {
        const V x = static_cast<V>(a);
        const V y = static_cast<V>(b);
        return detail::is_nan(x) || y < x ? x : y;
    }
};

/// a & b, for integers.
template <class T = void>
struct bit_and {
    template <class L, class R, class V = detail::operand<T, L, R>>
        requires requires(const L& x, const R& y) { static_cast<V>(x & y); }
    LOOKBACK_HD constexpr V operator()(const L& a, const R& b) const {
        return static_cast<V>(a & b);
    }
};

/// a | b, for integers.
template <class T = void>
struct bit_or {
    template <class L, class R, class V = detail::operand<T, L, R>>
        requires requires(const L& x, const R& y) { static_cast<V>(x | y); }
    LOOKBACK_HD constexpr V operator()(const L& a, const R& b) const {
        return static_cast<V>(a | b);
    }
};

/// a ^ b, for integers.
template <class T = void>
struct bit_xor {
    template <class L, class R, class V = detail::operand<T, L, R>>
        requires requires(const L& x, const R& y) { static_cast<V>(x ^ y); }
    LOOKBACK_HD constexpr V operator()(const L& a, const R& b) const {
        return static_cast<V>(a ^ b);
    }
};

/// Whether two items are equal.
struct equal_to {
    LOOKBACK_CALLS_ANY
    template <class A, class B>
        requires requires(const A& a, const B& b) { static_cast<bool>(a == b); }
    LOOKBACK_HD constexpr bool operator()(const A& a, const B& b) const {
        return static_cast<bool>(a == b);
    }
};

/// x -> scale * x + shift: one step of a linear recurrence y[i] = scale[i] * y[i-1] + shift[i].
template <class T>
struct affine_map {
    T scale;
    T shift;
    LOOKBACK_CALLS_ANY
    friend LOOKBACK_HD constexpr bool operator==(const affine_map& a, const affine_map& b)
        requires std::equality_comparable<T>
    {
        return a.scale == b.scale && a.shift == b.shift;
    }
};

/// Composition of affine maps, the earlier one applied first: associative, not commutative. An
/// inclusive scan of {scale[i], shift[i]} from the initial value {1, y0} has y[i] as the shift of
/// its output i. (Source: Blelloch, linear recurrences; Merrill & Garland 2016, section 1.)
struct affine {
    template <class T>
    LOOKBACK_HD constexpr affine_map<T> operator()(const affine_map<T>& a,
                                                   const affine_map<T>& b) const {
        return {b.scale * a.scale, b.scale * a.shift + b.shift};
    }
};

/// True if regrouping `Op` over `A` never changes a bit of the result. A scan may then carry the
/// prefix along instead of combining it with each output, which takes half the operator calls
/// there. It is true for the integer operators above and for minimum and maximum. An operator of
/// yours declares it by a member `static constexpr bool exact = true`.
template <class Op, class A>
inline constexpr bool exactly_associative = requires { requires Op::exact; };

namespace detail {
template <class V>
inline constexpr bool computes_in_integers = std::is_void_v<V> || std::is_integral_v<V>;
}  // namespace detail
template <class V, std::integral A>
inline constexpr bool exactly_associative<plus<V>, A> = detail::computes_in_integers<V>;
template <class V, std::integral A>
inline constexpr bool exactly_associative<multiplies<V>, A> = detail::computes_in_integers<V>;
template <class T, class A>
inline constexpr bool exactly_associative<minimum<T>, A> = detail::is_number<A>;
template <class T, class A>
inline constexpr bool exactly_associative<maximum<T>, A> = detail::is_number<A>;
template <class T, std::integral A>
inline constexpr bool exactly_associative<bit_and<T>, A> = true;
template <class T, std::integral A>
inline constexpr bool exactly_associative<bit_or<T>, A> = true;
template <class T, std::integral A>
inline constexpr bool exactly_associative<bit_xor<T>, A> = true;
template <class V, std::unsigned_integral A>
inline constexpr bool exactly_associative<std::plus<V>, A> = detail::computes_in_integers<V>;

/// A value, and whether a segment begins with it, or begins within the values that were folded into
/// it.
template <class T>
struct segment_value {
    T value;
    bool head;
    // (Not defaulted: nvcc would demand that the operator== of T be constexpr.)
    LOOKBACK_CALLS_ANY
    friend LOOKBACK_HD constexpr bool operator==(const segment_value& a, const segment_value& b)
        requires std::equality_comparable<T>
    {
        return a.value == b.value && a.head == b.head;
    }
};

/// `Op` made to begin anew at each head: (a, f) and (b, g) give (g ? b : op(a, b), f or g). It is
/// associative where `Op` is, never commutative, and exact where `Op` is. A scan of many segments
/// is one plain scan with this operator, and takes the same time however long the segments are.
/// (Source: Blelloch 1990, section 1.5; Sengupta et al. 2007.)
template <class Op>
struct segmented {
    Op op;

    LOOKBACK_CALLS_ANY
    template <class T>
    LOOKBACK_HD constexpr segment_value<T> operator()(const segment_value<T>& a,
                                                      const segment_value<T>& b) const {
        if (b.head) return b;
        return {static_cast<T>(op(a.value, b.value)), a.head};
    }
};

template <class Op, class T>
inline constexpr bool exactly_associative<segmented<Op>, segment_value<T>> =
    exactly_associative<std::remove_cvref_t<Op>, T>;

}  // namespace lookback
