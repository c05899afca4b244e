/// \file
/// What the blocks of a launch share in device memory: a counter from which they claim tiles, and
/// the tiles' status words.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/tile_status.hpp"

namespace lookback::detail::device {

/// A region of the workspace, as a kernel sees it.
template <class A>
struct workspace_view {
    claim_counter* counter;
    void* words;
    std::uint64_t capacity;  ///< tiles

    workspace_view(void* region, std::uint64_t tiles)
        : counter(static_cast<claim_counter*>(region)), words(counter + 1), capacity(tiles) {}

    __device__ tile_statuses<A> statuses() const { return {words, capacity}; }

    /// Debug builds: stops the kernel if another kernel is using the workspace, because they would
    /// mix up their tiles. One thread of each block calls `enter` first and `leave` last. (Not
    /// every misuse is seen: there is a gap between blocks of a launch that have all left and
    /// blocks of the same launch that have not entered yet.)
    __device__ void enter() const {
#ifndef NDEBUG
        fetch_add(&counter->users, 1);
        const std::uint64_t mine = launch_number();
        const std::uint64_t before = compare_exchange(&counter->owner, 0, mine);
        assert((before == 0 || before == mine) &&
               "two kernels at once with one lookback::gpu (each stream needs its own), or one "
               "before that did not claim until there were no more tiles");
#endif
    }
    __device__ void leave() const {
#ifndef NDEBUG
        if (fetch_add(&counter->users, ~std::uint32_t{0}) == 1)
            store_relaxed(&counter->owner, std::uint64_t{0});
#endif
    }

    /// Each block that claims tiles calls this once, with its last claim: the one whose ticket lies
    /// beyond the last tile. The block with the last ticket of all `blocks` starts the next epoch.
    __device__ void end_claims(claim last, std::uint32_t tiles,
                               std::uint32_t blocks = blocks_in_grid()) const {
        if (last.ticket == tiles + blocks - 1 && last.epoch != last_epoch) {
            start_epoch(counter, last.epoch + 1);
        }
    }

    /// The look-back warp of each block calls this once, with all its lanes, when its look-backs
    /// are done. Epoch numbers start again after 2^32 launches. All words are then cleared, once no
    /// block reads them any more.
    __device__ void finish(std::uint32_t epoch) const {
        if (epoch != last_epoch) return;
        fence();
        bool last_block = false;
        if (lane() == 0) last_block = fetch_add(&counter->finished, 1) == blocks_in_grid() - 1;
        if (!from_lane(last_block, 0)) return;
        fence();
        // Lane 0 has seen that all blocks are done; this orders what every lane writes after that.
        sync_warp();
        auto* halves = static_cast<std::uint32_t*>(words);
        const std::uint64_t count = capacity * status_bytes<A> / sizeof(*halves);
        for (std::uint64_t i = lane(); i < count; i += warp_lanes) halves[i] = 0;
        if (lane() == 0) {
            store_relaxed(&counter->finished, 0U);
            start_epoch(counter, first_epoch);
        }
    }
};

/// A region is made for at least so many tiles.
inline constexpr std::uint64_t least_region_tiles = 1024;
/// The size in bytes of a region for `tiles` tiles.
constexpr std::size_t region_bytes(std::uint64_t tiles, std::size_t bytes_per_word) {
    return sizeof(claim_counter) + tiles * bytes_per_word;
}

}  // namespace lookback::detail::device
