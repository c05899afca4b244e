// The tile kernels that sum narrower items in LOOKBACK_KERNEL_ITEM, for every instruction set: see
// include/lookback/detail/cpu/simd.hpp. Compiled once for each type of sum.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd_widening_scan.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h includes this file again for each instruction set; it comes first.
#include <hwy/highway.h>

#include <cstdint>

#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "simd_operators-inl.hpp"
#include "simd_scan_problem.hpp"
#include "simd_target.hpp"
#include "simd_tile_scan-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {

template <class T, class... In>
void fill_each(widening_scans<T, In...>& scans) {
    ((static_cast<widening_scan<T, In>&>(scans).kernel = kernel_of<plus_op, false, T, In>), ...);
}

void fill_widening(widening_family<LOOKBACK_KERNEL_ITEM>& family) { fill_each(family); }

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookback::detail {

template <class T, class In>
void run_widening(const cpu& where, const simd_scan<T, In>& scan) {
    detail::single_pass(where, simd_scan_problem<T, In>(scan));
}

template <class T, class... In>
void set_runs(widening_scans<T, In...>& scans) {
    ((static_cast<widening_scan<T, In>&>(scans).run = &run_widening<T, In>), ...);
}

template <>
[[gnu::visibility("default")]] const widening_family<LOOKBACK_KERNEL_ITEM>&
widening_kernels<LOOKBACK_KERNEL_ITEM>() {
    static const auto made = [] {
        widening_family<LOOKBACK_KERNEL_ITEM> family;
        LOOKBACK_SIMD_VERSION(fill_widening)(family);
        set_runs(family);
        return family;
    }();
    return made;
}

}  // namespace lookback::detail
#endif
