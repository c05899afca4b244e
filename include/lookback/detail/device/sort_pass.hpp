/// \file
/// One pass of a sort: by one digit, from one array to another, each key read and written once.
/// A block claims one tile after the other, and does with it what sort_tile.hpp says.
///
/// Bytes, of n keys: n read, n written; and of each tile 2 KiB of status words, written twice and
/// read a few times, from L2.
///
/// Source: Adinets & Merrill 2022, "Onesweep: A Faster Least Significant Digit Radix Sort for
/// GPUs".
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_copy.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_tile.hpp"
#include "lookback/detail/device/workspace.hpp"

namespace lookback::detail::device {

/// What one launch of a pass sorts: the tiles from item `first` on. Of a large array, the next one
/// goes on from the starts that this one leaves.
struct sort_portion {
    std::uint64_t first;
    std::uint32_t most_tiles;
    int turn;  ///< of the two tables of starts, the one that this launch reads
};

/// A pass over digit `digit`, of a portion.
template <class Problem, int warps, int rows, int blocks>
__global__ __launch_bounds__(warps* warp_lanes,
                             blocks) void sort_pass_kernel(const __grid_constant__ Problem problem,
                                                           workspace_view<std::uint32_t> workspace,
                                                           int digit, sort_portion portion) {
    constexpr sort_shape shape = {warps, rows, blocks};
    constexpr unsigned tile_items = shape.items();
    using memory = sort_pass_memory<Problem, shape>;
    const int thread = thread_in_block();
    auto& shared = *reinterpret_cast<memory*>(dynamic_shared_memory());

    wait_for_previous_kernel();
    const planned_pass plan = problem.state->pass[digit];
    const std::uint64_t all_items = problem.count.get();
    // All blocks find the same, so that either all claim or none does.
    if (plan.step == sort_step::nothing || all_items <= portion.first) return;
    const std::uint64_t left = all_items - portion.first;
    const std::uint64_t most_items = std::uint64_t{portion.most_tiles} * tile_items;
    const auto tiles = static_cast<std::uint32_t>(
        left < most_items ? (left + tile_items - 1) / tile_items : portion.most_tiles);
    const digit_place place(problem.digits, digit);
    // Calls `f` with a tile, whose type says whether it is full.
    const auto with_tile = [&](std::uint64_t tile, const auto& f) {
        const std::uint64_t first = portion.first + tile * tile_items;
        const std::uint64_t items = all_items - first;
        if (items >= tile_items) {
            f(sort_tile<Problem, shape, true>(problem, plan, place, shared, first, tile_items));
        } else {
            f(sort_tile<Problem, shape, false>(problem, plan, place, shared, first,
                                               static_cast<int>(items)));
        }
    };
    if (plan.step == sort_step::copy) {
        for (std::uint64_t t = block_in_grid(); t < tiles; t += blocks_in_grid()) {
            copy_tile<shape>(problem, plan, portion.first + t * tile_items, all_items,
                             [](const auto&) { return true; });
        }
        return;
    }

    if (thread == 0) {
        workspace.enter();
        shared.next = claim_next(workspace.counter);
    }
    const auto& starts = problem.state->starts[digit];
    const std::uint64_t start = thread < digit_values ? starts[portion.turn][thread] : 0;
    sync_block();
    claim mine = shared.next;
    typename Problem::word_type word[shape.rows];
    written_digits<Problem, shape> written;
    if (mine.ticket < tiles) with_tile(mine.ticket, [&](const auto& tile) { tile.load(word); });
    while (mine.ticket < tiles) {
        with_tile(mine.ticket, [&](const auto& tile) {
            tile.sort(
                word, written, workspace.statuses(), mine, start,
                [&] {
                    // By the last thread, which has nothing else to wait for.
                    if (thread == shape.threads() - 1) shared.next = claim_next(workspace.counter);
                },
                [&](std::uint32_t count) {
                    // The other table of starts was read by the launch before, which has ended.
                    if (mine.ticket + 1 == tiles && left > most_items) {
                        problem.state->starts[digit][1 - portion.turn][thread] = start + count;
                    }
                });
        });
        const claim next = shared.next;
        if (next.ticket < tiles) with_tile(next.ticket, [&](const auto& tile) { tile.load(word); });
        with_tile(mine.ticket, [&](const auto& tile) { tile.write(written); });
        mine = next;
    }
    if (thread == 0) workspace.end_claims(mine, tiles);
    sync_block();  // no thread of the block looks back any more
    if (warp() == 0) workspace.finish(mine.epoch);
    if (thread == 0) workspace.leave();
}

}  // namespace lookback::detail::device
