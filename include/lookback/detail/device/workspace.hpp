/// \file
/// What the blocks of a launch share in device memory: a counter to claim tiles from, and the
/// tiles' status words.
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

    /// Debug builds: stops the kernel where another one is using the workspace, which would mix up
    /// their tiles. One thread of each block calls `enter` first and `leave` last. (It does not see
    /// every misuse: blocks that have all left, and others of the same launch yet to come, leave a
    /// gap.)
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

    /// What each block that claims calls once, with the claim that told it that there are no more
    /// tiles: the last of these `blocks` starts the next epoch.
    __device__ void end_claims(claim last, std::uint32_t tiles,
                               std::uint32_t blocks = blocks_in_grid()) const {
        if (last.ticket == tiles + blocks - 1 && last.epoch != last_epoch) {
            start_epoch(counter, last.epoch + 1);
        }
    }

    /// What each block calls once, with the warp that looks back, when that is done. The numbers of
    /// epochs begin again after 2^32 launches: then all words are cleared, once no block looks at
    /// them any more.
    __device__ void finish(std::uint32_t epoch) const {
        if (epoch != last_epoch) return;
        fence();
        bool last_block = false;
        if (lane() == 0) last_block = fetch_add(&counter->finished, 1) == blocks_in_grid() - 1;
        if (!from_lane(last_block, 0)) return;
        fence();
        sync_warp();  // lane 0 has seen that all are done: what each lane writes comes after that
        auto* halves = static_cast<std::uint32_t*>(words);
        const std::uint64_t count = capacity * status_bytes<A> / sizeof(*halves);
        for (std::uint64_t i = lane(); i < count; i += warp_lanes) halves[i] = 0;
        if (lane() == 0) {
            store_relaxed(&counter->finished, 0U);
            start_epoch(counter, first_epoch);
        }
    }
};

/// Bytes of a region for this many tiles.
constexpr std::size_t region_bytes(std::uint64_t tiles, std::size_t bytes_per_word) {
    return sizeof(claim_counter) + tiles * bytes_per_word;
}

}  // namespace lookback::detail::device
