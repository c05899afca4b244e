/// \file
/// The shape of the pipelined driver (pipelined.hpp): how many stages its ring has, and how many
/// warps have each role.
#pragma once

#include <concepts>
#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/tile_agent.hpp"
#include "lookback/detail/device/tuning.hpp"

namespace lookback::detail::device {

// What the pipelined driver asks of an agent besides (tile_agent.hpp).

/// Whether one thread starts bulk copies of a tile to the stage, and back; whether many threads
/// start copies to the stage that land later; whether a tile's load begins only when that of the
/// block's previous tile has ended; how tiles look back if there are at most `few_tiles`, and if
/// there are more; and whether tiles may tell that they have been read (tiles_read.hpp), because
/// results may overwrite the items of other tiles.
template <class Agent>
concept agent_flags = requires {
    requires Agent::loads_in_bulk || !Agent::loads_in_bulk;
    requires Agent::stores_in_bulk || !Agent::stores_in_bulk;
    requires Agent::copies_later || !Agent::copies_later;
    requires Agent::loads_one_by_one || !Agent::loads_one_by_one;
    { Agent::few_tiles } -> std::same_as<const std::uint32_t&>;
    { Agent::way_of_few_tiles } -> std::same_as<const look_back_way&>;
    { Agent::way_of_many_tiles } -> std::same_as<const look_back_way&>;
    requires Agent::tells_of_reads || !Agent::tells_of_reads;
};

/// Where the flags say so: bulk copies, which wait for the stage first; copies that land later; and
/// the tiles over whose items the results of `tile` lie.
template <class Agent>
concept agent_copies = requires(const Agent& agent, unsigned char* stage, std::uint64_t first,
                                int items, int thread, phase_barrier& loaded,
                                const function_of_driver& wait) {
    requires !Agent::loads_in_bulk ||
                 requires { agent.start_load(stage, first, items, loaded, wait); };
    requires !Agent::stores_in_bulk || requires { agent.start_store(stage, first, items, wait); };
    requires !Agent::copies_later || requires {
        agent.template start_load<Agent::threads>(stage, first, loaded, thread);
    };
};
template <class Agent>
concept agent_tells_of_reads = requires(
    const Agent& agent, const maybe<typename Agent::prefix_type>& prefix, std::uint32_t tile) {
    requires !Agent::tells_of_reads || requires {
        agent.tiles_under_results(prefix, tile);
        { agent.item_over_item() } -> std::convertible_to<bool>;
    };
};

/// Whether tiles tell by words that they have been read. Otherwise, in place, fences order reads
/// and publications.
template <class Agent>
__device__ bool tells_by_words(const Agent& agent) {
    if constexpr (Agent::tells_of_reads) return agent.in_place() && agent.item_over_item();
    return false;
}

template <class Agent>
concept pipelined_agent =
    tile_agent<Agent> && agent_flags<Agent> && agent_copies<Agent> && agent_tells_of_reads<Agent>;

/// The shape of the pipelined driver for an agent.
template <pipelined_agent Agent_, large_shape shape>
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
    // If items are not loaded in bulk by one thread: as many threads as there is room for beside
    // four warps that store, but at most 320.
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
