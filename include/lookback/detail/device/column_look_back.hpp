/// \file
/// The look-back of columns. A tile of a chain (column_shape.hpp) publishes a row of values, one
/// for each column, in adjacent status words, which the lanes of a warp read together.
///
/// A batch is a number of consecutive tiles of a chain, one below the other. The first tile of each
/// batch publishes two more rows beside its aggregates: the folds of the batch above it, as soon as
/// that batch is complete, and its prefixes, the folds of everything above it. So a tile reads
/// aggregates of its own batch only. For the batches above, it reads their folds, beginning at the
/// last batch that its warp knows. If a block's tiles belong to different chains, it begins at a
/// prefix that is far enough above to be known already. (Aggregates alone, of 264 tiles of 16
/// columns, would be half of what a tile itself reads from L2.) The order of folds does not depend
/// on where a look-back begins:
///
/// - Four warps find the prefixes of a quarter of the columns each, with some lanes for each
///   column. Of a batch, a lane folds the tiles of its stretch from top to bottom, and stretches
///   are folded by one tree, neighbours first.
/// - Batches are folded from top to bottom. The remaining tiles of the last batch are folded by the
///   same tree.
///
/// So a published prefix equals what a warp would have folded itself. Each word carries its own
/// epoch (tile_status.hpp), so the words of a row need no order among themselves.
///
/// It finishes: a tile waits only for words of tiles above it, which have lower tickets. A tile
/// that publishes the fold of a batch does so before it waits for the fold of another batch.
#pragma once

#include <cstdint>

#include "lookback/detail/device/column_shape.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/tile_status.hpp"

namespace lookback::detail::device {

/// Where the words of a chain's tiles lie: the aggregates of all tiles, then the folds of all
/// batches, then the prefixes of the batches' first tiles.
class column_words {
 public:
    __device__ explicit column_words(const column_shape& shape)
        : row_(std::uint64_t{shape.chains.value()} * shape.width),
          width_(shape.width),
          folds_(shape.tiles_down * row_),
          prefixes_(folds_ + shape.batches() * row_) {}

    /// The word of the first column of a chain's tile that has `down` tiles above it. The words of
    /// the tile below lie row() further on.
    __device__ std::uint64_t aggregate(std::uint32_t chain, std::uint32_t down) const {
        return down * row_ + std::uint64_t{chain} * width_;
    }
    __device__ std::uint64_t fold(std::uint32_t chain, std::uint32_t batch) const {
        return folds_ + aggregate(chain, batch);
    }
    __device__ std::uint64_t prefix(std::uint32_t chain, std::uint32_t batch) const {
        return prefixes_ + aggregate(chain, batch);
    }
    __device__ std::uint64_t row() const { return row_; }

 private:
    std::uint64_t row_;
    std::uint32_t width_;
    std::uint64_t folds_;
    std::uint64_t prefixes_;
};

/// The look-back of one warp: all its threads call it together.
template <class A, class Op, class Start>
class column_look_back {
    // The number of words that a lane reads at once. (With more, registers spill, and blocks wait
    // for their look-backs.)
    static constexpr int at_once = sizeof(A) <= 12 ? column_stretch : 1;

 public:
    __device__ column_look_back(const tile_statuses<A>& statuses, std::uint32_t epoch,
                                const Start& init, const Op& op, const column_shape& shape)
        : statuses_(statuses),
          epoch_(epoch),
          init_(init),
          op_(op),
          words_(shape),
          under_way_(2 * blocks_in_grid() / shape.chains.value()),
          batch_bits_(highest_bit(shape.batch)),
          lanes_(shape.lanes),
          stretches_(warp_lanes / lanes_),
          column_(lane() % lanes_),
          stretch_(lane() / lanes_) {}

