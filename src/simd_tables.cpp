// The row kernels of summed-area tables, for every vector width: see
// include/lookback/detail/cpu/simd_tables.hpp.
//
// Exact sums: rows of 64 bytes of accumulators are scanned (simd_rows-inl.hpp), the carry walks
// along, and each is added to the entries above.
//
// Floats, in the order of detail/table_order.hpp: a row of a tile is 512 bytes of accumulators, in
// vectors of one, two or four blocks of 16 bytes. The last items of all blocks are gathered into
// few vectors, scanned there, and spread over the blocks behind them: so each step adds all lanes
// of a vector at once, and has the same operands whatever the width of the vectors. -0.0 stands
// where nothing comes before: it changes no item.

// Rows are arrays of vectors, which those of unknown size cannot be.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd_tables.cpp"
#include <hwy/foreach_target.h>
// foreach_target.h includes this file again for each instruction set; it comes first.
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/cpu/simd_tables.hpp"
#include "lookback/detail/table_order.hpp"
#include "simd_operators-inl.hpp"
#include "simd_rows-inl.hpp"

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

// ---- items as accumulators

template <class A, class T>
HWY_INLINE vec<A> load_as(const T* in, bool squared) {
    const tag<A> d;
    const hn::Rebind<T, tag<A>> from;
    const auto items = hn::LoadU(from, in);
    if constexpr (std::is_same_v<T, A>) {
        return std::is_floating_point_v<A> && squared ? hn::Mul(items, items) : items;
    } else if constexpr (std::is_floating_point_v<A>) {
        const vec<A> wide = hn::PromoteTo(d, items);
        return squared ? hn::Mul(wide, wide) : wide;
    } else {
        const hn::Rebind<std::uint32_t, tag<A>> words;
        auto wide = hn::PromoteTo(words, items);
        if (squared) wide = hn::Mul(wide, wide);
        if constexpr (sizeof(A) == 4) {
            return wide;
        } else {
            return hn::PromoteTo(d, wide);
        }
    }
}
template <class A, class T>
HWY_INLINE A item_as(T item, bool squared) {
    const A wide = static_cast<A>(item);
    return squared ? static_cast<A>(wide * wide) : wide;
}

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

// ---- floats

template <class A>
struct float_tile {
    static constexpr std::size_t columns = table_tile_columns<A>;
    static constexpr std::size_t vectors = columns / lanes<A>;
    static constexpr std::size_t block = table_block_items<A>;
    static constexpr std::size_t total_vectors = table_row_blocks / lanes<A>;
    static constexpr std::size_t per_totals = vectors / total_vectors;
    static_assert(per_totals == block);
    using word = std::conditional_t<sizeof(A) == 4, std::int32_t, std::int64_t>;

    // Which lanes are looked up: constants, or they would be made anew for each row.
    struct lane_numbers {
        alignas(row_bytes) word at[lanes<A>];
    };
    static constexpr lane_numbers turned_by(std::size_t s) {
        lane_numbers from{};
        for (std::size_t i = 0; i < lanes<A>; ++i) {
            from.at[i] = static_cast<word>((i + lanes<A> - s) % lanes<A>);
        }
        return from;
    }
    static constexpr lane_numbers blocks_of(std::size_t k) {
        lane_numbers from{};
        for (std::size_t i = 0; i < lanes<A>; ++i) {
            from.at[i] = static_cast<word>((k * lanes<A> + i) / block);
        }
        return from;
    }
    static constexpr std::array<lane_numbers, 16> turns = [] {
        std::array<lane_numbers, 16> all{};
        for (std::size_t s = 0; s < 16; ++s) all[s] = turned_by(s);
        return all;
    }();
    static constexpr std::array<lane_numbers, block> spreads = [] {
        std::array<lane_numbers, block> all{};
        for (std::size_t k = 0; k < block; ++k) all[k] = blocks_of(k);
        return all;
    }();

    HWY_INLINE static vec<A> nothing() { return hn::Set(tag<A>(), A(-0.0)); }

    // The vectors `from`, moved up by s < lanes lanes as one sequence.
    template <std::size_t s>
    HWY_INLINE static void move_up(const vec<A>* from, vec<A>* to) {
        const tag<A> d;
        const auto turned = hn::SetTableIndices(d, turns[s].at);
        const auto lowest = hn::FirstN(d, s);
        vec<A> before = nothing();
        for (std::size_t k = 0; k < total_vectors; ++k) {
            const vec<A> here = hn::TableLookupLanes(from[k], turned);
            to[k] = hn::IfThenElse(lowest, before, here);
            before = here;
        }
    }
    // new[b] = old[b - s] + old[b]
    template <std::size_t s>
    HWY_INLINE static void kogge_stone(vec<A>* v) {
        if constexpr (s < table_row_blocks) {
            if constexpr (s < lanes<A>) {
                vec<A> moved[total_vectors];
                move_up<s>(v, moved);
                for (std::size_t k = 0; k < total_vectors; ++k) v[k] = hn::Add(moved[k], v[k]);
            } else {
                constexpr std::size_t step = s / lanes<A>;
                for (std::size_t k = total_vectors; k-- > step;) {
                    v[k] = hn::Add(v[k - step], v[k]);
                }
            }
            kogge_stone<2 * s>(v);
        }
    }
    // The last items of the blocks of `block` vectors.
    HWY_INLINE static vec<A> last_items(const vec<A>* v) {
        const tag<A> d;
        if constexpr (block == 4) {
            return hn::ConcatOdd(d, hn::ConcatOdd(d, v[3], v[2]), hn::ConcatOdd(d, v[1], v[0]));
        } else {
            static_assert(block == 2);
            return hn::ConcatOdd(d, v[1], v[0]);
        }
    }
    // Lane i of vector k of `block` takes what belongs to its block.
    template <std::size_t k>
    HWY_INLINE static vec<A> spread(vec<A> totals) {
        return hn::TableLookupLanes(totals, hn::SetTableIndices(tag<A>(), spreads[k].at));
    }
};

