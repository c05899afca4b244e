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

// Lane indices: in the lower half of a vector the last lane of block `low`, in the upper half that
// of block `high`, where a block has `block` lanes.
template <class T, std::size_t low, std::size_t high, std::size_t block>
struct lane_table {
    alignas(row_bytes) T lane[lanes<T>];
    constexpr lane_table() : lane() {
        for (std::size_t i = 0; i < lanes<T>; ++i) {
            lane[i] = static_cast<T>(((i < lanes<T> / 2 ? low : high) + 1) * block - 1);
        }
    }
};

// The last lane of block `low` in the lower half of the vector, that of block `high` in the upper.
template <std::size_t low, std::size_t high, class T>
HWY_INLINE vec<T> last_of_blocks(vec<T> v) {
    if constexpr (sizeof(T) >= 4) {
        using word = uint_of_size<sizeof(T)>;
        static constexpr lane_table<word, low, high, block_items<T>> from;
        const tag<word> d;
        const auto picked =
            hn::TableLookupLanes(hn::BitCast(d, v), hn::SetTableIndices(d, from.lane));
        return hn::BitCast(tag<T>(), picked);
    } else {
        // No lookup of such lanes: first the last one to its whole block, then whole words.
        const tag<std::uint8_t> d8;
        alignas(16) std::uint8_t last[16];
        for (std::size_t i = 0; i < 16; ++i) {
            last[i] = static_cast<std::uint8_t>(16 - sizeof(T) + i % sizeof(T));
        }
        const auto spread = hn::TableLookupBytes(hn::BitCast(d8, v), hn::LoadDup128(d8, last));
        if constexpr (vector_bytes == 16) {
            return hn::BitCast(tag<T>(), spread);
        } else {
            const auto words = hn::BitCast(tag<std::uint64_t>(), spread);
            return hn::BitCast(tag<T>(), last_of_blocks<low, high, std::uint64_t>(words));
        }
    }
}

// The lanes of blocks whose number has the bit `bit` set. (Compared, not counted: a mask that is
// loaded as a constant is loaded again for each row.)
template <std::size_t bit, class T>
HWY_INLINE hn::Mask<tag<T>> odd_blocks() {
    using word = uint_of_size<sizeof(T)>;
    const tag<word> d;
    const auto lane_bit = hn::Set(d, static_cast<word>(bit * block_items<T>));
    return hn::RebindMask(tag<T>(), hn::TestBit(hn::Iota(d, 0), lane_bit));
}

// Blocks into blocks, within one vector.
template <class Op, class T>
HWY_INLINE vec<T> sklansky_across_blocks(vec<T> v) {
    [[maybe_unused]] const tag<T> d;
    [[maybe_unused]] const Op op;
    if constexpr (vector_bytes == 64) {
        v = hn::IfThenElse(odd_blocks<1, T>(), op(d, last_of_blocks<0, 2, T>(v), v), v);
        v = hn::IfThenElse(odd_blocks<2, T>(), op(d, last_of_blocks<1, 1, T>(v), v), v);
    } else if constexpr (vector_bytes == 32) {
        v = hn::IfThenElse(odd_blocks<1, T>(), op(d, last_of_blocks<0, 0, T>(v), v), v);
    }
    return v;
}

// Scans a row in place; returns its total in every lane.
template <class Op, class T>
HWY_INLINE vec<T> scan_row(row<T>& r) {
    constexpr std::size_t last_block = vector_bytes / 16 - 1;
    const tag<T> d;
    const Op op;
    vec<T> total[row_vectors];
    for (std::size_t k = 0; k < row_vectors; ++k) {
        r.v[k] = sklansky_across_blocks<Op, T>(kogge_stone_in_blocks<1, Op, T>(r.v[k]));
        total[k] = last_of_blocks<last_block, last_block, T>(r.v[k]);
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
