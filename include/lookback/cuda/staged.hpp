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

#include "lookback/cuda/hardware.hpp"
#include "lookback/cuda/look_back.hpp"
#include "lookback/cuda/tile_scan.hpp"
#include "lookback/cuda/tile_status.hpp"
#include "lookback/cuda/workspace.hpp"

namespace lookback::detail::gpu {

template <class Problem, int warps>
__global__ __launch_bounds__(warps* warp_lanes) void staged_kernel(
    const __grid_constant__ Problem problem,
    workspace_view<typename Problem::value_type> workspace) {
    using A = typename Problem::value_type;
    using chunk_of_thread = chunk<A, A, false>;
    constexpr int threads = warps * warp_lanes;
    constexpr int tile_items = threads * chunk_of_thread::items;
    constexpr int items_of_warp = warp_lanes * chunk_of_thread::items;
    const int thread = static_cast<int>(threadIdx.x);

    __shared__ alignas(16) unsigned char stage_bytes[tile_items * sizeof(A)];
    __shared__ alignas(16) unsigned char totals_bytes[warps * sizeof(A)];
    __shared__ alignas(16) unsigned char prefix_bytes[sizeof(maybe<A>)];
    __shared__ claim shared_claim;
    A* const stage = reinterpret_cast<A*>(stage_bytes);
    auto& shared_prefix = reinterpret_cast<maybe<A>&>(prefix_bytes);
    unsigned char* const my_chunk = stage_bytes + thread * chunk_of_thread::bytes;

    wait_for_previous_kernel();
    const std::uint64_t all_items = problem.count.get();
    const auto tiles = static_cast<std::uint32_t>((all_items + tile_items - 1) / tile_items);
    auto statuses = workspace.statuses();

    // 1. claim
    if (thread == 0) {
        workspace.enter();
        shared_claim = claim_next(workspace.counter);
    }
    sync_block();
    claim mine = shared_claim;
    look_back<A, decltype(Problem::op)> fold(statuses, mine.epoch, problem.init.get(), problem.op);

    while (mine.ticket < tiles) {
        const std::uint64_t first = std::uint64_t{mine.ticket} * tile_items;
        const std::uint64_t left = all_items - first;
        const int items = left < tile_items ? static_cast<int>(left) : tile_items;

        // 2. load and reduce
#pragma unroll
        for (int i = 0; i < chunk_of_thread::items; ++i) {
            const int at = i * threads + thread;
            if (at < items) stage[at] = problem.load(first + static_cast<std::uint64_t>(at));
        }
        sync_block();
        const int left_at_mine = items - thread * chunk_of_thread::items;
        A total{};
        if (left_at_mine > 0) {
            chunk_of_thread chunk;
            chunk.load(my_chunk);
            total = chunk.template fold<false>(left_at_mine, problem.op);
        }
        const auto place_of_mine = place_thread<warps>(
            total, lanes_in_use(items - warp() * items_of_warp, chunk_of_thread::items),
            (items + items_of_warp - 1) / items_of_warp, reinterpret_cast<A*>(totals_bytes),
            problem.op, [] { sync_block(); });

        // 3. publish, 4. look back
        if (warp() == 0) {
            if (lane() == 0) {
                statuses.publish(mine.ticket, mine.epoch, place_of_mine.aggregate);
                shared_claim = claim_next(workspace.counter);
            }
            const maybe<A> prefix = fold.before(mine.ticket);
            if (lane() == 0) shared_prefix = prefix;
        }
        sync_block();

        // 5. scan and emit
        if (left_at_mine > 0) {
            chunk_of_thread chunk;
            chunk.load(my_chunk);
            chunk.template scan<Problem::is_exclusive, false>(
                combine(shared_prefix, place_of_mine.before, problem.op), left_at_mine, problem.op);
            chunk.template store<A>(my_chunk);
        }
        mine = shared_claim;
        sync_block();
#pragma unroll
        for (int i = 0; i < chunk_of_thread::items; ++i) {
            const int at = i * threads + thread;
            if (at < items) problem.store(first + static_cast<std::uint64_t>(at), stage[at]);
        }
        sync_block();
    }
    if (thread == 0) workspace.end_claims(mine, tiles);
    if (warp() == 0) workspace.finish(mine.epoch);
    if (thread == 0) workspace.leave();
}

}  // namespace lookback::detail::gpu
