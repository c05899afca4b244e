/// \file
/// The look-back of columns: what tiles of a chain (column_shape.hpp) tell each other is a row of
/// values, one for each column, in status words side by side, which the lanes of a warp read
/// together.
///
/// The protocol is the paper's, with both A and P. Where there are many chains, a block has no fold
/// to go on from, as it has for one long array (look_back.hpp): its last tile belonged to another.
/// So prefixes are published, too, and a tile walks back to the nearest one. What is folded does
/// not depend on which one that is:
///
/// - four warps find a quarter of the columns each; as many tiles of a chain as the words of a
/// quarter fit in a warp, from a multiple of as many on, are a batch;
/// - a batch is folded by one tree, neighbours first; batches from left to right; what is left of
/// the last one by the same tree;
/// - the first tile of a batch publishes the fold of all batches before its own, which it needs
/// itself. So P, where there is one, is what would be folded to.
///
/// A word of A and one of P for each column: a reader of A is not disturbed by P. Each word carries
/// its own value (tile_status.hpp), so the columns of a row need no order among them.
///
/// It finishes: a tile waits for aggregates of tiles above it only, which have lower tickets.
#pragma once

#include <cstdint>

#include "lookback/cuda/column_shape.hpp"
#include "lookback/cuda/hardware.hpp"
#include "lookback/cuda/look_back.hpp"
#include "lookback/cuda/tile_status.hpp"

namespace lookback::detail::gpu {

/// Where the words of a chain's tiles lie.
class column_words {
 public:
    __device__ explicit column_words(const column_shape& shape)
        : width_(shape.width),
          chains_(shape.chains),
          prefixes_(std::uint64_t{shape.chains} * shape.tiles_down * shape.width) {}

    __device__ std::uint64_t aggregate(std::uint32_t tile, int column) const {
        return std::uint64_t{tile} * width_ + static_cast<std::uint64_t>(column);
    }
    __device__ std::uint64_t prefix(std::uint32_t tile, int column) const {
        return prefixes_ + aggregate(tile, column);
    }
    /// The tile of the same chain with so many above it.
    __device__ std::uint32_t tile(std::uint32_t chain, std::uint32_t down) const {
        return down * chains_ + chain;
    }

 private:
    std::uint32_t width_;
    std::uint32_t chains_;
    std::uint64_t prefixes_;
};

/// Parts that the columns of a strip are looked back for in.
inline constexpr int column_parts = 4;

/// Of one warp: all its threads call it together.
template <class A, class Op, class Start>
class column_look_back {
    // Rows of words that a lane reads at once: of wide values, fewer fit in the registers.
    static constexpr int at_once = sizeof(A) <= 4 ? 16 : sizeof(A) <= 12 ? 8 : 1;

 public:
    __device__ column_look_back(const tile_statuses<A>& statuses, std::uint32_t epoch,
                                const Start& init, const Op& op, const column_shape& shape)
        : statuses_(statuses),
          epoch_(epoch),
          init_(init),
          op_(op),
          words_(shape),
          chains_(shape.chains),
          lanes_(static_cast<int>(shape.width + column_parts - 1) / column_parts),
          tiles_(warp_lanes / lanes_),
          column_(lane() % lanes_),
          tile_(lane() / lanes_) {}

    /// Writes to `row` the fold of the initial value and of all tiles above, for each column of a
    /// part of the tile `number`. There are some above.
    __device__ void before(std::uint32_t number, const column_tile& here, std::uint32_t part,
                           A* row) {
        const int column = static_cast<int>(part) * lanes_ + column_;
        if (static_cast<int>(part) * lanes_ >= here.columns) return;
        const place mine = {number % chains_, column, tile_ < tiles_ && column < here.columns};
        const auto size = static_cast<std::uint32_t>(tiles_);
        const std::uint32_t batch = here.down / size;
        const std::uint64_t number_of_mine = std::uint64_t{mine.chain} * column_parts + part;
        // From the last tile that this warp has been asked for, where that is near.
        if (last_of_ != number_of_mine || batch - last_.batch > 3 * at_once) {
            last_ = nearest(mine, batch);
            last_of_ = number_of_mine;
        }
        const maybe<A> fold = column_before(mine, here.down);
        if (mine.used && tile_ == 0) {
            row[column] = fold.value;
            if (here.down % size == 0 && !here.bottom) {
                statuses_.publish(words_.prefix(number, column), epoch_, fold.value);
            }
        }
    }

