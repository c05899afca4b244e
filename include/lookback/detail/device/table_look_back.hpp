/// \file
/// The look-back of summed-area tables, in two directions: what lies to the left of each row of a
/// tile, and above each of its columns (detail/table_order.hpp).
///
/// A tile publishes the totals of its rows and of its columns as soon as it has them. Six warps
/// look back for it: two find what lies to the left of 32 rows each, and publish the sum of that;
/// four find the table's row above a quarter of the columns each, from the totals of the columns of
/// the tiles above and those sums. A table's row above is so known without any entry of the table.
///
/// Both directions are folded strictly from left to right, and from top to bottom. Some tiles side
/// by side, or one below the other, are a batch. The first tile of each batch publishes what it has
/// found; the look-back of a tile begins at the batch before its own, with that: so far away that
/// it is likely to be there. Between it and the tile there are less than two batches' totals. Where
/// it begins changes no bit, because a prefix is what would be folded to.
///
/// It finishes: a tile waits for words of tiles to its left and above, and sums of its own, whose
/// warps wait for tiles to the left only. All have lower tickets.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/table_tiles.hpp"
#include "lookback/detail/device/tile_scan.hpp"
#include "lookback/detail/device/tile_status.hpp"

namespace lookback::detail::device {

inline constexpr int table_row_parts = table_rows_of_tile / warp_lanes;
inline constexpr int table_column_parts = 4;
inline constexpr int table_parts = table_row_parts + table_column_parts;

/// What is found for a tile, in the stage: the row above it, and for each of its rows the sum of
/// what lies to the left of it and of the rows above it in its half of the tile.
template <class A>
struct table_edges {
    A top[table_columns<A>];
    A left[table_rows_of_tile];
    A upper;  ///< of the upper half
};

/// Of one warp: all its threads call it together. `Above`: the row that the table goes on below, or
/// no_array.
template <class A, class Above>
class table_look_back {
    static constexpr int at_once = 8;  // words that a lane reads
    static constexpr int columns_of_part = table_columns<A> / table_column_parts;

 public:
    __device__ table_look_back(const tile_statuses<A>& statuses, std::uint32_t epoch,
                               const table_tiles& tiles, const Above& above)
        : statuses_(statuses), epoch_(epoch), tiles_(tiles), words_(tiles), above_(above) {}

    __device__ void before(const table_tile& here, int part, table_edges<A>& edges) const {
        if (part < table_row_parts) {
            if (here.across > 0) find_left(here, part, edges);
        } else if (here.down > 0 || !is_absent<Above>) {
            find_top(here, part - table_row_parts, edges);
        }
    }

 private:
    __device__ static A plus(const A& a, const A& b) { return static_cast<A>(a + b); }

    // The tile at which the look-back of one with `before` tiles before it begins.
    __device__ static std::uint32_t begin_of(std::uint32_t before) {
        const std::uint32_t batch = before / table_batch;
        return batch == 0 ? 0 : (batch - 1) * table_batch;
    }

    __device__ void find_left(const table_tile& here, int part, table_edges<A>& edges) const {
        const int row = part * warp_lanes + lane();
        const bool used = row < here.rows;
        const std::uint32_t begin = begin_of(here.across);
        maybe<A> left{A{}, false};
        if (begin > 0) {
            left = {read(words_.left(here, begin / table_batch, row), used), true};
        }
        fold_words(words_.row(here.number - here.across + begin, row), words_.to_right(),
                   static_cast<int>(here.across - begin), used,
                   [&](int, const A& total) { left = append(left, total, plus); });
        if (used && here.across % table_batch == 0) {
            statuses_.publish(words_.left(here, here.across / table_batch, row), epoch_,
                              left.value);
        }
        const int rows = here.rows - part * warp_lanes;
        const A sum = scan_lanes(left.value, rows < warp_lanes ? rows : warp_lanes, plus);
        if (used) edges.left[row] = sum;
        // Of a tile with less rows nothing lies below.
        if (lane() == warp_lanes - 1 && used) {
            statuses_.publish(words_.sum(here.number, part), epoch_, sum);
            if (part == 0) edges.upper = sum;
        }
    }

    __device__ void find_top(const table_tile& here, int part, table_edges<A>& edges) const {
        // Words of columns lie in the order in which the lanes that publish them have them.
        const int word = part * columns_of_part + lane();
        constexpr int of_lane = table_columns<A> / warp_lanes;
        const int column = word % warp_lanes * of_lane + word / warp_lanes;
        const bool used = lane() < columns_of_part && column < here.columns;
        const std::uint32_t begin = begin_of(here.down);
        maybe<A> top{A{}, false};
        if (begin > 0) {
            top = {read(words_.top(here, begin / table_batch, word), used), true};
        } else if constexpr (!is_absent<Above>) {
            if (used) {
                const std::uint64_t at = here.image * tiles_.width +
                                         here.across * static_cast<unsigned>(table_columns<A>) +
                                         static_cast<unsigned>(column);
                top.value = static_cast<A>(above_[static_cast<std::int64_t>(at)]);
            }
            top.some = true;
        }
        const int count = static_cast<int>(here.down - begin);
        const std::uint32_t first = here.number - (here.down - begin) * tiles_.across;
        A sum{};
        if (here.across > 0) {
            // A lane for each of the two sums of a tile; the first of them gets both.
            const int tile = lane() / table_words::sums;
            sum = read(words_.sum(first + static_cast<unsigned>(tile) * tiles_.across,
                                  lane() % table_words::sums),
                       tile < count);
            const A lower = from_lane_above(sum, 1);
            sum = plus(sum, lower);
        }
        fold_words(words_.column(first, word), words_.to_below(), count, used,
                   [&](int tile, const A& total) {
                       const A left = from_lane(sum, tile * table_words::sums);
                       top = append(top, here.across > 0 ? plus(total, left) : total, plus);
                   });
        if (used) {
            edges.top[column] = top.value;
            if (here.down > 0 && here.down % table_batch == 0) {
                statuses_.publish(words_.top(here, here.down / table_batch, word), epoch_,
                                  top.value);
            }
        }
    }

    // Waits for one word, of the lanes that want it.
    __device__ A read(std::uint64_t word, bool wanted) const {
        A value{};
        bool missing = wanted;
        do {
            if (missing && statuses_.read(word, epoch_, value)) missing = false;
        } while (!in_all_lanes(!missing));
        return value;
    }
    // Calls `f` with the number and the value of each of `count` words that lie `step` apart, in
    // all lanes, also those that want none.
    template <class F>
    __device__ void fold_words(std::uint64_t first, std::uint64_t step, int count, bool wanted,
                               const F& f) const {
        for (int done = 0; done < count; done += at_once) {
            const int some = count - done < at_once ? count - done : at_once;
            A value[at_once] = {};
            unsigned missing = wanted ? (1U << some) - 1 : 0;
            do {
                std::uint64_t at = first;
#pragma unroll
                for (int i = 0; i < at_once; ++i) {
                    if ((missing >> i & 1) != 0 && statuses_.read(at, epoch_, value[i])) {
                        missing &= ~(1U << i);
                    }
                    at += step;
                }
            } while (!in_all_lanes(missing == 0));
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                if (i < some) f(done + i, value[i]);
            }
            first += at_once * step;
        }
    }

    tile_statuses<A> statuses_;
    std::uint32_t epoch_;
    const table_tiles& tiles_;
    table_words words_;
    const Above& above_;
};

}  // namespace lookback::detail::device
