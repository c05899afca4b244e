// The row kernels of summed-area tables, for every instruction set: see
// include/lookback/detail/cpu/simd_tables.hpp.
//
// Exact sums: rows of 64 bytes of accumulators are scanned (simd_rows-inl.hpp), a carry is passed
// from row to row, and the sums are added to the entries above. Floats: simd_table_tile-inl.hpp.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd_tables.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h includes this file again for each instruction set; it comes first.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/cpu/simd_tables.hpp"
#include "simd_operators-inl.hpp"
#include "simd_rows-inl.hpp"
#include "simd_table_tile-inl.hpp"
#include "simd_target.hpp"

#ifndef LOOKBACK_SRC_SIMD_TABLES_ONCE
#define LOOKBACK_SRC_SIMD_TABLES_ONCE
namespace lookback::detail {
struct row_kernels {
    stream_row_kernel stream;
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

template <class T, class A>
void exact_row(const table_row_sum<T, A>& r) {
    const tag<A> d;
    const auto tables = make_row_tables<A>();
    vec<A> carry = hn::Set(d, *r.left);
    std::size_t c = 0;
    for (; c + row_items<A> <= r.columns; c += row_items<A>) {
        row<A> sums;
        for (std::size_t k = 0; k < row_vectors; ++k) {
            sums.v[k] = load_as<A>(r.in + c + k * lanes<A>, r.squared);
        }
        scan_row<plus_op>(sums, tables);
        const vec<A> total = last_item(sums.v[row_vectors - 1], tables);
        for (std::size_t k = 0; k < row_vectors; ++k) {
            A* const at = r.above + c + k * lanes<A>;
            hn::StoreU(hn::Add(hn::LoadU(d, at), hn::Add(carry, sums.v[k])), d, at);
        }
        carry = hn::Add(carry, total);
    }
    A sum = hn::GetLane(carry);
    for (; c < r.columns; ++c) {
        sum = static_cast<A>(sum + item_as<A>(r.in[c], r.squared));
        r.above[c] = static_cast<A>(r.above[c] + sum);
    }
    *r.left = sum;
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

// Writes whole cache lines by non-temporal stores, and the two ends by ordinary ones. Some of the
// next row's lines are prefetched for each line written: prefetched in a burst they would hold up
// the stores.
void stream_row(const void* from, void* to, std::size_t bytes, const void* next,
                std::size_t next_bytes) {
    const tag<std::uint8_t> d;
    const auto* in = static_cast<const std::uint8_t*>(from);
    auto* out = static_cast<std::uint8_t*>(to);
    const auto* ask = static_cast<const std::uint8_t*>(next);
    std::size_t i =
        std::min<std::size_t>(bytes, (0 - reinterpret_cast<std::uintptr_t>(to)) % row_bytes);
    std::memcpy(out, in, i);
    // In fixed point, so that the last written line prefetches the last byte.
    const std::size_t step = next_bytes * row_bytes * 65536 / (bytes + row_bytes);
    std::size_t asked = 0, reached = 0;
    for (; i + row_bytes <= bytes; i += row_bytes) {
        for (reached += step; asked * 65536 < reached; asked += row_bytes) {
            hwy::Prefetch(ask + asked);
        }
        for (std::size_t k = 0; k < row_bytes; k += vector_bytes) {
            hn::Stream(hn::LoadU(d, in + i + k), d, out + i + k);
        }
    }
    std::memcpy(out + i, in + i, bytes - i);
}

row_kernels table_kernels() {
    return {&stream_row, &sum_row, &sum_row, &sum_row, &sum_row,
            &sum_row,    &sum_row, &sum_row, &sum_row, &sum_row};
}

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace lookback::detail {

static const row_kernels& chosen_kernels() {
    static const row_kernels chosen = LOOKBACK_SIMD_VERSION(table_kernels)();
    return chosen;
}

stream_row_kernel simd_stream_row() { return chosen_kernels().stream; }

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