 private:
    struct place {
        std::uint32_t chain;
        int column;
        bool used;  // this lane has a column of a tile of a batch
    };
    // A batch, and the fold of all those before it, in the lanes of its first tile.
    struct known {
        std::uint32_t batch;
        maybe<A> before;
    };

    // The nearest batch, of those up to `last`, with a prefix in all its columns, or batch 0.
    __device__ known nearest(const place& mine, std::uint32_t last) const {
        for (std::uint32_t from = last;; from -= static_cast<std::uint32_t>(at_once * tiles_)) {
            A prefix[at_once] = {};
            bool ready[at_once];
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                const auto back = static_cast<std::uint32_t>(i * tiles_ + tile_);
                ready[i] = !mine.used;
                if (mine.used && back < from) {
                    const std::uint32_t first =
                        words_.tile(mine.chain, (from - back) * static_cast<std::uint32_t>(tiles_));
                    ready[i] = statuses_.read(words_.prefix(first, mine.column), epoch_, prefix[i]);
                }
            }
            const unsigned of_tile = all_lanes >> (warp_lanes - lanes_);
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                const unsigned lanes = ballot(ready[i]);
                for (int t = 0; t < tiles_; ++t) {
                    const auto back = static_cast<std::uint32_t>(i * tiles_ + t);
                    if (back >= from) return {0, init_.get()};
                    if ((~lanes >> t * lanes_ & of_tile) == 0) {
                        return {from - back, {from_lane(prefix[i], t * lanes_ + column_), true}};
                    }
                }
            }
        }
    }

    // From the last batch known, which moves on to the one of this tile.
    __device__ maybe<A> column_before(const place& mine, std::uint32_t down) {
        const auto size = static_cast<std::uint32_t>(tiles_);
        for (;;) {
            const std::uint32_t next = last_.batch * size;
            A aggregate[at_once] = {};
            bool ready[at_once];
            const auto read = [&](int i) {
                const std::uint32_t above = next + static_cast<std::uint32_t>(i * tiles_ + tile_);
                return !mine.used || above >= down ||
                       statuses_.read(words_.aggregate(words_.tile(mine.chain, above), mine.column),
                                      epoch_, aggregate[i]);
            };
#pragma unroll
            for (int i = 0; i < at_once; ++i) ready[i] = read(i);
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                const std::uint32_t left = down - last_.batch * size;
                if (left == 0) return last_.before;
                while (!in_all_lanes(ready[i])) {
                    if (!ready[i]) ready[i] = read(i);
                }
                const int batch = left < size ? static_cast<int>(left) : tiles_;
                const A fold = fold_batch(aggregate[i], batch, mine.used);
                maybe<A> all = last_.before;
                if (mine.used && tile_ == 0) all = append(all, fold, op_);
                if (left < size) return all;
                last_.before = all;
                ++last_.batch;
            }
        }
    }

    // Of `batch` tiles, by neighbours.
    __device__ A fold_batch(A value, int batch, bool used) const {
        for (int distance = 1; distance < tiles_; distance *= 2) {
            const A below = from_lane_above(value, distance * lanes_);
            if (used && tile_ + distance < batch) value = static_cast<A>(op_(value, below));
        }
        return value;
    }

    tile_statuses<A> statuses_;
    std::uint32_t epoch_;
    const Start& init_;
    const Op& op_;
    column_words words_;
    std::uint32_t chains_;
    int lanes_;   // of a tile
    int tiles_;   // of a batch
    int column_;  // of this lane, in its part
    int tile_;    // of this lane, in its batch; tiles_ where it has none
    known last_{};
    std::uint64_t last_of_ = ~std::uint64_t{0};  // the chain and the part of it
};

}  // namespace lookback::detail::gpu
