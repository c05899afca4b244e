/// \file
/// The look-back of summed-area tables, in two directions: it finds what lies to the left of each
/// row of a tile, and above each of its columns (table_order.hpp).
///
/// A tile publishes the totals of its rows and of its columns as soon as it has them. Six warps
/// look back for it.
///
/// Two warps find what lies to the left, for 32 rows each, and publish the sum of that over their
/// rows. They find it from the totals of the tiles before in the batch, the totals of the batches
/// before in the stretch, and what lies to the left of the stretch. The last tile of a batch
/// publishes the batch's totals as soon as it knows the totals of its tiles, so the tiles of a row
/// do not wait for a chain of prefixes.
///
/// Four warps find the row above, for a quarter of the columns each, in the same way: from the
/// totals and sums of the tiles above in the batch, the folds of the batches above, fifteen at
/// most, and what lies above these. So the row of the table above a tile is found without reading
/// any entry of the table.
///
/// It finishes: a tile waits for words of tiles to its left and above. The warps that publish these
/// words wait only for tiles further to the left and above. All of these have lower tickets.
///
/// Memory order: each word carries its own value (tile_status.hpp), so the words of a tile need no
/// order among themselves.
#pragma once

#include <cstdint>

#include "lookback/detail/device/asked_words.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/table_tiles.hpp"
#include "lookback/detail/device/tile_scan.hpp"
#include "lookback/detail/device/tile_status.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail::device {

inline constexpr int table_row_parts = table_rows_of_tile / warp_lanes;
inline constexpr int table_column_parts = 4;
inline constexpr int table_parts = table_row_parts + table_column_parts;

/// What the look-back finds for a tile, in the stage: what lies above each of its columns; and for
/// each of its rows, what lies to the left of it and of the rows above it in its half of the tile.
template <class A>
struct table_edges {
    A top[table_columns<A>];   ///< above the batch
    A fold[table_columns<A>];  ///< above the tile in the batch
    A left[table_rows_of_tile];
    A upper;  ///< the last of `left` in the upper half

    /// What lies to the left of a row and of the rows above it in the tile.
    __device__ maybe<A> left_of(const table_tile& here, int row) const {
        if (here.across == 0) return {A{}, false};
        const bool lower = row >= warp_lanes;
        return {lower ? plus<A>{}(upper, left[row]) : left[row], true};
    }
    /// An entry, from the tile's own sum, what lies to the left, and what lies above.
    __device__ static A entry_of(const A& sum, const maybe<A>& left, const maybe<A>& fold,
                                 const maybe<A>& top) {
        A entry = left.some ? plus<A>{}(sum, left.value) : sum;
        if (fold.some) entry = plus<A>{}(fold.value, entry);
        return top.some ? plus<A>{}(top.value, entry) : entry;
    }
};

/// The look-back of one warp: all its threads call it together. `Above`: the row that the table
/// goes on below, or no_array.
template <class A, class Above>
class table_look_back {
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
    __device__ static A plus(const A& a, const A& b) { return lookback::plus<A>{}(a, b); }

    template <int most>
    using asked = asked_words<A, most>;

    __device__ void find_left(const table_tile& here, int part, table_edges<A>& edges) const {
        const int row = part * warp_lanes + lane();
        const bool used = row < here.rows;
        const std::uint32_t batch = here.across / table_batch;
        const std::uint32_t stretch = batch / table_batch;
        const int in_batch = static_cast<int>(here.across % table_batch);
        const bool ends_batch = in_batch + 1 == table_batch;
        const bool begins_stretch = here.across % table_stretch == 0;
        // The first batch whose total is read.
        const std::uint32_t first_batch = (begins_stretch ? stretch - 1 : stretch) * table_batch;
        const int batches = static_cast<int>(batch - first_batch);
        asked<table_batch> tiles(statuses_, epoch_,
                                 words_.row(here.number - static_cast<unsigned>(in_batch), row),
                                 words_.to_right(), in_batch + (ends_batch ? 1 : 0), used);
        asked<table_batch> folds(statuses_, epoch_, words_.batch(here, first_batch, row),
                                 words_.to_next_batch(), batches, used);
        const std::uint32_t known = begins_stretch ? stretch - 1 : stretch;
        asked<1> start(statuses_, epoch_, words_.stretch(here, known, row), 0, known > 0 ? 1 : 0,
                       used);

        tiles.wait();
        const maybe<A> near = tiles.fold({A{}, false}, in_batch, plus);
        if (ends_batch && used) {
            const A all = append(near, tiles.value[table_batch - 1], plus).value;
            statuses_.publish(words_.batch(here, batch, row), epoch_, all);
        }
        folds.wait();
        const maybe<A> far = folds.fold({A{}, false}, batches, plus);
        start.wait();
        const maybe<A> before = combine(maybe<A>{start.value[0], known > 0}, far, plus);
        if (begins_stretch && used) {
            statuses_.publish(words_.stretch(here, stretch, row), epoch_, before.value);
        }
        const maybe<A> left = combine(before, near, plus);

        const int rows = here.rows - part * warp_lanes;
        const A sum = scan_lanes(left.value, rows < warp_lanes ? rows : warp_lanes, plus);
        if (used) edges.left[row] = sum;
        // A tile with fewer rows has no tile below it, so no tile reads its sum.
        if (lane() == warp_lanes - 1 && used) {
            statuses_.publish(words_.sum(here.number, part), epoch_, sum);
            if (part == 0) edges.upper = sum;
        }
    }

