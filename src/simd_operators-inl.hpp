// The operators of the SIMD kernels: an identity, and the same function on vectors and on items.
//
// Included once for each instruction set, hence the guard that toggles.
#if defined(LOOKBACK_SRC_SIMD_OPERATORS_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOOKBACK_SRC_SIMD_OPERATORS_INL_
#undef LOOKBACK_SRC_SIMD_OPERATORS_INL_
#else
#define LOOKBACK_SRC_SIMD_OPERATORS_INL_
#endif

#include <hwy/highway.h>

#include <limits>
#include <type_traits>

#include "lookback/operators.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The operator on items is the library's own.
template <class Op>
struct on_items {
    template <class T>
    HWY_INLINE T operator()(T a, T b) const {
        return Op{}(a, b);
    }
};

struct plus_op : on_items<plus<>> {
    using on_items::operator();
    static constexpr bool regroups_floats = false;
    template <class T>
    static constexpr T identity = std::is_floating_point_v<T> ? T(-0.0) : T(0);  // -0.0 + x is x
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
        return hn::Add(a, b);
    }
};

// NaN wins. The minimum and maximum of x86 return b where either is NaN; those of Arm the number.
template <class V>
HWY_INLINE V keep_nan([[maybe_unused]] V a, [[maybe_unused]] V b, V r) {
    if constexpr (hwy::IsFloat<hn::TFromV<V>>()) {
        if constexpr (HWY_ARCH_ARM) r = hn::IfThenElse(hn::IsNaN(b), b, r);
        return hn::IfThenElse(hn::IsNaN(a), a, r);
    } else {
        return r;
    }
}

template <class T>
constexpr T infinity = std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                                            : std::numeric_limits<T>::max();

struct minimum_op : on_items<minimum<>> {
    using on_items::operator();
    static constexpr bool regroups_floats = true;
    template <class T>
    static constexpr T identity = infinity<T>;
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
        return keep_nan(a, b, hn::Min(a, b));
    }
};

struct maximum_op : on_items<maximum<>> {
    using on_items::operator();
    static constexpr bool regroups_floats = true;
    template <class T>
    static constexpr T identity = std::is_floating_point_v<T> ? -infinity<T>
                                                              : std::numeric_limits<T>::min();
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
        return keep_nan(a, b, hn::Max(a, b));
    }
};

struct and_op : on_items<bit_and<>> {
    using on_items::operator();
    static constexpr bool regroups_floats = true;
    template <class T>
    static constexpr T identity = static_cast<T>(~T{0});
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
        return hn::And(a, b);
    }
};

struct or_op : on_items<bit_or<>> {
    using on_items::operator();
    static constexpr bool regroups_floats = true;
    template <class T>
    static constexpr T identity = T{0};
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
        return hn::Or(a, b);
    }
};

struct xor_op : on_items<bit_xor<>> {
    using on_items::operator();
    static constexpr bool regroups_floats = true;
    template <class T>
    static constexpr T identity = T{0};
    template <class D, class V = hn::Vec<D>>
    HWY_INLINE V operator()(D, V a, V b) const {
        return hn::Xor(a, b);
    }
};

// Whether any grouping gives the same bits.
template <class Op, class T>
constexpr bool regroups = !std::is_floating_point_v<T> || Op::regroups_floats;

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
