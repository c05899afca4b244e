// The table of kernels: which operators work on which types (cpu/simd.hpp).
//
// Included once for each instruction set, hence the guard that toggles.
#if defined(LOOKBACK_SRC_SIMD_TABLE_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOOKBACK_SRC_SIMD_TABLE_INL_
#undef LOOKBACK_SRC_SIMD_TABLE_INL_
#else
#define LOOKBACK_SRC_SIMD_TABLE_INL_
#endif

#include <hwy/highway.h>

#include <tuple>

#include "lookback/cpu/simd.hpp"
#include "simd_operators-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {

// Make::of<Op, T> is the kernel.
template <class Make, template <class> class Kernel, class T>
void fill(simd_integer_bits<Kernel, T>& k) {
    k = {Make::template of<plus_op, T>, Make::template of<and_op, T>, Make::template of<or_op, T>,
         Make::template of<xor_op, T>};
}
template <class Make, template <class> class Kernel, class T>
void fill(simd_integer_order<Kernel, T>& k) {
    k = {Make::template of<minimum_op, T>, Make::template of<maximum_op, T>};
}
template <class Make, template <class> class Kernel, class T>
void fill(simd_floats<Kernel, T>& k) {
    k = {Make::template of<plus_op, T>, Make::template of<minimum_op, T>,
         Make::template of<maximum_op, T>};
}

template <class Make, class Table>
void fill_with(Table& table) {
    std::apply([](auto&... k) { (fill<Make>(k), ...); }, table);
}

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
