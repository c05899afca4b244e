// The table of kernels of a type: which operators work on it (detail/cpu/simd.hpp).
//
// Included once for each instruction set, hence the guard that toggles.
#if defined(LOOKBACK_SRC_SIMD_TABLE_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOOKBACK_SRC_SIMD_TABLE_INL_
#undef LOOKBACK_SRC_SIMD_TABLE_INL_
#else
#define LOOKBACK_SRC_SIMD_TABLE_INL_
#endif

#include <hwy/highway.h>

#include <type_traits>

#include "lookback/detail/cpu/simd.hpp"
#include "simd_operators-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {

// The operator on two items.
template <class Op, class T>
T combine(T a, T b) {
    return Op{}(a, b);
}

// Make::of<Op, T> is the kernel. Where lanes wait for each other (Make::lanes_wait), it has to be
// faster than one item after the other.
template <class Make, template <class> class Kernel, class T>
void fill_with(simd_family<Kernel, T>& k) {
    if constexpr (requires { k.plus; }) k.plus = Make::template of<plus_op, T>;
    if constexpr (requires { k.multiplies; } &&
                  !(Make::lanes_wait && takes_longer_in_lanes<multiplies_op, T>)) {
        k.multiplies = Make::template of<multiplies_op, T>;
    }
    if constexpr (requires { k.minimum; }) {
        k.minimum = Make::template of<minimum_op, T>;
        k.maximum = Make::template of<maximum_op, T>;
    }
    if constexpr (requires { k.bit_and; }) {
        k.bit_and = Make::template of<and_op, T>;
        k.bit_or = Make::template of<or_op, T>;
        k.bit_xor = Make::template of<xor_op, T>;
    }
}

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
