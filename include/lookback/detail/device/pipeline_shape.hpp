/// \file
/// The shape of the pipelined driver (pipelined.hpp): how many stages its ring has, and how many
/// warps have each role.
#pragma once

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/tile_agent.hpp"
#include "lookback/detail/device/tuning.hpp"

namespace lookback::detail::device {

/// `Agent`: what is done with a tile (tile_agent.hpp).
template <tile_agent Agent_, large_shape shape>
struct pipeline {
    using Agent = Agent_;
    static constexpr int stages = shape.stages;
    static constexpr int lead = shape.lead;
    static_assert(stages > lead);
    static constexpr int shared_bytes = stages * Agent::stage_bytes;
    static constexpr int look_back_warps = shape.look_back_warps;
    // Where results may overwrite items, each look-back ends with a fence, or with reads of other
    // words, so two warps take turns. One thread tells which tiles have been read.
    static constexpr int look_back_warps_in_place = Agent::emits ? look_back_warps : 2;
    static constexpr int look_warps =
        look_back_warps_in_place > look_back_warps ? look_back_warps_in_place : look_back_warps;
    static constexpr int tell_warps = Agent::tells_of_reads ? 1 : 0;
    static constexpr int teams = shape.teams;
    static_assert(teams <= 2);  // each team has a barrier of its own
    static_assert(teams == 1 || !Agent::emits);
    static constexpr int look_back_turns = look_warps / Agent::look_parts;
    static constexpr int ends = look_back_turns > teams ? look_back_turns : teams;
    static_assert(stages >= ends);
    static constexpr int store_threads = Agent::stores_in_bulk ? 1 : 128;
    static constexpr int store_warps = (store_threads + warp_lanes - 1) / warp_lanes;
    // If items are loaded one by one: as many threads as there is room for, but at most 320.
    static constexpr int room =
        1024 / warp_lanes - teams * Agent::warps - look_warps - tell_warps - 4;
    static constexpr int load_threads =
        Agent::loads_in_bulk ? 1 : warp_lanes * (room < 10 ? room : 10);
    static constexpr int load_warps = (load_threads + warp_lanes - 1) / warp_lanes;
    // The first thread of each role. The computing threads come first.
    static constexpr int first_to_look_back = teams * Agent::threads;
    static constexpr int first_to_tell = first_to_look_back + look_warps * warp_lanes;
    static constexpr int first_to_load = first_to_tell + tell_warps * warp_lanes;
    static constexpr int first_to_store = first_to_load + load_warps * warp_lanes;
    static constexpr int threads = first_to_store + store_warps * warp_lanes;
};

}  // namespace lookback::detail::device
