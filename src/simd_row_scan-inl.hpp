// The scan of a row of 64 bytes: a tree that does not depend on the width of the vectors.
//
//     1. within each block of 16 bytes, Kogge-Stone: each item combines with the item 1, 2, 4, 8
//        before it;
//     2. across blocks, Sklansky: block 0 into block 1, block 2 into block 3, then block 1 into
//        blocks 2 and 3.
//
// (Merrill & Garland 2016, figure 1b and c.)
//
// Included once for each instruction set, hence the guard that toggles.
#if defined(LOOKBACK_SRC_SIMD_ROW_SCAN_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOOKBACK_SRC_SIMD_ROW_SCAN_INL_
#undef LOOKBACK_SRC_SIMD_ROW_SCAN_INL_
#else
#define LOOKBACK_SRC_SIMD_ROW_SCAN_INL_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "simd_rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

// Single bytes are looked up by VBMI, which the machine's native set may have, too.
#undef LOOKBACK_LOOKS_UP_BYTES
#if HWY_TARGET <= HWY_AVX3_DL || (HWY_TARGET <= HWY_AVX3 && defined(__AVX512VBMI__))
#define LOOKBACK_LOOKS_UP_BYTES 1
#else
#define LOOKBACK_LOOKS_UP_BYTES 0
#endif

// Whether one instruction looks up lanes of this size, anywhere in a vector.
constexpr bool has_look_up(std::size_t size) {
    return size >= 4 || (size == 2 && HWY_TARGET <= HWY_AVX3) ||
           (size == 1 && LOOKBACK_LOOKS_UP_BYTES);
}
template <class Word>
HWY_INLINE auto lane_numbers(const Word* numbers) {
    if constexpr (sizeof(Word) >= 4) {
        return hn::SetTableIndices(tag<Word>(), numbers);
    } else {
        return hn::Load(tag<Word>(), numbers);
    }
}

// Tables for the scan of a row: the lanes of the blocks' last items, and the blocks that take part
// in each step. Look-ups move whole words. If items are smaller than words, a block's last item is
// first spread over its block.
template <class T>
struct row_tables {
    static constexpr bool has_words = has_look_up(sizeof(T));
    using word = unsigned_word<has_words && sizeof(T) < 8 ? sizeof(T) : 8>;
    using indices = decltype(lane_numbers(static_cast<const word*>(nullptr)));

    indices of_0_and_2;  // the last lane of block 0 in the lower half, of block 2 in the upper
    indices of_1;
    indices of_last;
    vec<std::uint8_t> spread;
    hn::Mask<tag<T>> odd;    // blocks 1 and 3
    hn::Mask<tag<T>> upper;  // blocks 2 and 3
};

template <class T>
HWY_INLINE auto last_of_blocks(std::size_t low, std::size_t high) {
    using word = typename row_tables<T>::word;
    constexpr std::size_t words = std::max<std::size_t>(1, sizeof(T) / sizeof(word));
    alignas(row_bytes) word lane[lanes<word>];
    for (std::size_t i = 0; i < lanes<word>; ++i) {
        const std::size_t block = i < lanes<word> / 2 ? low : high;
        lane[i] = static_cast<word>((block + 1) * block_items<word> - words + i % words);
    }
    return lane_numbers(lane);
}

template <class T>
HWY_INLINE hn::Mask<tag<T>> blocks_with(std::size_t bit) {
    using number = unsigned_word<sizeof(channel_type<T>)>;
    const tag<number> d;
    const auto lane_bit = hn::Set(d, static_cast<number>(bit * block_items<number>));
    return hn::RebindMask(tag<T>(), hn::TestBit(hn::Iota(d, 0), lane_bit));
}

// Not inlined: a compiler that knows the contents of a table makes it anew for each row, on the
// port that shuffles.
template <class T>
HWY_NOINLINE row_tables<T> make_row_tables() {
    constexpr std::size_t blocks = vector_bytes / 16;
    alignas(16) std::uint8_t last[16];
    for (std::size_t i = 0; i < 16; ++i) {
        last[i] = static_cast<std::uint8_t>(16 - sizeof(T) + i % sizeof(T));
    }
    return {last_of_blocks<T>(0, blocks > 2 ? 2 : 0),
            last_of_blocks<T>(blocks > 1, blocks > 1),
            last_of_blocks<T>(blocks - 1, blocks - 1),
            hn::LoadDup128(tag<std::uint8_t>(), last),
            blocks_with<T>(1),
            blocks_with<T>(2)};
}

// The lanes of `v` with the numbers `from`.
template <class T>
HWY_INLINE vec<T> look_up(vec<T> v, const row_tables<T>& tables,
                          const typename row_tables<T>::indices& from) {
    using word = typename row_tables<T>::word;
    const tag<T> d;
    if constexpr (!row_tables<T>::has_words) {
        const tag<std::uint8_t> d8;
        v = hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(d8, v), tables.spread));
        if constexpr (vector_bytes == 16) return v;
    }
    const auto words = hn::BitCast(tag<word>(), v);
    if constexpr (sizeof(word) >= 4) {
        return hn::BitCast(d, hn::TableLookupLanes(words, from));
    }
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
    if constexpr (sizeof(word) == 2) {
        return hn::BitCast(d, vec<word>{_mm512_permutexvar_epi16(from.raw, words.raw)});
    }
#endif
#if HWY_ARCH_X86 && LOOKBACK_LOOKS_UP_BYTES
    if constexpr (sizeof(word) == 1) {
        return hn::BitCast(d, vec<word>{_mm512_permutexvar_epi8(from.raw, words.raw)});
    }
#endif
}

// Combines blocks into blocks within one vector.
template <class Op, class T>
HWY_INLINE vec<T> sklansky_across_blocks(vec<T> v, [[maybe_unused]] const row_tables<T>& tables) {
    [[maybe_unused]] const tag<T> d;
    [[maybe_unused]] const Op op;
    if constexpr (vector_bytes >= 32) {
        v = hn::IfThenElse(tables.odd, op(d, look_up(v, tables, tables.of_0_and_2), v), v);
    }
    if constexpr (vector_bytes == 64) {
        v = hn::IfThenElse(tables.upper, op(d, look_up(v, tables, tables.of_1), v), v);
    }
    return v;
}

// A vector full of the last item of `v`.
template <class T>
HWY_INLINE vec<T> last_item(vec<T> v, const row_tables<T>& tables) {
    return look_up(v, tables, tables.of_last);
}

// Scans a row of lanes in place.
template <class Op, class T>
HWY_INLINE void scan_row(row<T>& r, const row_tables<T>& tables) {
    const tag<T> d;
    const Op op;
    for (auto& v : r.v) {
        v = sklansky_across_blocks<Op, T>(kogge_stone_in_blocks<1, Op, T>(v), tables);
    }
    for (std::size_t half = 1; half < row_vectors; half *= 2) {
        for (std::size_t k = 0; k < row_vectors; ++k) {
            if (k & half) {
                const std::size_t from = (k & ~(2 * half - 1)) + half - 1;
                r.v[k] = op(d, last_item(r.v[from], tables), r.v[k]);
            }
        }
    }
}

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
