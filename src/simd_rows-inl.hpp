// Rows: 64 bytes in 1, 2 or 4 vectors, and their scan.
//
// The scan of a row is a tree that does not depend on the width of the vectors:
//   1. within each block of 16 bytes, Kogge-Stone: combine with what is 1, 2, 4, 8 lanes before;
//   2. block 0 into block 1, block 2 into block 3, then block 1 into blocks 2 and 3 (Sklansky).
// (Merrill & Garland 2016, figure 1b and c.)
//
// Included once for each instruction set, hence the guard that toggles.
#if defined(LOOKBACK_SRC_SIMD_ROWS_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOOKBACK_SRC_SIMD_ROWS_INL_
#undef LOOKBACK_SRC_SIMD_ROWS_INL_
#else
#define LOOKBACK_SRC_SIMD_ROWS_INL_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "lookback/cpu/simd.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// ---- rows

template <class T>
constexpr std::size_t row_items = row_bytes / sizeof(T);
template <class T>
constexpr std::size_t block_items = 16 / sizeof(T);
template <class T>
using tag = hn::CappedTag<T, row_items<T>>;
template <class T>
using vec = hn::Vec<tag<T>>;
constexpr std::size_t vector_bytes = HWY_MAX_BYTES < row_bytes ? HWY_MAX_BYTES : row_bytes;
constexpr std::size_t row_vectors = row_bytes / vector_bytes;
template <class T>
constexpr std::size_t lanes = vector_bytes / sizeof(T);

template <class T>
struct row {
    vec<T> v[row_vectors];
};

template <class T>
HWY_INLINE vec<T> reverse(vec<T> v) {
    if constexpr (sizeof(T) == 1) {
        const tag<std::uint8_t> d8;
        const tag<std::uint64_t> d64;
        alignas(16) constexpr std::uint8_t flip[16] = {7,  6,  5,  4,  3,  2,  1, 0,
                                                       15, 14, 13, 12, 11, 10, 9, 8};
        const auto words = hn::BitCast(d8, hn::Reverse(d64, hn::BitCast(d64, v)));
        return hn::BitCast(tag<T>(), hn::TableLookupBytes(words, hn::LoadDup128(d8, flip)));
    } else {
        return hn::Reverse(tag<T>(), v);
    }
}

// The row whose first item is at `in`, first item in the lowest lane.
template <bool backward, class T>
HWY_INLINE row<T> load(const T* in) {
    const tag<T> d;
    row<T> r;
    for (std::size_t k = 0; k < row_vectors; ++k) {
        if constexpr (backward) {
            r.v[k] = reverse<T>(hn::LoadU(d, in - ((k + 1) * lanes<T> - 1)));
        } else {
            r.v[k] = hn::LoadU(d, in + k * lanes<T>);
        }
    }
    return r;
}

template <bool backward, class T>
HWY_INLINE void store(const row<T>& r, T* out) {
    const tag<T> d;
    for (std::size_t k = 0; k < row_vectors; ++k) {
        if constexpr (backward) {
            hn::StoreU(reverse<T>(r.v[k]), d, out - ((k + 1) * lanes<T> - 1));
        } else {
            hn::StoreU(r.v[k], d, out + k * lanes<T>);
        }
    }
}

template <bool backward, class T>
HWY_INLINE void prefetch_page_ahead(const T* in) {
    constexpr std::ptrdiff_t page = 4096;
    hwy::Prefetch(reinterpret_cast<const char*>(in) + (backward ? -page : page));
}

// ---- their scan

template <class Op, class T>
HWY_INLINE vec<T> identity_vector() {
    return hn::Set(tag<T>(), Op::template identity<T>);
}

template <int distance, class Op, class T>
HWY_INLINE vec<T> kogge_stone_in_blocks(vec<T> v) {
    if constexpr (distance < static_cast<int>(block_items<T>)) {
        const tag<T> d;
        const vec<T> before =
            hn::CombineShiftRightBytes<16 - distance * sizeof(T)>(d, v, identity_vector<Op, T>());
        return kogge_stone_in_blocks<2 * distance, Op, T>(Op{}(d, before, v));
    } else {
        return v;
    }
}

