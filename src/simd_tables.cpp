// The row kernels of summed-area tables, for every instruction set: see
// include/lookback/detail/cpu/simd_tables.hpp.
//
// Exact sums: rows of 64 bytes of accumulators are scanned (simd_row_scan-inl.hpp), a carry is
// passed from row to row, and the sums are added to the entries above. Floats:
// simd_table_tile-inl.hpp.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd_tables.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h includes this file again for each instruction set; it comes first.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/cpu/simd_tables.hpp"
#include "simd_operators-inl.hpp"
#include "simd_row_scan-inl.hpp"
#include "simd_rows-inl.hpp"
#include "simd_table_tile-inl.hpp"
#include "simd_target.hpp"

#ifndef LOOKBACK_SRC_SIMD_TABLES_ONCE
#define LOOKBACK_SRC_SIMD_TABLES_ONCE
namespace lookback::detail {
struct row_kernels {
    table_row_kernel<std::uint8_t, std::uint32_t> u8_u32;
    table_row_kernel<std::uint8_t, std::uint64_t> u8_u64;
    table_row_kernel<std::uint16_t, std::uint32_t> u16_u32;
    table_row_kernel<std::uint16_t, std::uint64_t> u16_u64;
    table_row_kernel<std::uint32_t, std::uint32_t> u32_u32;
    table_row_kernel<std::uint64_t, std::uint64_t> u64_u64;
    table_row_kernel<float, float> f32_f32;
    table_row_kernel<float, double> f32_f64;
    table_row_kernel<double, double> f64_f64;
};
}  // namespace lookback::detail
#endif

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// ---- exact sums

template <bool streams, class T, class A>
HWY_INLINE void exact_row_of(const table_row_sum<T, A>& row_sum) {
    const tag<A> d;
    const auto tables = make_row_tables<A>();
    const table_row_sum<T, A> r = row_sum;
    row_stream<A> stream(r.entry, r.stream_to);
    vec<A> carry = hn::Set(d, *r.left);
    std::size_t c = 0;
    for (; c + row_items<A> <= r.columns; c += row_items<A>) {
        if constexpr (streams) {
            hwy::Prefetch(r.next + c);
            stream.follow(c);
        }
        row<A> sums;
        for (std::size_t k = 0; k < row_vectors; ++k) {
            sums.v[k] = load_as<A>(r.in + c + k * lanes<A>, r.squared);
        }
        scan_row<plus_op>(sums, tables);
        const vec<A> total = last_item(sums.v[row_vectors - 1], tables);
        for (std::size_t k = 0; k < row_vectors; ++k) {
            const std::size_t i = c + k * lanes<A>;
            hn::StoreU(hn::Add(hn::LoadU(d, r.above + i), hn::Add(carry, sums.v[k])), d,
                       r.entry + i);
        }
        carry = hn::Add(carry, total);
    }
    A sum = hn::GetLane(carry);
    for (; c < r.columns; ++c) {
        sum = static_cast<A>(sum + item_as<A>(r.in[c], r.squared));
        r.entry[c] = static_cast<A>(r.above[c] + sum);
    }
    *r.left = sum;
    if constexpr (streams) stream.finish(r.columns);
}

template <class T, class A>
void exact_row(const table_row_sum<T, A>& r) {
    r.stream_to != nullptr ? exact_row_of<true>(r) : exact_row_of<false>(r);
}

// Sums a row of T in A by the kernel for A.
template <class T, class A>
void sum_row(const table_row_sum<T, A>& r) {
    if constexpr (std::is_floating_point_v<A>) {
        float_row(r);
    } else {
        exact_row(r);
    }
}

row_kernels table_kernels() {
    return {&sum_row, &sum_row, &sum_row, &sum_row, &sum_row,
            &sum_row, &sum_row, &sum_row, &sum_row};
}

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookback::detail {

static const row_kernels& chosen_kernels() {
    static const row_kernels chosen = LOOKBACK_SIMD_VERSION(table_kernels)();
    return chosen;
}

#define LOOKBACK_TABLE_ROW(T, A, kernel)                                           \
    template <>                                                                    \
    [[gnu::visibility("default")]] table_row_kernel<T, A> simd_table_row<T, A>() { \
        return chosen_kernels().kernel;                                            \
    }
LOOKBACK_TABLE_ROW(std::uint8_t, std::uint32_t, u8_u32)
LOOKBACK_TABLE_ROW(std::uint8_t, std::uint64_t, u8_u64)
LOOKBACK_TABLE_ROW(std::uint16_t, std::uint32_t, u16_u32)
LOOKBACK_TABLE_ROW(std::uint16_t, std::uint64_t, u16_u64)
LOOKBACK_TABLE_ROW(std::uint32_t, std::uint32_t, u32_u32)
LOOKBACK_TABLE_ROW(std::uint64_t, std::uint64_t, u64_u64)
LOOKBACK_TABLE_ROW(float, float, f32_f32)
LOOKBACK_TABLE_ROW(float, double, f32_f64)
LOOKBACK_TABLE_ROW(double, double, f64_f64)
#undef LOOKBACK_TABLE_ROW

}  // namespace lookback::detail
#endif