// Steps 2 to 5 for vector k of those whose totals are in vector t, before[t].
template <bool begins, std::size_t k, class T, class A>
HWY_INLINE void put_vector(const table_row_sum<T, A>& r, std::size_t t, vec<A> left, vec<A> before,
                           const vec<A>* x) {
    using tile = float_tile<A>;
    const tag<A> d;
    const std::size_t number = t * tile::block + k, at = number * lanes<A>;
    const vec<A> sum = hn::Add(left, hn::Add(tile::template spread<k>(before), x[number]));
    vec<A> groups = hn::LoadU(d, r.groups + at), down = sum;
    if constexpr (begins) {
        groups = hn::Add(groups, hn::LoadU(d, r.down + at));
        hn::StoreU(groups, d, r.groups + at);
    } else {
        down = hn::Add(hn::LoadU(d, r.down + at), sum);
    }
    hn::StoreU(down, d, r.down + at);
    hn::StoreU(hn::Add(hn::LoadU(d, r.above + at), hn::Add(groups, down)), d, r.entry + at);
}

template <bool begins, class T, class A>
HWY_INLINE void float_tile_row(const table_row_sum<T, A>& r) {
    using tile = float_tile<A>;
    const tag<A> d;
    vec<A> x[tile::vectors];
    for (std::size_t k = 0; k < tile::vectors; ++k) {
        x[k] = kogge_stone_in_blocks<1, plus_op, A>(load_as<A>(r.in + k * lanes<A>, r.squared));
    }
    vec<A> totals[tile::total_vectors], before[tile::total_vectors];
    for (std::size_t t = 0; t < tile::total_vectors; ++t) {
        totals[t] = tile::last_items(x + t * tile::block);
    }
    tile::template kogge_stone<1>(totals);
    tile::template move_up<1>(totals, before);
    const vec<A> left = hn::Set(d, *r.left);
    for (std::size_t t = 0; t < tile::total_vectors; ++t) {
        put_vector<begins, 0>(r, t, left, before[t], x);
        put_vector<begins, 1>(r, t, left, before[t], x);
        if constexpr (tile::block == 4) {
            put_vector<begins, 2>(r, t, left, before[t], x);
            put_vector<begins, 3>(r, t, left, before[t], x);
        }
    }
    A last[lanes<A>];
    hn::StoreU(totals[tile::total_vectors - 1], d, last);
    *r.left = *r.left + last[lanes<A> - 1];
}

template <class T, class A>
void float_row(const table_row_sum<T, A>& whole) {
    using tile = float_tile<A>;
    table_row_sum<T, A> r = whole;
    const auto sum_tile = [](const table_row_sum<T, A>& at) HWY_ATTR {
        at.begins ? float_tile_row<true>(at) : float_tile_row<false>(at);
    };
    std::size_t c = 0;
    for (; c + tile::columns <= whole.columns; c += tile::columns) {
        sum_tile(r);
        r.in += tile::columns;
        r.above += tile::columns;
        r.down += tile::columns;
        r.groups += tile::columns;
        r.entry += tile::columns;
    }
    // The items of a tile that the image's edge cuts off, and zeros: no item depends on one behind.
    const std::size_t rest = whole.columns - c;
    if (rest == 0) return;
    T in[tile::columns] = {};
    std::copy_n(r.in, rest, in);
    r.in = in;
    sum_tile(r);
}

// Which of them sums a row of T in A.
template <class T, class A>
void sum_row(const table_row_sum<T, A>& r) {
    if constexpr (std::is_floating_point_v<A>) {
        float_row(r);
    } else {
        exact_row(r);
    }
}

// Lines around the caches, the two ends as they are. For each line written, some of what comes next
// are asked for: in a burst of their own they would hold up the stores.
void stream_row(const void* from, void* to, std::size_t bytes, const void* next,
                std::size_t next_bytes) {
    const tag<std::uint8_t> d;
    const auto* in = static_cast<const std::uint8_t*>(from);
    auto* out = static_cast<std::uint8_t*>(to);
    const auto* ask = static_cast<const std::uint8_t*>(next);
    std::size_t i =
        std::min<std::size_t>(bytes, (0 - reinterpret_cast<std::uintptr_t>(to)) % row_bytes);
    std::memcpy(out, in, i);
    // In fixed point, so that the last line asks for the last byte.
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

HWY_EXPORT(table_kernels);

static const row_kernels& chosen_kernels() {
    static const row_kernels chosen = [] {
        (void)simd_target();  // chooses the instruction set
        return HWY_DYNAMIC_DISPATCH(table_kernels)();
    }();
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
