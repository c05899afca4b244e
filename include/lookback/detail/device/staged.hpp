/// \file
/// The driver that runs on every GPU (compute capability 7.5 and later), for every iterator, type
/// and alignment. A block claims a tile, stages it through registers in shared memory, reduces it
/// and publishes its aggregate, looks back, writes its results, and claims the next tile.
///
/// Its tiles and their tree are those of the pipelined driver, so both give the same bits.
///
/// Cost: each item is read and written once. Only the other blocks of a multiprocessor hide
/// latency.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/tile_agent.hpp"
#include "lookback/detail/device/tile_status.hpp"
#include "lookback/detail/device/workspace.hpp"

namespace lookback::detail::device {

/// What a block keeps in shared memory.
template <tile_agent Agent>
struct staged_memory {
    alignas(16) unsigned char stage[Agent::stage_bytes];
    alignas(16) unsigned char totals[Agent::totals * sizeof(typename Agent::value_type)];
    alignas(16) unsigned char prefix[sizeof(maybe<typename Agent::prefix_type>)];
    claim next;
};

/// The number of blocks that a multiprocessor should hold: while one block waits, another works.
/// One, where those that the agent wants have too many threads.
template <tile_agent Agent>
inline constexpr int staged_blocks =
    Agent::staged_blocks * Agent::threads <= multiprocessor_threads ? Agent::staged_blocks : 1;

/// `Agent`: what is done with a tile (tile_agent.hpp).
template <tile_agent Agent>
__global__ __launch_bounds__(Agent::threads, staged_blocks<Agent>) void staged_kernel(
    const __grid_constant__ typename Agent::problem_type problem,
    workspace_view<typename Agent::value_type> workspace) {
    using A = typename Agent::value_type;
    using Prefix = typename Agent::prefix_type;
    const int thread = thread_in_block();

    static_assert(sizeof(staged_memory<Agent>) <= 48 * 1024, "what every GPU has");
    auto& shared = shared_memory<staged_memory<Agent>>();
    auto& stage = shared.stage;
    auto& totals = reinterpret_cast<A(&)[Agent::totals]>(shared.totals);
    auto& shared_prefix = reinterpret_cast<maybe<Prefix>&>(shared.prefix);

    wait_for_previous_kernel();
    const Agent agent(problem);
    const std::uint64_t all_items = problem.count.get();
    const auto tiles =
        static_cast<std::uint32_t>((all_items + Agent::tile_items - 1) / Agent::tile_items);
    auto statuses = workspace.statuses();

    // 1. claim
    if (thread == 0) {
        workspace.enter();
        shared.next = claim_next(workspace.counter);
    }
    sync_block();
    claim mine = shared.next;
    constexpr look_back_way way = {8, rereading::of_a_batch};
    auto fold = agent.template start_look_back<way>(statuses, mine.epoch);
    if (tiles == 0 && block_in_grid() == 0 && thread == 0) agent.emit_nothing();

    while (mine.ticket < tiles) {
        const std::uint64_t first = std::uint64_t{mine.ticket} * Agent::tile_items;
        const std::uint64_t left = all_items - first;
        const int items = left < Agent::tile_items ? static_cast<int>(left) : Agent::tile_items;

        // 2. load, reduce, 3. publish
        agent.template load<Agent::threads>(stage, first, items, thread);
        sync_block();
        typename Agent::memory memory;
        const auto publish = [&](const auto& aggregate) {
            // The items were read before other blocks know the aggregate.
            if (thread == 0 && agent.in_place()) fence();
            agent.publish(statuses, mine.ticket, mine.epoch, aggregate);
        };
        agent.reduce(
            stage, first, items, memory, totals, [] { sync_block(); }, publish);

        // 4. look back
        if (warp() == 0) {
            maybe<Prefix> prefix{};
            for (std::uint32_t part = 0; part < Agent::look_parts; ++part) {
                prefix = agent.before(fold, mine.ticket, stage, part);
            }
            if (agent.in_place()) fence();  // pairs with the fence before each publication
            if (lane() == 0) shared_prefix = prefix;
        }
        sync_block();

        // 5. emit and store. The next tile is claimed only now, because other blocks wait for every
        // claimed tile. The answer arrives while this tile is emitted and stored.
        claim next{};
        if (thread == 0) next = claim_next(workspace.counter);
        if constexpr (Agent::emits) {
            agent.emit(stage, items, shared_prefix, memory);
            sync_block();
        }
        const bool last_tile = mine.ticket + 1 == tiles;
        agent.template store<Agent::threads>(stage, first, items, shared_prefix, last_tile, thread);
        if (thread == 0) shared.next = next;
        sync_block();
        mine = shared.next;
    }
    if (thread == 0) workspace.end_claims(mine, tiles);
    if (warp() == 0) workspace.finish(mine.epoch);
    if (thread == 0) workspace.leave();
}

}  // namespace lookback::detail::device
