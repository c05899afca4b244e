/// \file
/// What a block of the pipelined driver (pipelined.hpp) keeps in shared memory beside the items of
/// its ring of stages: the barriers at which each role hands a stage on to the next role, and facts
/// about the tile in each stage.
///
/// Position k of the block's work, counted from 0, is a tile, or an end behind the block's last
/// tile. It lies in stage k % stages. Each barrier of a stage goes through one phase for each
/// position that lies there, so the phase of position k has the number k / stages.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/tile_status.hpp"

namespace lookback::detail::device {

/// `Pipeline`: the driver's shape (pipeline_shape.hpp).
template <class Pipeline>
struct pipeline_state {
    using Agent = typename Pipeline::Agent;
    static constexpr int stages = Pipeline::stages;
    static constexpr std::uint32_t none = 0xffffffffU;  // an end, in the place of a tile

    phase_barrier loaded[stages];    // the stage has its tile, or an end
    phase_barrier prefixed[stages];  // the tile's prefix is found
    phase_barrier scanned[stages];   // the tile's results are in the stage, or stored
    phase_barrier freed[stages];     // the stage has been copied out, or is not needed any more
    phase_barrier folded;  // all tiles are published, their prefixes found, and their reads told
    std::uint32_t tile[stages];
    claim claims[2];  // of the loaders, used alternately
    std::uint32_t epoch;
    maybe<typename Agent::prefix_type> prefix[stages];

    /// Initialises the barriers. One thread calls it; a barrier of the block must follow.
    /// `tellers`: the number of threads that tell which tiles have been read.
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

    /// The stage of position k, and the phase of its barriers.
    __device__ static int stage(std::uint32_t k) { return static_cast<int>(k % stages); }
    __device__ static std::uint32_t phase(std::uint32_t k) { return k / stages; }

    __device__ void wait_until_free(std::uint32_t k) {
        if (k >= stages) freed[stage(k)].wait(phase(k) - 1);
    }

    /// `in_turns`: for warps that take turns, which do not wait for every position. A barrier
    /// distinguishes a phase only from the next one. A warp that did not wait for the stage's
    /// previous position cannot know that it was ever loaded, because bulk copies may land in any
    /// order. Once the stage has been freed, it was loaded.
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