// Every lane of a block gets the block's last one.
template <class T>
HWY_INLINE vec<T> last_of_block(vec<T> v) {
    if constexpr (sizeof(T) >= 4) {
        const tag<uint_of_size<sizeof(T)>> bits;
        return hn::BitCast(tag<T>(), hn::Broadcast<block_items<T> - 1>(hn::BitCast(bits, v)));
    } else {
        const tag<std::uint8_t> bytes;
        alignas(16) std::uint8_t last[16];
        for (std::size_t i = 0; i < 16; ++i) {
            last[i] = static_cast<std::uint8_t>(16 - sizeof(T) + i % sizeof(T));
        }
        return hn::BitCast(
            tag<T>(), hn::TableLookupBytes(hn::BitCast(bytes, v), hn::LoadDup128(bytes, last)));
    }
}

#if HWY_MAX_BYTES >= 64
// The blocks of v that `words` names, two 64-bit words a block.
template <class T>
HWY_INLINE vec<T> pick_blocks(vec<T> v, const std::uint64_t (&words)[8]) {
    const tag<std::uint64_t> d64;
    return hn::BitCast(tag<T>(),
                       hn::TableLookupLanes(hn::BitCast(d64, v), hn::SetTableIndices(d64, words)));
}
#endif

// Blocks into blocks, within one vector. On entry `total` holds each block's own total, in all of
// its lanes; on return the vector's total, in all lanes.
template <class Op, class T>
HWY_INLINE vec<T> sklansky_across_blocks(vec<T> v, [[maybe_unused]] vec<T>& total) {
    [[maybe_unused]] const tag<T> d;
    [[maybe_unused]] const Op op;
#if HWY_MAX_BYTES >= 64
    alignas(64) constexpr std::uint64_t block_0_and_2[8] = {0, 1, 0, 1, 4, 5, 4, 5};
    alignas(64) constexpr std::uint64_t block_1[8] = {2, 3, 2, 3, 2, 3, 2, 3};
    alignas(64) constexpr std::uint64_t block_3[8] = {6, 7, 6, 7, 6, 7, 6, 7};
    const auto first = hn::FirstN(d, block_items<T>);
    const auto low = hn::FirstN(d, 2 * block_items<T>);
    const auto odd = hn::Or(hn::AndNot(first, low), hn::Not(hn::FirstN(d, 3 * block_items<T>)));
    const auto high = hn::Not(low);
    vec<T> before = pick_blocks<T>(total, block_0_and_2);
    v = hn::IfThenElse(odd, op(d, before, v), v);
    total = hn::IfThenElse(odd, op(d, before, total), total);
    before = pick_blocks<T>(total, block_1);
    v = hn::IfThenElse(high, op(d, before, v), v);
    total = pick_blocks<T>(op(d, before, total), block_3);
#elif HWY_MAX_BYTES == 32
    const vec<T> before = hn::ConcatLowerLower(d, total, total);
    v = hn::IfThenElse(hn::FirstN(d, block_items<T>), v, op(d, before, v));
    total = op(d, before, hn::ConcatUpperUpper(d, total, total));
#endif
    return v;
}

// Scans a row in place; returns its total in every lane.
template <class Op, class T>
HWY_INLINE vec<T> scan_row(row<T>& r) {
    const tag<T> d;
    const Op op;
    vec<T> total[row_vectors];
    for (std::size_t k = 0; k < row_vectors; ++k) {
        const vec<T> v = kogge_stone_in_blocks<1, Op, T>(r.v[k]);
        total[k] = last_of_block<T>(v);
        r.v[k] = sklansky_across_blocks<Op, T>(v, total[k]);
    }
    for (std::size_t half = 1; half < row_vectors; half *= 2) {
        for (std::size_t k = 0; k < row_vectors; ++k) {
            if (k & half) {
                const std::size_t from = (k & ~(2 * half - 1)) + half - 1;
                r.v[k] = op(d, total[from], r.v[k]);
                total[k] = op(d, total[from], total[k]);
            }
        }
    }
    return total[row_vectors - 1];
}

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
