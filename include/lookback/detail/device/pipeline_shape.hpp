/// \file
/// The shape of the pipelined driver (pipelined.hpp): how many warps of which role, and what a
/// block keeps in shared memory.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/tile_agent.hpp"
#include "lookback/detail/device/tuning.hpp"
#include "lookback/detail/device/workspace.hpp"

namespace lookback::detail::device {

/// `Agent`: what is done with a tile (scan_agent.hpp).
template <tile_agent Agent_, large_shape shape>
struct pipeline {
    using Agent = Agent_;
    static constexpr int stages = shape.stages;
    static constexpr int lead = shape.lead;
    static_assert(stages > lead);
    static constexpr int shared_bytes = stages * Agent::stage_bytes;
    static constexpr int look_back_warps = shape.look_back_warps;
    // Where results may overwrite items, each look-back ends with a fence: two take turns.
    static constexpr int look_back_warps_in_place = Agent::emits ? look_back_warps : 2;
    static constexpr int look_warps =
        look_back_warps_in_place > look_back_warps ? look_back_warps_in_place : look_back_warps;
    static constexpr int teams = shape.teams;
    static_assert(teams <= 2);  // each with a barrier of its own
    static_assert(teams == 1 || !Agent::emits);
    static constexpr int look_back_turns = look_warps / Agent::look_parts;
    static constexpr int ends = look_back_turns > teams ? look_back_turns : teams;
    static_assert(stages >= ends);
    static constexpr int store_threads = Agent::stores_in_bulk ? 1 : 128;
    static constexpr int store_warps = (store_threads + warp_lanes - 1) / warp_lanes;
    // Item by item, as many threads as there is room for, but 320 at most.
    static constexpr int room = 1024 / warp_lanes - teams * Agent::warps - look_warps - 4;
    static constexpr int load_threads =
        Agent::loads_in_bulk ? 1 : warp_lanes * (room < 10 ? room : 10);
    static constexpr int load_warps = (load_threads + warp_lanes - 1) / warp_lanes;
    static constexpr int threads =
        teams * Agent::threads + (look_warps + load_warps + store_warps) * warp_lanes;
};

template <class Prefix, int stages>
struct pipeline_state {
    phase_barrier loaded[stages];    // a tile is in its stage, or there is none any more
    phase_barrier prefixed[stages];  // its prefix is found
    phase_barrier scanned[stages];   // its results are in the stage
    phase_barrier freed[stages];     // the stage has been copied out
    phase_barrier folded;            // the last tile's aggregate is published, its prefix is known
    std::uint32_t tile[stages];
    claim claims[2];  // of the loaders, in turns
    std::uint32_t epoch;
    maybe<Prefix> prefix[stages];
};

/// What a block keeps in shared memory beside the ring of stages.
template <class Pipeline>
struct pipelined_memory {
    using Agent = typename Pipeline::Agent;
    alignas(16) unsigned char state[sizeof(
        pipeline_state<typename Agent::prefix_type, Pipeline::stages>)];
    alignas(16) unsigned char totals[2 * Pipeline::teams * Agent::totals *
                                     sizeof(typename Agent::value_type)];
};

}  // namespace lookback::detail::device
