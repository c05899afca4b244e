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
/// - as many tiles of a chain as a row of words for them fits in a warp (one, from 17 columns on),
/// from a multiple of as many on, are a batch;
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
          lanes_(shape.width < warp_lanes ? static_cast<int>(shape.width) : warp_lanes),
          tiles_(warp_lanes / lanes_),
          column_(lane() % lanes_),
          tile_(lane() / lanes_) {}

    /// Writes to `row` the fold of the initial value and of all tiles above, for each column of the
    /// tile `number`. There are some above.
    __device__ void before(std::uint32_t number, const column_tile& here, A* row) const {
        const std::uint32_t chain = number % chains_;
        for (int first = 0; first < here.columns; first += warp_lanes) {
            const int column = first + column_;
            const bool used = tile_ < tiles_ && column < here.columns;
            const maybe<A> fold = column_before(chain, here.down, column, used);
            if (used && tile_ == 0) {
                row[column] = fold.value;
                const bool begins_batch = here.down % static_cast<std::uint32_t>(tiles_) == 0;
                if (begins_batch && !here.bottom) {
                    statuses_.publish(words_.prefix(number, column), epoch_, fold.value);
                }
            }
        }
    }

 private:
    // A batch, and the fold of all those before it, in the lanes of its first tile.
    struct known {
        std::uint32_t batch;
        maybe<A> before;
    };

    // The nearest batch, of those up to `last`, with a prefix in all its columns, or batch 0.
    __device__ known nearest(std::uint32_t chain, std::uint32_t last, int column, bool used) const {
        for (std::uint32_t from = last;; from -= static_cast<std::uint32_t>(at_once * tiles_)) {
            A prefix[at_once] = {};
            bool ready[at_once];
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                const auto back = static_cast<std::uint32_t>(i * tiles_ + tile_);
                ready[i] = !used;
                if (used && back < from) {
                    const std::uint32_t first =
                        words_.tile(chain, (from - back) * static_cast<std::uint32_t>(tiles_));
                    ready[i] = statuses_.read(words_.prefix(first, column), epoch_, prefix[i]);
                }
            }
            const unsigned of_tile = all_lanes >> (warp_lanes - lanes_);
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                const unsigned lanes = lanes_where(ready[i]);
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

    // In the lanes of the first tile.
    __device__ maybe<A> column_before(std::uint32_t chain, std::uint32_t down, int column,
                                      bool used) const {
        const auto size = static_cast<std::uint32_t>(tiles_);
        const known begin = nearest(chain, down / size, column, used);
        maybe<A> all = begin.before;
        for (std::uint32_t next = begin.batch * size; next < down; next += at_once * size) {
            A aggregate[at_once] = {};
            bool ready[at_once];
            const auto read = [&](int i) {
                const std::uint32_t above = next + static_cast<std::uint32_t>(i * tiles_ + tile_);
                return !used || above >= down ||
                       statuses_.read(words_.aggregate(words_.tile(chain, above), column), epoch_,
                                      aggregate[i]);
            };
#pragma unroll
            for (int i = 0; i < at_once; ++i) ready[i] = read(i);
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                while (!in_all_lanes(ready[i])) {
                    if (!ready[i]) ready[i] = read(i);
                }
                const std::uint32_t first = next + static_cast<std::uint32_t>(i) * size;
                if (first >= down) break;
                const int batch = down - first < size ? static_cast<int>(down - first) : tiles_;
                const A fold = fold_batch(aggregate[i], batch, used);
                if (used && tile_ == 0) all = append(all, fold, op_);
            }
        }
        return all;
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
    int column_;  // of this lane, in its tile
    int tile_;    // of this lane, in its batch; tiles_ where it has none
};

}  // namespace lookback::detail::gpu
