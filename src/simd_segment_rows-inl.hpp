// The scan of a row in which segments begin: the tree of scan_row, without the steps that would
// combine values of two segments.
//
// Included once for each instruction set, hence the guard that toggles.
#if defined(LOOKBACK_SRC_SIMD_SEGMENT_ROWS_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOOKBACK_SRC_SIMD_SEGMENT_ROWS_INL_
#undef LOOKBACK_SRC_SIMD_SEGMENT_ROWS_INL_
#else
#define LOOKBACK_SRC_SIMD_SEGMENT_ROWS_INL_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simd_row_scan-inl.hpp"
#include "simd_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The lowest `ones` of every `width` bits are set.
constexpr std::uint64_t ones_of(std::size_t ones, std::size_t width) {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 64; ++i) bits |= std::uint64_t{i % width < ones} << i;
    return bits;
}

// For each step of the rows' trees, a mask of the 64 items that take part in it, computed from the
// mask of heads.
template <class T>
struct segment_bits {
    static constexpr std::size_t items = block_items<T>;
    static constexpr std::size_t steps =
        static_cast<std::size_t>(hwy::FloorLog2(static_cast<std::uint32_t>(items)));

    std::uint64_t within[steps];  // [k]: no head among the 2^k items up to this one
    std::uint64_t odd;            // in blocks 1 and 3: no head from the block's first item on
    std::uint64_t upper;          // in blocks 2 and 3: no head from the first item of block 2 on
    std::uint64_t open;           // no head from the row's first item on

    segment_bits() = default;
    HWY_INLINE explicit segment_bits(std::uint64_t heads) {
        std::uint64_t near = heads;   // a head among the 2^k items up to this one
        std::uint64_t since = heads;  // a head among those of them in this item's block
        for (std::size_t k = 0; k < steps; ++k) {
            const std::size_t distance = std::size_t{1} << k;
            within[k] = ~near;
            near |= near << distance;
            since |= (since & ones_of_all_but(distance)) << distance;
        }
        odd = ~since & ~ones_of(items, 2 * items);
        since = joined<items>(since);
        upper = ~since & ~ones_of(2 * items, 4 * items);
        open = ~joined<2 * items>(since);
    }

 private:
    static constexpr std::uint64_t ones_of_all_but(std::size_t last) {
        return ones_of(items - last, items);
    }

    // `since` for groups of twice the width: if the last item of an even group has its bit set, the
    // bit is set for the whole group after it. (The subtraction turns each such bit into `width`
    // ones.)
    template <std::size_t width>
    static HWY_INLINE std::uint64_t joined(std::uint64_t since) {
        constexpr std::uint64_t last = ones_of(1, 2 * width) << (width - 1);
        const std::uint64_t first = (since & last) << 1;
        return since | ((first << width) - first);
    }
};

// Lane i is bit first + i.
template <class T>
HWY_INLINE hn::Mask<tag<T>> mask_of(std::uint64_t bits, std::size_t first) {
    bits >>= first;
    std::uint8_t bytes[8];
    std::memcpy(bytes, &bits, sizeof(bytes));
    return hn::LoadMaskBits(tag<T>(), bytes);
}

template <std::size_t k, class Op, class T>
HWY_INLINE vec<T> kogge_stone_of_segments(vec<T> v, const segment_bits<T>& bits,
                                          std::size_t first) {
    if constexpr (k < segment_bits<T>::steps) {
        const tag<T> d;
        constexpr std::size_t distance = std::size_t{1} << k;
        const vec<T> before =
            hn::CombineShiftRightBytes<16 - distance * sizeof(T)>(d, v, identity_vector<Op, T>());
        return kogge_stone_of_segments<k + 1, Op, T>(
            hn::IfThenElse(mask_of<T>(bits.within[k], first), Op{}(d, before, v), v), bits, first);
    } else {
        return v;
    }
}

// Scans a row of lanes in place. Its first item has bit `first`.
template <class Op, class T>
HWY_INLINE void scan_row_of_segments(row<T>& r, const segment_bits<T>& bits, std::size_t first,
                                     const row_tables<T>& tables) {
    const tag<T> d;
    const Op op;
    for (std::size_t k = 0; k < row_vectors; ++k) {
        const std::size_t at = first + k * lanes<T>;
        vec<T> v = kogge_stone_of_segments<0, Op, T>(r.v[k], bits, at);
        if constexpr (vector_bytes >= 32) {
            const vec<T> before = look_up(v, tables, tables.of_0_and_2);
            v = hn::IfThenElse(mask_of<T>(bits.odd, at), op(d, before, v), v);
        }
        if constexpr (vector_bytes == 64) {
            const vec<T> before = look_up(v, tables, tables.of_1);
            v = hn::IfThenElse(mask_of<T>(bits.upper, at), op(d, before, v), v);
        }
        r.v[k] = v;
    }
    for (std::size_t half = 1; half < row_vectors; half *= 2) {
        const std::uint64_t joins = half * lanes<T> == block_items<T> ? bits.odd : bits.upper;
        for (std::size_t k = 0; k < row_vectors; ++k) {
            if (k & half) {
                const std::size_t from = (k & ~(2 * half - 1)) + half - 1;
                const vec<T> before = last_item(r.v[from], tables);
                r.v[k] = hn::IfThenElse(mask_of<T>(joins, first + k * lanes<T>),
                                        op(d, before, r.v[k]), r.v[k]);
            }
        }
    }
}

// More tables, for the scan of segments.
template <class T>
struct segment_tables {
    row_tables<T> rows;
    typename row_tables<T>::indices of_block_before;  // the last lane of the block before
};

template <class T>
HWY_NOINLINE segment_tables<T> make_segment_tables() {
    using word = typename row_tables<T>::word;
    alignas(row_bytes) word lane[lanes<word>];
    for (std::size_t i = 0; i < lanes<word>; ++i) {
        const std::size_t block = i / block_items<word>;
        lane[i] = static_cast<word>(block == 0 ? 0 : block * block_items<word> - 1);
    }
    return {make_row_tables<T>(), lane_numbers(lane)};
}

// Moves every lane to the next one. The first lane comes from `before`, all lanes of which are the
// same.
template <class T>
HWY_INLINE vec<T> moved_up(vec<T> v, vec<T> before, const segment_tables<T>& tables) {
    const tag<T> d;
    vec<T> last = before;  // of the block before each block
    if constexpr (vector_bytes > 16) {
        last = hn::IfThenElse(hn::FirstN(d, block_items<T>), before,
                              look_up(v, tables.rows, tables.of_block_before));
    }
    return hn::CombineShiftRightBytes<16 - sizeof(T)>(d, v, last);
}

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
