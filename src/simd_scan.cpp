// The tile kernels of the scan of one type, LOOKBACK_KERNEL_ITEM, for every vector width: see
// include/lookback/detail/cpu/simd.hpp. Compiled once for each type.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd_scan.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h includes this file again for each instruction set; it comes first.
#include <hwy/highway.h>

#include <array>
#include <cstdint>

#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "simd_scan_problem.hpp"
#include "simd_table-inl.hpp"
#include "simd_target.hpp"
#include "simd_tile_scan-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <bool backward>
struct make_scan_kernel {
    static constexpr bool lanes_wait = true;
    template <class Op, class T>
    static constexpr simd_kernel<T> of = kernel_of<Op, backward, T, T>;
};

template <class Op, class T>
void combine_rows(const T* a, const T* b, T* to, std::size_t items) {
    const tag<T> d;
    std::size_t i = 0;
    for (; i + lanes<T> <= items; i += lanes<T>) {
        const vec<T> before = Op::encode(d, load_lanes<T>(a + i));
        const vec<T> item = Op::encode(d, load_lanes<T>(b + i));
        hn::StoreU(Op::decode(d, Op{}(d, before, item)), d, lanes_at(to + i));
    }
    for (; i < items; ++i) to[i] = Op{}(a[i], b[i]);
}

struct make_row_kernel {
    static constexpr bool lanes_wait = false;
    template <class Op, class T>
    static constexpr row_kernel<T> of = &combine_rows<Op, T>;
};

void fill_rows(simd_family<row_kernel, LOOKBACK_KERNEL_ITEM>& table) {
    fill_with<make_row_kernel>(table);
}

void fill_scans(bool backward, simd_family<simd_kernel, LOOKBACK_KERNEL_ITEM>& table) {
    backward ? fill_with<make_scan_kernel<true>>(table) : fill_with<make_scan_kernel<false>>(table);
}

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookback::detail {

template <>
[[gnu::visibility("default")]] const simd_family<simd_kernel, LOOKBACK_KERNEL_ITEM>&
simd_kernels<LOOKBACK_KERNEL_ITEM>(bool backward) {
    using family = simd_family<simd_kernel, LOOKBACK_KERNEL_ITEM>;
    static const std::array<family, 2> tables = [] {
        std::array<family, 2> made{};
        for (const bool direction : {false, true}) {
            LOOKBACK_SIMD_VERSION(fill_scans)(direction, made[direction]);
        }
        return made;
    }();
    return tables[backward];
}

template <>
[[gnu::visibility("default")]] const simd_family<row_kernel, LOOKBACK_KERNEL_ITEM>&
simd_row_kernels<LOOKBACK_KERNEL_ITEM>() {
    static const auto table = [] {
        simd_family<row_kernel, LOOKBACK_KERNEL_ITEM> made{};
        LOOKBACK_SIMD_VERSION(fill_rows)(made);
        return made;
    }();
    return table;
}

template <>
[[gnu::visibility("default")]] void run_simd_scan(const cpu& where,
                                                  const simd_scan<LOOKBACK_KERNEL_ITEM>& scan) {
    detail::single_pass(where, simd_scan_problem<LOOKBACK_KERNEL_ITEM>(scan));
}

}  // namespace lookback::detail
#endif
