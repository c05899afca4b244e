/// \file
/// The driver that runs on every GPU (compute capability 7.5 and later) and takes every iterator,
/// type and alignment: a block stages a tile through registers in shared memory, does the five
/// steps, and claims the next.
///
/// Its tiles and their tree are those of the pipelined driver, so both give the same bits.
///
/// Cost: each item is read and written once; latency is hidden by the other blocks of a
/// multiprocessor only.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/tile_status.hpp"
#include "lookback/detail/device/workspace.hpp"

namespace lookback::detail::device {

/// What a block keeps in shared memory.
template <class Steps>
struct staged_memory {
    alignas(16) unsigned char stage[Steps::stage_bytes];
    alignas(16) unsigned char totals[Steps::totals * sizeof(typename Steps::value_type)];
    alignas(16) unsigned char prefix[sizeof(maybe<typename Steps::prefix_type>)];
    claim next;
};

/// `Steps`: what is done with a tile (scan_steps.hpp), item by item.
template <class Steps>
__global__ __launch_bounds__(Steps::threads) void staged_kernel(
    const __grid_constant__ typename Steps::problem_type problem,
    workspace_view<typename Steps::value_type> workspace) {
    using A = typename Steps::value_type;
    using Prefix = typename Steps::prefix_type;
    const int thread = thread_in_block();

    auto& shared = shared_memory<staged_memory<Steps>>();
    auto& stage = shared.stage;
    auto& totals = reinterpret_cast<A(&)[Steps::totals]>(shared.totals);
    auto& shared_prefix = reinterpret_cast<maybe<Prefix>&>(shared.prefix);

    wait_for_previous_kernel();
    const Steps steps(problem);
    const std::uint64_t all_items = problem.count.get();
    const auto tiles =
        static_cast<std::uint32_t>((all_items + Steps::tile_items - 1) / Steps::tile_items);
    auto statuses = workspace.statuses();

    // 1. claim
    if (thread == 0) {
        workspace.enter();
        shared.next = claim_next(workspace.counter);
    }
    sync_block();
    claim mine = shared.next;
    auto fold = steps.template start_look_back<true>(statuses, mine.epoch);
    if (tiles == 0 && block_in_grid() == 0 && thread == 0) steps.emit_nothing();

    while (mine.ticket < tiles) {
        const std::uint64_t first = std::uint64_t{mine.ticket} * Steps::tile_items;
        const std::uint64_t left = all_items - first;
        const int items = left < Steps::tile_items ? static_cast<int>(left) : Steps::tile_items;

        // 2. load, reduce, 3. publish
        steps.template load<Steps::threads>(stage, first, items, thread);
        sync_block();
        typename Steps::memory memory;
        const auto publish = [&](const A& aggregate) {
            if (thread == 0 && steps.in_place()) fence();  // its items were read before it is known
            steps.publish(statuses, mine.ticket, mine.epoch, aggregate);
        };
        steps.reduce(
            stage, first, items, memory, totals, [] { sync_block(); }, publish);

        // 4. look back
        if (warp() == 0) {
            if (lane() == 0) shared.next = claim_next(workspace.counter);
            maybe<Prefix> prefix{};
            for (std::uint32_t part = 0; part < Steps::look_parts; ++part) {
                prefix = steps.before(fold, mine.ticket, stage, part);
            }
            if (steps.in_place()) fence();  // with the fence before each publication
            if (lane() == 0) shared_prefix = prefix;
        }
        sync_block();

        // 5. emit and store
        if constexpr (Steps::emits) {
            steps.emit(stage, items, shared_prefix, memory);
            sync_block();
        }
        const bool last_tile = mine.ticket + 1 == tiles;
        mine = shared.next;
        steps.template store<Steps::threads>(stage, first, items, shared_prefix, last_tile, thread);
        sync_block();
    }
    if (thread == 0) workspace.end_claims(mine, tiles);
    if (warp() == 0) workspace.finish(mine.epoch);
    if (thread == 0) workspace.leave();
}

}  // namespace lookback::detail::device