    /// For each column of a part of a tile, writes to `row` the fold of the initial value and of
    /// all tiles above. At least one tile must be above.
    __device__ void before(const column_tile& here, std::uint32_t part, A* row) {
        const int first = static_cast<int>(part) * lanes_;
        if (first >= here.columns) return;
        const auto column = static_cast<std::uint64_t>(first + column_);
        const bool used = first + column_ < here.columns;
        const std::uint32_t batch = here.down >> batch_bits_;
        const auto rest = static_cast<int>(here.down - (batch << batch_bits_));

        // 1. The fold of the tiles of this batch above this tile; if this tile is the first of its
        // batch, the fold of the whole batch above. The lanes of the first stretch have it.
        const bool tells = rest == 0 && !here.bottom;
        const int tiles = rest == 0 ? 1 << batch_bits_ : rest;
        const int before_mine = stretch_ * column_stretch;
        const int left = tiles - before_mine;
        const std::uint64_t top =
            words_.aggregate(here.chain, here.down - static_cast<std::uint32_t>(tiles)) + column;
        const maybe<A> mine = fold_words<at_once>(
            {A{}, false}, top + static_cast<std::uint64_t>(before_mine) * words_.row(),
            !used                   ? 0
            : left < column_stretch ? left
                                    : column_stretch);
        const A above = fold_stretches(mine.value, used ? tiles : 0);
        const bool writes = used && stretch_ == 0;
        if (writes && tells) {
            statuses_.publish(words_.fold(here.chain, batch - 1) + column, epoch_, above);
        }

        // 2. The fold of the batches before, in all lanes of a column.
        const std::uint32_t last = rest == 0 ? batch - 1 : batch;
        find_batches(here, part, column, used, last);
        if (writes) {
            const maybe<A> all = append(last_.before, above, op_);
            row[column] = all.value;
            if (tells) {
                statuses_.publish(words_.prefix(here.chain, batch) + column, epoch_, all.value);
            }
        }
    }

 private:
    // A batch, and the fold of all batches before it.
    struct known {
        std::uint32_t batch;
        maybe<A> before;
    };

    // Extends what is known to the batch `last`.
    __device__ void find_batches(const column_tile& here, std::uint32_t part, std::uint64_t column,
                                 bool used, std::uint32_t last) {
        const std::uint32_t likely =
            here.down > under_way_ ? (here.down - 1 - under_way_) >> batch_bits_ : 0;
        const std::uint64_t mine = std::uint64_t{here.chain} * column_parts + part;
        if (last_of_ != mine || last_.batch < likely) {
            last_ = {likely, init_.get()};
            if (likely > 0) {
                last_.before = fold_words<1>(
                    {A{}, false}, words_.prefix(here.chain, likely) + column, used ? 1 : 0);
            }
            last_of_ = mine;
        }
        last_.before =
            fold_words<at_once>(last_.before, words_.fold(here.chain, last_.batch) + column,
                                used ? static_cast<int>(last - last_.batch) : 0);
        last_.batch = last;
    }

    // Each lane folds `count` words, after `before`. The first word is `first`; the others follow
    // at the distance of a row.
    template <int size>
    __device__ maybe<A> fold_words(maybe<A> before, std::uint64_t first, int count) const {
        while (!in_all_lanes(count <= 0)) {
            const unsigned wanted = count <= 0     ? 0
                                    : count < size ? (1U << count) - 1
                                                   : all_lanes >> (warp_lanes - size);
            unsigned missing = wanted;
            A value[size] = {};
            do {
                std::uint64_t at = first;
#pragma unroll
                for (int i = 0; i < size; ++i) {
                    if ((missing >> i & 1) != 0 && statuses_.read(at, epoch_, value[i])) {
                        missing &= ~(1U << i);
                    }
                    at += words_.row();
                }
            } while (!in_all_lanes(missing == 0));
#pragma unroll
            for (int i = 0; i < size; ++i) {
                if ((wanted >> i & 1) != 0) before = append(before, value[i], op_);
            }
            first += size * words_.row();
            count -= size;
        }
        return before;
    }

    // From the folds of the stretches of `tiles` tiles to the fold of all of them, which the first
    // stretch has.
    __device__ A fold_stretches(A fold, int tiles) const {
        for (int distance = 1; distance < stretches_; distance *= 2) {
            const A below = from_lane_above(fold, distance * lanes_);
            const int other = stretch_ + distance;
            if (other < stretches_ && other * column_stretch < tiles) {
                fold = static_cast<A>(op_(fold, below));
            }
        }
        return fold;
    }

    tile_statuses<A> statuses_;
    std::uint32_t epoch_;
    const Start& init_;
    const Op& op_;
    column_words words_;
    std::uint32_t under_way_;  // tiles of a chain that are probably still in progress
    int batch_bits_;           // the binary logarithm of the number of tiles of a batch
    int lanes_;                // lanes of a stretch
    int stretches_;            // stretches of a batch
    int column_;               // this lane's column in its part
    int stretch_;              // this lane's stretch
    known last_{};
    std::uint64_t last_of_ = ~std::uint64_t{0};  // the chain and part that last_ is about
};

}  // namespace lookback::detail::device
