/// \file
/// Results that lie over items of the same numbers: which tiles have been read, so that other tiles
/// may write there.
///
/// A tile's status word tells how much the tile writes. That its items have been read is a separate
/// fact, and has a separate word: the epoch of the status word number `tiles` + t tells it of tile
/// t, where `tiles` is the number of tiles. So no fence is needed before a tile is published. (All
/// later tiles wait for the publication, and a fence waits for every store of the multiprocessor.)
/// One thread of the block, for which no publication waits, tells that tiles have been read: it
/// executes one fence for all tiles that have arrived since its last fence. Only warps that write
/// over these items look at the words, by acquire loads. So the reads come before the writes
/// (docs/model.md).
///
/// Cost: one word written for each tile, and for each tile at most three words read, of the tiles
/// over whose items it writes, and again while they are waited for.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/pipeline_ring.hpp"
#include "lookback/detail/device/tile_status.hpp"

namespace lookback::detail::device {

/// The tiles from `begin` up to, but not including, `end`.
struct tile_range {
    std::uint32_t begin, end;
};

/// The tiles that must have been read before the results of `tile` may be written; `results_before`
/// results come before them. A result lies over the item of the same number, or over the item
/// before that one. An item is read by its own tile, or by the next tile too, if it is the item
/// before that tile's first.
template <int tile_items>
__device__ tile_range tiles_under(std::uint64_t results_before, std::uint32_t tile) {
    const std::uint64_t begin = (results_before > 0 ? results_before - 1 : 0) / tile_items;
    const std::uint64_t end = (results_before + tile_items - 1) / tile_items + 2;
    return {static_cast<std::uint32_t>(begin), end < tile ? static_cast<std::uint32_t>(end) : tile};
}

/// The words that tell which of `tiles` tiles have been read.
template <class A>
class tiles_read {
 public:
    __device__ tiles_read(const tile_statuses<A>& statuses, std::uint32_t epoch,
                          std::uint32_t tiles)
        : statuses_(statuses), epoch_(epoch), tiles_(tiles) {}

    /// Called by one thread, after a fence that follows the reads of the tile.
    __device__ void tell(std::uint32_t tile) const { store_relaxed(word_of(tile), epoch_); }

    /// Waits until these tiles have been read. Neither end of the range may be below that of an
    /// earlier call. What this warp does next comes after the reads, and so does what threads do
    /// that wait for this warp.
    __device__ void wait_for(const tile_range& wanted) {
        if (waited_for_ < wanted.begin) waited_for_ = wanted.begin;
        for (; waited_for_ < wanted.end; waited_for_ += warp_lanes) {
            const std::uint32_t tile = waited_for_ + static_cast<std::uint32_t>(lane());
            bool ready = tile >= wanted.end;
            while (!in_all_lanes(ready)) {
                if (!ready) ready = load_acquire(word_of(tile)) == epoch_;
            }
        }
        if (waited_for_ > wanted.end) waited_for_ = wanted.end;
    }

 private:
    __device__ std::uint32_t* word_of(std::uint32_t tile) const {
        return statuses_.epoch_of(std::uint64_t{tiles_} + tile);
    }

    tile_statuses<A> statuses_;
    std::uint32_t epoch_;
    std::uint32_t tiles_;
    std::uint32_t waited_for_ = 0;  // the end of the tiles that this has waited for
};

/// What the telling thread of a block of the pipelined driver does. The items of a tile have been
/// read once the tile is in its stage. One fence serves all tiles that have arrived since the last
/// one.
template <class Pipeline, class A>
__device__ void tell_tiles_read(pipeline_state<Pipeline>& state, const tile_statuses<A>& statuses,
                                std::uint32_t tiles) {
    using ring = pipeline_state<Pipeline>;
    std::uint32_t tile[ring::stages];
    bool more = true;
    for (std::uint32_t k = 0; more;) {
        int come = 0;
        state.loaded[ring::stage(k)].wait(ring::phase(k));
#pragma unroll
        for (int i = 0; i < ring::stages; ++i) {
            tile[i] = ring::none;
            if (!more || come < i) continue;
            if (i > 0 && !state.loaded[ring::stage(k)].has_passed(ring::phase(k))) continue;
            tile[i] = state.tile[ring::stage(k)];
            more = tile[i] != ring::none;
            if (!more) continue;
            state.freed[ring::stage(k)].arrive();
            ++come;
            ++k;
        }
        fence();
        const tiles_read<A> told(statuses, state.epoch, tiles);
#pragma unroll
        for (int i = 0; i < ring::stages; ++i) {
            if (tile[i] != ring::none) told.tell(tile[i]);
        }
    }
    state.folded.arrive();
}

}  // namespace lookback::detail::device
