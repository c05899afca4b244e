/// \file
/// What a block of the pipelined driver (pipelined.hpp) keeps in shared memory beside the items of
/// its ring of stages: the barriers at which each role hands a stage on to the next, and what is
/// known of the tile that lies there.
///
/// Position k of the block's work, counted from 0, is a tile, or an end behind the last one. It
/// lies in stage k % stages. Each barrier of a stage goes through one phase for each position that
/// lies there; so the phase of position k has the number k / stages.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/tile_status.hpp"

namespace lookback::detail::device {

/// `Pipeline`: its shape (pipeline_shape.hpp).
template <class Pipeline>
struct pipeline_state {
    using Agent = typename Pipeline::Agent;
    static constexpr int stages = Pipeline::stages;
    static constexpr std::uint32_t none = 0xffffffffU;  // instead of a tile: an end

    phase_barrier loaded[stages];    // a tile is in its stage, or there is none any more
    phase_barrier prefixed[stages];  // its prefix is found
    phase_barrier scanned[stages];   // its results are in the stage
    phase_barrier freed[stages];     // the stage has been copied out
    phase_barrier folded;            // all is told, and the last tile's prefix is known
    std::uint32_t tile[stages];
    claim claims[2];  // of the loaders, in turns
    std::uint32_t epoch;
    maybe<typename Agent::prefix_type> prefix[stages];

    /// The barriers, by one thread; a barrier of the block must follow. `tellers`: threads that
    /// tell which tiles have been read.
    __device__ void init(int tellers) {
        for (int s = 0; s < stages; ++s) {
            loaded[s].init(Pipeline::load_threads * (Agent::copies_later ? 2 : 1));
            prefixed[s].init(Agent::look_parts * warp_lanes);
            scanned[s].init(Agent::threads);
            freed[s].init(Pipeline::store_threads + tellers);
        }
        folded.init(Pipeline::teams * Agent::threads + Pipeline::look_warps * warp_lanes + tellers);
        publish_barriers();
    }

    /// Of position k: the stage, and the phase of its barriers.
    __device__ static int stage(std::uint32_t k) { return static_cast<int>(k % stages); }
    __device__ static std::uint32_t phase(std::uint32_t k) { return k / stages; }

    __device__ void wait_until_free(std::uint32_t k) {
        if (k >= stages) freed[stage(k)].wait(phase(k) - 1);
    }

    /// `in_turns`: for those who take turns. A barrier tells only one phase from the next, and who
    /// has not seen what lay in the stage before cannot know that it was ever loaded: bulk copies
    /// may land in any order. It was, when it has been freed.
    template <bool in_turns>
    __device__ void wait_until_loaded(std::uint32_t k) {
        if constexpr (in_turns) wait_until_free(k);
        loaded[stage(k)].wait(phase(k));
    }
};

/// What a block keeps in shared memory beside the ring of stages.
template <class Pipeline>
struct pipelined_memory {
    using Agent = typename Pipeline::Agent;
    alignas(16) unsigned char state[sizeof(pipeline_state<Pipeline>)];
    alignas(16) unsigned char totals[2 * Pipeline::teams * Agent::totals *
                                     sizeof(typename Agent::value_type)];
};

}  // namespace lookback::detail::device
