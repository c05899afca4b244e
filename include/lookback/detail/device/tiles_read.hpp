/// \file
/// Results over items: which tiles have been read, so that others may write there.
///
/// What a tile publishes tells others how much it writes; that its items have been read is news of
/// its own, and may have a word of its own: of `tiles` tiles, the epoch of the status word `tiles`
/// + t says it of tile t. Then no fence stands before a publication, which all later tiles wait for
/// (a fence waits for every store of the multiprocessor). A thread that nobody waits for tells it,
/// after one fence for all tiles that have come meanwhile; and only those look at it, by loads that
/// acquire, who write over these items: so the reads come before the writes (docs/model.md).
///
/// Cost: a word written for each tile, and two to four read; where results do not lie over the
/// items of their numbers, as many as there are earlier tiles, by each warp that looks back.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/pipeline_ring.hpp"
#include "lookback/detail/device/tile_status.hpp"

namespace lookback::detail::device {

/// Tiles from `begin` up to `end`.
struct tile_range {
    std::uint32_t begin, end;
};

/// Those that must have been read before results of `tile` may be written, of which as many stand
/// before: a result lies over the item of its number, or the one before; and what reads an item is
/// its tile, or the next one, of which it may be an item before the first. (Results that are
/// narrower than items, or begin before them, lie over any earlier items: then `begin` is 0.)
template <int tile_items>
__device__ tile_range tiles_under(std::uint64_t results_before, std::uint32_t tile) {
    const std::uint64_t begin = (results_before > 0 ? results_before - 1 : 0) / tile_items;
    const std::uint64_t end = (results_before + tile_items - 1) / tile_items + 2;
    return {static_cast<std::uint32_t>(begin), end < tile ? static_cast<std::uint32_t>(end) : tile};
}

/// The words that say which of `tiles` tiles have been read.
template <class A>
class tiles_read {
 public:
    __device__ tiles_read(const tile_statuses<A>& statuses, std::uint32_t epoch,
                          std::uint32_t tiles)
        : statuses_(statuses), epoch_(epoch), tiles_(tiles) {}

    /// By one thread, after a fence that comes after the reads.
    __device__ void tell(std::uint32_t tile) const { store_relaxed(word_of(tile), epoch_); }

    /// Waits until these tiles have been read; neither end may be below that of a call before. What
    /// this warp does next, and what those do who wait for it, comes after the reads.
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
    std::uint32_t waited_for_ = 0;  // the end of the tiles that it has been waited for
};

/// The one thread of a block of the pipelined driver that tells. The items of a tile have been read
/// when it is in its stage; one fence is for all tiles that have come meanwhile.
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
