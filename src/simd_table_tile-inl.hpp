// Rows of summed-area tables: how items are loaded and entries are streamed, and a row of floats in
// the order of detail/table_order.hpp.
//
// Floats: a row of a tile is 512 bytes of accumulators, in vectors of one, two or four blocks of 16
// bytes. The last items of all blocks are gathered into few vectors, scanned there, and spread over
// the blocks after them. So each step adds all lanes of a vector at once, with the same operands
// whatever the width of the vectors. Where nothing comes before, -0.0 is added, which changes no
// item.
//
// Included once for each instruction set, hence the guard that toggles.
#if defined(LOOKBACK_SRC_SIMD_TABLE_TILE_INL_) == defined(HWY_TARGET_TOGGLE)
#ifdef LOOKBACK_SRC_SIMD_TABLE_TILE_INL_
#undef LOOKBACK_SRC_SIMD_TABLE_TILE_INL_
#else
#define LOOKBACK_SRC_SIMD_TABLE_TILE_INL_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/cpu/simd_tables.hpp"
#include "lookback/detail/table_order.hpp"
#include "simd_operators-inl.hpp"
#include "simd_row_scan-inl.hpp"
#include "simd_rows-inl.hpp"

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

// ---- streams

// Streams a row's entries while they are computed: some rows of 64 bytes behind, because a cache
// line's entries may come from two of those, and what was just stored cannot be loaded at once.
// (The entries stay in memory for the next row, so they need no ring, as line_writer has.)
template <class A>
class row_stream {
 public:
    HWY_INLINE row_stream(const A* entries, A* to)
        : entries_(entries),
          to_(to),
          head_((0 - reinterpret_cast<std::uintptr_t>(to)) % row_bytes / sizeof(A)),
          done_(head_) {}

    // Streams one line, if there is one among the first `columns` entries that is far enough
    // behind.
    HWY_INLINE void follow(std::size_t columns) {
        if (done_ + 3 * row_items<A> <= columns) line();
    }
    // All `columns` entries are computed.
    HWY_INLINE void finish(std::size_t columns) {
        while (done_ + row_items<A> <= columns) line();
        std::copy_n(entries_, head_, to_);
        std::copy(entries_ + done_, entries_ + columns, to_ + done_);
    }

 private:
    HWY_INLINE void line() {
        const tag<A> d;
        for (std::size_t k = 0; k < row_vectors; ++k, done_ += lanes<A>) {
            hn::Stream(hn::LoadU(d, entries_ + done_), d, to_ + done_);
        }
    }

    const A* const entries_;
    A* const to_;
    const std::size_t head_;  // entries before the first whole line
    std::size_t done_;
};

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

    // Lane numbers for look-ups. They are constants, because they would otherwise be made anew for
    // each row.
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

    // Moves the vectors `from` up by s < lanes lanes, as one sequence.
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
    // The last items of the blocks in `block` vectors.
    HWY_INLINE static vec<A> last_items(const vec<A>* v) {
        const tag<A> d;
        if constexpr (block == 4) {
            return hn::ConcatOdd(d, hn::ConcatOdd(d, v[3], v[2]), hn::ConcatOdd(d, v[1], v[0]));
        } else {
            static_assert(block == 2);
            return hn::ConcatOdd(d, v[1], v[0]);
        }
    }
    // Each lane of vector k of `block` gets the total for its own block.
    template <std::size_t k>
    HWY_INLINE static vec<A> spread(vec<A> totals) {
        return hn::TableLookupLanes(totals, hn::SetTableIndices(tag<A>(), spreads[k].at));
    }
};

// Steps 2 to 5 for vector k of the `block` vectors whose totals are in vector t. `before` has the
// sums before their blocks.
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
    row_stream<A> stream(whole.entry, whole.stream_to);
    std::size_t c = 0;
    for (; c + tile::columns <= whole.columns; c += tile::columns) {
        if (whole.stream_to != nullptr) {
            for (std::size_t i = 0; i < tile::columns; i += row_items<A>) {
                hwy::Prefetch(whole.next + c + i);
                stream.follow(c);
            }
        }
        sum_tile(r);
        r.in += tile::columns;
        r.above += tile::columns;
        r.down += tile::columns;
        r.groups += tile::columns;
        r.entry += tile::columns;
    }
    // The items of a tile that the image's edge cuts off, followed by zeros; no item depends on
    // items after it.
    const std::size_t rest = whole.columns - c;
    if (rest > 0) {
        T in[tile::columns] = {};
        std::copy_n(r.in, rest, in);
        r.in = in;
        sum_tile(r);
    }
    if (whole.stream_to != nullptr) stream.finish(whole.columns);
}

}  // namespace lookback::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
