/// \file
/// The driver for few items, for scans of segments and of rows, and for compactions and runs. It
/// has one block for each tile. The tile has the block's number, so it is loaded at once, without a
/// ticket.
///
/// A block waits for the tiles of other blocks. It does not help with a late tile, because that
/// would classify the tile's items twice. So the launch is cooperative: the GPU starts all of its
/// blocks at once, or none, and every block that is waited for runs. So a block may also wait for
/// later tiles, as a partition into one output does to find where the rest begins. Where the GPU
/// has no room for all blocks at once, another driver runs (small_launch.hpp).
///
/// Cost: each item is read and written once. The time is that of a launch, a read of the items, an
/// aggregate's way to L2 and back, and the stores; each of the latter three takes about 0.5 us.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/paired_tile.hpp"
#include "lookback/detail/device/tile_agent.hpp"
#include "lookback/detail/device/tile_status.hpp"
#include "lookback/detail/device/workspace.hpp"

namespace lookback::detail::device {

/// What a block keeps in shared memory.
template <tile_agent Agent>
struct small_memory {
    using Prefix = typename Agent::prefix_type;
    alignas(16) unsigned char stage[Agent::stage_bytes];
    alignas(16) unsigned char totals[Agent::totals * sizeof(typename Agent::value_type)];
    alignas(16) unsigned char prefix[sizeof(maybe<Prefix>)];
    alignas(16) unsigned char all_tiles[sizeof(Prefix)];
    std::uint32_t epoch;
};

/// What this driver asks of an agent besides (tile_agent.hpp). `rest_is_behind`: whether the place
/// of some results depends on the totals of all tiles. Such an agent learns what comes before tile
/// `mine`, and all, before it stores.
template <class Agent>
concept small_agent =
    tile_agent<Agent> &&
    requires(Agent& agent, const tile_statuses<typename Agent::value_type>& statuses,
             std::uint32_t epoch, std::uint32_t mine, std::uint32_t tiles, unsigned char* stage) {
        requires Agent::rest_is_behind || !Agent::rest_is_behind;
        requires !Agent::rest_is_behind || requires {
            agent.learn_all(agent.look_both_ways(statuses, epoch, mine, tiles, stage).all);
        };
    };

/// The number of blocks that a multiprocessor has room for. It is two for a partition into one
/// output, which would otherwise need a second launch. (The other primitives are faster with more
/// registers.)
template <class Agent>
inline constexpr int small_blocks = Agent::rest_is_behind ? 2 : 1;

/// There is one block for each tile of problem.count.at_most items.
template <small_agent Agent>
__global__ __launch_bounds__(Agent::threads, small_blocks<Agent>) void small_kernel(
    const __grid_constant__ typename Agent::problem_type problem,
    workspace_view<typename Agent::value_type> workspace) {
    using Prefix = typename Agent::prefix_type;
    const int thread = thread_in_block();
    auto& shared = shared_memory<small_memory<Agent>>();
    auto& stage = shared.stage;
    auto& totals = reinterpret_cast<typename Agent::value_type(&)[Agent::totals]>(shared.totals);
    auto& shared_prefix = reinterpret_cast<maybe<Prefix>&>(shared.prefix);
    auto& all_tiles = reinterpret_cast<Prefix&>(shared.all_tiles);

    wait_for_previous_kernel();
    Agent agent(problem);
    const std::uint64_t all_items = problem.count.get();
    const auto tiles =
        static_cast<std::uint32_t>((all_items + Agent::tile_items - 1) / Agent::tile_items);
    const auto statuses = workspace.statuses();
    const bool alone = blocks_in_grid() == 1;  // no other block is told anything

    // 1. the block's own tile
    const std::uint32_t tile = block_in_grid();
    if (!alone && thread == 0) {
        workspace.enter();
        shared.epoch = read_epoch(workspace.counter);
    }
    if (tiles == 0 && tile == 0 && thread == 0) agent.emit_nothing();

    if (tile < tiles) {
        const std::uint64_t first = std::uint64_t{tile} * Agent::tile_items;
        const std::uint64_t left = all_items - first;
        const int items = left < Agent::tile_items ? static_cast<int>(left) : Agent::tile_items;

        // 2. load, reduce, 3. publish
        agent.template load<Agent::threads>(stage, first, items, thread);
        sync_block();
        const std::uint32_t epoch = alone ? 0 : shared.epoch;
        typename Agent::memory memory;
        const auto publish = [&](const auto& aggregate) {
            if (alone) return;
            // The items were read before other blocks know the aggregate.
            if (thread == 0 && agent.in_place()) fence();
            agent.publish(statuses, tile, epoch, aggregate);
        };
        agent.reduce(
            stage, first, items, memory, totals, [] { sync_block(); }, publish);

        // 4. look back, or in both directions
        if (warp() == 0) {
            if constexpr (Agent::rest_is_behind) {
                const auto found = agent.look_both_ways(statuses, epoch, tile, tiles, stage);
                if (lane() == 0) shared_prefix = {found.before, true};
                if (lane() == 0) all_tiles = found.all;
            } else {
                const auto find_prefix = [&](auto fold) {
                    const maybe<Prefix> prefix = agent.before(fold, tile, stage, 0);
                    if (lane() == 0) shared_prefix = prefix;
                };
                // A look-back over one batch has less code, which has to be fetched.
                constexpr look_back_way one_batch = {1, rereading::of_all};
                constexpr look_back_way all_batches = {4, rereading::of_all};
                if (tile <= warp_lanes) {
                    find_prefix(agent.template start_look_back<one_batch>(statuses, epoch));
                } else {
                    find_prefix(agent.template start_look_back<all_batches>(statuses, epoch));
                }
            }
            if (agent.in_place()) fence();  // pairs with the fence before each publication
        }
        sync_block();

        // 5. emit and store
        if constexpr (Agent::rest_is_behind) agent.learn_all(all_tiles);
        if constexpr (Agent::emits) {
            agent.emit(stage, items, shared_prefix, memory);
            sync_block();
        }
        agent.template store<Agent::threads>(stage, first, items, shared_prefix, tile + 1 == tiles,
                                             thread);
    }
    if (alone) return;
    sync_block();
    if (warp() == 0) workspace.finish(shared.epoch);
    if (thread == 0) workspace.leave();
}

}  // namespace lookback::detail::device