    __device__ void find_top(const table_tile& here, int part, table_edges<A>& edges) const {
        // The words of columns lie in the order of the lanes that publish them.
        const int word = part * columns_of_part + lane();
        constexpr int of_lane = table_columns<A> < warp_lanes ? 1 : table_columns<A> / warp_lanes;
        constexpr int lanes = table_columns<A> / of_lane;
        const int column = word % lanes * of_lane + word / lanes;
        const bool used = lane() < columns_of_part && column < here.columns;
        const std::uint32_t batch = here.down / table_batch;
        const int in_batch = static_cast<int>(here.down % table_batch);
        const bool ends_batch = in_batch + 1 == table_batch && here.rows == table_rows_of_tile;
        // Totals of the tiles above in the batch, and at the batch's end of this tile too.
        const std::uint32_t first = here.number - static_cast<unsigned>(in_batch) * tiles_.across;
        const int count = in_batch + (ends_batch ? 1 : 0);
        asked<table_batch> tiles(statuses_, epoch_, words_.column(first, word), words_.to_below(),
                                 count, used);
        // For each tile, one lane reads each of its two sums. Then the first of the two lanes gets
        // both.
        const int tile = lane() / table_words::sums;
        asked<1> sums(statuses_, epoch_,
                      words_.sum(first + static_cast<unsigned>(tile) * tiles_.across,
                                 lane() % table_words::sums),
                      0, 1, here.across > 0 && tile < count);
        const std::uint32_t begin = table_words::first_fold(batch);
        const int folds = static_cast<int>(batch - begin);
        const std::uint64_t fold = words_.fold(here.image, begin, here.across, word);
        asked<table_batch> upper(statuses_, epoch_, fold, words_.to_next_fold(),
                                 folds < table_folds ? folds : table_folds, used);
        asked<1> start(statuses_, epoch_, words_.top(here.image, begin, here.across, word), 0, 1,
                       used && begin > 0);
        tiles.wait();
        sums.wait();
        const A lower_half = from_lane_above(sums.value[0], 1);
        const A left = plus(sums.value[0], lower_half);
        maybe<A> near{A{}, false};
#pragma unroll
        for (int i = 0; i < static_cast<int>(table_batch); ++i) {
            const A left_of_tile = from_lane(left, i * table_words::sums);
            const A total = here.across > 0 ? plus(tiles.value[i], left_of_tile) : tiles.value[i];
            if (i < in_batch) near = append(near, total, plus);
            if (i == in_batch && ends_batch && used) {
                statuses_.publish(words_.fold(here.image, batch, here.across, word), epoch_,
                                  append(near, total, plus).value);
            }
        }
        start.wait();
        maybe<A> far{start.value[0], begin > 0};
        if constexpr (!is_absent<Above>) {
            if (begin == 0) {
                far.some = true;
                if (used) {
                    const std::uint64_t at =
                        here.image * tiles_.width +
                        std::uint64_t{here.across} * static_cast<unsigned>(table_columns<A>) +
                        static_cast<unsigned>(column);
                    far.value = static_cast<A>(above_[static_cast<std::int64_t>(at)]);
                }
            }
        }
        upper.wait();
        far = upper.fold(far, folds, plus);
        if (folds > table_folds) {
            asked<table_batch> lower(statuses_, epoch_, fold + table_folds * words_.to_next_fold(),
                                     words_.to_next_fold(), folds - table_folds, used);
            lower.wait();
            far = lower.fold(far, folds - table_folds, plus);
        }
        if (used) {
            edges.top[column] = far.value;
            edges.fold[column] = near.value;
            if (in_batch == 0 && batch > 0 && batch % table_folds == 0) {
                statuses_.publish(words_.top(here.image, batch, here.across, word), epoch_,
                                  far.value);
            }
        }
    }

    tile_statuses<A> statuses_;
    std::uint32_t epoch_;
    const table_tiles& tiles_;
    table_words words_;
    const Above& above_;
};

}  // namespace lookback::detail::device
