// Rows of 64 bytes in 1, 2 or 4 vectors, and their scan. An item is a number, which is a lane, or a
// pixel of up to 16 bytes, which is several lanes side by side.
//
// The scan of a row is a tree that does not depend on the width of the vectors:
//
//     1. within each block of 16 bytes, Kogge-Stone: each item combines with the item 1, 2, 4, 8
//        before it;
//     2. across blocks, Sklansky: block 0 into block 1, block 2 into block 3, then block 1 into
//        blocks 2 and 3.
//
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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/half.hpp"
#include "lookback/pixel.hpp"

HWY_BEFORE_NAMESPACE();
namespace lookback::detail::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// ---- rows

template <class T>
constexpr std::size_t row_items = row_bytes / sizeof(T);
template <class T>
constexpr std::size_t block_items = 16 / sizeof(T);
template <class T>
using tag = hn::CappedTag<channel_type<T>, row_bytes / sizeof(channel_type<T>)>;
template <class T>
using vec = hn::Vec<tag<T>>;
constexpr std::size_t vector_bytes = HWY_MAX_BYTES < row_bytes ? HWY_MAX_BYTES : row_bytes;
constexpr std::size_t row_vectors = row_bytes / vector_bytes;
template <class T>
constexpr std::size_t lanes = vector_bytes / sizeof(T);  // items of a vector

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
    } else if constexpr (sizeof(T) == 16) {
        return hn::ReverseBlocks(tag<T>(), v);
    } else {
        const tag<unsigned_word<sizeof(T)>> d;
        return hn::BitCast(tag<T>(), hn::Reverse(d, hn::BitCast(d, v)));
    }
}

// An array of items as one of lanes.
template <class T>
HWY_INLINE auto lanes_at(T* items) {
    using lane = channel_type<std::remove_const_t<T>>;
    return reinterpret_cast<std::conditional_t<std::is_const_v<T>, const lane, lane>*>(items);
}

// A vector full of `item`.
template <class T>
HWY_INLINE vec<T> all_of(T item) {
    if constexpr (is_number<T>) {
        return hn::Set(tag<T>(), item);
    } else {
        alignas(16) T block[block_items<T>];
        for (T& each : block) each = item;
        return hn::LoadDup128(tag<T>(), lanes_at(block));
    }
}

template <class T>
HWY_INLINE T first_item(vec<T> v) {
    if constexpr (is_number<T>) {
        return hn::GetLane(v);
    } else {
        alignas(row_bytes) T items[lanes<T>];
        hn::Store(v, tag<T>(), lanes_at(items));
        return items[0];
    }
}

// The lanes from `in` on; items may be narrower than T.
template <class T, class In>
HWY_INLINE vec<T> load_lanes(const In* in) {
    const tag<T> d;
    if constexpr (std::is_same_v<In, T>) {
        return hn::LoadU(d, lanes_at(in));
    } else if constexpr (std::is_floating_point_v<T>) {
        return hn::PromoteTo(d, hn::LoadU(hn::Rebind<In, tag<T>>(), in));
    } else {
        using like_in = std::conditional_t<std::is_signed_v<In>, std::make_signed_t<T>, T>;
        const hn::Rebind<like_in, tag<T>> wide;
        const auto items = hn::LoadU(hn::Rebind<In, tag<T>>(), in);
        if constexpr (sizeof(T) > 4 * sizeof(In) || (sizeof(T) == 8 && sizeof(In) == 2)) {
            using half = std::conditional_t<std::is_signed_v<In>, std::int32_t, std::uint32_t>;
            const hn::Rebind<half, tag<T>> half_wide;
            return hn::BitCast(d, hn::PromoteTo(wide, hn::PromoteTo(half_wide, items)));
        } else {
            return hn::BitCast(d, hn::PromoteTo(wide, items));
        }
    }
}

// The row whose first item is at `in`; the first item goes to the lowest lane.
template <bool backward, class T, class In>
HWY_INLINE row<T> load_row(const In* in) {
    row<T> r;
    for (std::size_t k = 0; k < row_vectors; ++k) {
        if constexpr (backward) {
            r.v[k] = reverse<T>(load_lanes<T>(in - ((k + 1) * lanes<T> - 1)));
        } else {
            r.v[k] = load_lanes<T>(in + k * lanes<T>);
        }
    }
    return r;
}
template <bool backward, class T>
HWY_INLINE row<T> load(const T* in) {
    return load_row<backward, T>(in);
}

template <bool backward, class T>
HWY_INLINE void store(const row<T>& r, T* out) {
    const tag<T> d;
    for (std::size_t k = 0; k < row_vectors; ++k) {
        if constexpr (backward) {
            hn::StoreU(reverse<T>(r.v[k]), d, lanes_at(out - ((k + 1) * lanes<T> - 1)));
        } else {
            hn::StoreU(r.v[k], d, lanes_at(out + k * lanes<T>));
        }
    }
}

// Converts items to lanes for the operator, and back (simd_operators-inl.hpp).
template <class Op, class T>
HWY_INLINE void encode(row<T>& r) {
    for (auto& v : r.v) v = Op::encode(tag<T>(), v);
}
template <class Op, class T>
HWY_INLINE void decode(row<T>& r) {
    for (auto& v : r.v) v = Op::decode(tag<T>(), v);
}

template <bool backward, class T>
HWY_INLINE void prefetch_page_ahead(const T* in) {
    constexpr std::ptrdiff_t page = 4096;
    hwy::Prefetch(reinterpret_cast<const char*>(in) + (backward ? -page : page));
}

// ---- scans of rows

template <class Op, class T>
HWY_INLINE vec<T> identity_vector() {
    return Op::encode(tag<T>(), hn::Set(tag<T>(), Op::template identity<channel_type<T>>));
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

// Tables for the scan of a row: the lanes of the blocks' last items, and the blocks that take part
// in each step. Look-ups move whole words. If items are smaller than words, a block's last item is
// first spread over its block.
template <class T>
struct row_tables {
    static constexpr bool has_words = sizeof(T) >= 4;
    using word = unsigned_word<sizeof(T) == 4 ? 4 : 8>;
    using indices = decltype(hn::SetTableIndices(tag<word>(), static_cast<const word*>(nullptr)));

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
    return hn::SetTableIndices(tag<word>(), lane);
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
    const tag<T> d;
    const tag<typename row_tables<T>::word> dw;
    if constexpr (!row_tables<T>::has_words) {
        const tag<std::uint8_t> d8;
        v = hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(d8, v), tables.spread));
        if constexpr (vector_bytes == 16) return v;
    }
    return hn::BitCast(d, hn::TableLookupLanes(hn::BitCast(dw, v), from));
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
