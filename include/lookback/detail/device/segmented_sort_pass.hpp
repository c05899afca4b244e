/// \file
/// One pass over all large segments: as sort_pass.hpp, but for tiles that are each of one segment.
/// Tiles of a segment are numbered side by side, and claimed in that order; each looks back as far
/// as its segment's first one, whose counts are all there is before.
///
/// Bytes, of n keys of large segments: n read, n written; and 2 KiB of status words for each tile.
///
/// Source: Adinets & Merrill 2022, "Onesweep: A Faster Least Significant Digit Radix Sort for
/// GPUs".
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/segmented_sort_problem.hpp"
#include "lookback/detail/device/sort_copy.hpp"
#include "lookback/detail/device/sort_plan.hpp"
#include "lookback/detail/device/sort_tile.hpp"
#include "lookback/detail/device/workspace.hpp"

namespace lookback::detail::device {

/// What one launch of a pass sorts: so many tiles from tile `first` on. A segment that it leaves in
/// its middle goes on in the next launch from the starts that are carried over.
struct tile_portion {
    std::uint64_t first;
    std::uint32_t most_tiles;
    int turn;  ///< of the two rows that are carried, the one that this launch reads
};

/// Where one of the tiles lies.
struct tile_of_segment {
    large_segment segment;
    std::uint32_t number;  ///< of the segment
    std::uint64_t before;  ///< tiles of the segment that are before it

    template <class Segmented>
    __device__ static tile_of_segment find(const Segmented& problem, std::uint64_t tile) {
        const std::uint32_t number = problem.lists.owner[tile];
        const large_segment segment = problem.lists.large[number];
        return {segment, number, tile - segment.first_tile};
    }
    __device__ std::uint64_t first_item(unsigned tile_items) const {
        return segment.range.begin + before * tile_items;
    }
};

template <class Problem, sort_shape shape>
struct segmented_sort_pass_memory {
    sort_pass_memory<Problem, shape> tile;
    planned_pass plan;
};

template <class Segmented>
__device__ planned_pass plan_of_pass(const Segmented& problem, int pass) {
    bool same_in_all[most_digits];
    for (int d = 0; d < most_digits; ++d) same_in_all[d] = problem.lists.head->varies[d] == 0;
    planned_pass plan[most_passes];
    plan_passes(same_in_all, false, problem.sort.digits, problem.sort.layout, plan);
    return plan[pass];
}

template <class Segmented, int warps, int rows, int blocks>
__global__ __launch_bounds__(warps* warp_lanes, blocks) void segmented_sort_pass_kernel(
    const __grid_constant__ Segmented problem, workspace_view<std::uint32_t> workspace, int pass,
    tile_portion portion) {
    constexpr sort_shape shape = {warps, rows, blocks};
    constexpr unsigned tile_items = shape.items();
    using Problem = typename Segmented::sort_type;
    const int thread = thread_in_block();
    auto& memory =
        *reinterpret_cast<segmented_sort_pass_memory<Problem, shape>*>(dynamic_shared_memory());
    auto& shared = memory.tile;

    wait_for_previous_kernel();
    const std::uint64_t all_tiles = problem.lists.head->tiles;
    // All blocks find the same, so that either all claim or none does.
    if (all_tiles <= portion.first) return;
    if (thread == 0) memory.plan = plan_of_pass(problem, pass);
    sync_block();
    const planned_pass plan = memory.plan;
    if (plan.step == sort_step::nothing) return;
    const std::uint64_t left = all_tiles - portion.first;
    const auto tiles =
        static_cast<std::uint32_t>(left < portion.most_tiles ? left : portion.most_tiles);
    const digit_place place(problem.sort.digits, pass);
    // Calls `f` with a tile, whose kind says whether it is full.
    const auto with_tile = [&](const tile_of_segment& mine, const auto& f) {
        const std::uint64_t first = mine.first_item(tile_items);
        const std::uint64_t items = mine.segment.range.end - first;
        if (items >= tile_items) {
            f(sort_tile<Problem, shape, true>(problem.sort, plan, place, shared, first,
                                              tile_items));
        } else {
            f(sort_tile<Problem, shape, false>(problem.sort, plan, place, shared, first,
                                               static_cast<int>(items)));
        }
    };
    if (plan.step == sort_step::copy) {
        for (std::uint64_t t = block_in_grid(); t < tiles; t += blocks_in_grid()) {
            const auto here = tile_of_segment::find(problem, portion.first + t);
            copy_tile<shape>(problem.sort, plan, here.first_item(tile_items),
                             here.segment.range.end, [](const auto&) { return true; });
        }
        return;
    }

    if (thread == 0) {
        workspace.enter();
        shared.next = claim_next(workspace.counter);
    }
    sync_block();
    claim mine = shared.next;
    typename Problem::word_type word[shape.rows];
    written_digits<Problem, shape> written;
    const auto load = [&](std::uint32_t ticket) {
        if (ticket >= tiles) return;
        with_tile(tile_of_segment::find(problem, portion.first + ticket),
                  [&](const auto& tile) { tile.load(word); });
    };
    load(mine.ticket);
    while (mine.ticket < tiles) {
        const std::uint64_t number = portion.first + mine.ticket;
        const auto tile_here = tile_of_segment::find(problem, number);
        // Of this segment, tiles before this launch's are in what is carried.
        const bool goes_on = tile_here.segment.first_tile < portion.first;
        const std::uint64_t first_tile = goes_on ? portion.first : tile_here.segment.first_tile;
        const tile_statuses<std::uint32_t> statuses(
            static_cast<unsigned char*>(workspace.words) +
                (first_tile - portion.first) * digit_values * status_bytes<std::uint32_t>,
            workspace.capacity);
        std::uint64_t start = 0;
        if (thread < digit_values) {
            start = goes_on ? problem.lists.carried[portion.turn * digit_values + thread]
                            : problem.starts_of(tile_here.number, pass)[thread];
        }
        with_tile(tile_here, [&](const auto& tile) {
            tile.sort(
                word, written, statuses,
                {mine.epoch, static_cast<std::uint32_t>(number - first_tile)}, start,
                [&] {
                    // By the last thread, which has nothing else to wait for.
                    if (thread == shape.threads() - 1) shared.next = claim_next(workspace.counter);
                },
                [&](std::uint32_t count) {
                    // The other row was read by the launch before, which has ended.
                    if (mine.ticket + 1 == tiles && left > tiles) {
                        problem.lists.carried[(1 - portion.turn) * digit_values + thread] =
                            start + count;
                    }
                });
        });
        const claim next = shared.next;
        load(next.ticket);
        with_tile(tile_here, [&](const auto& tile) { tile.write(written); });
        mine = next;
    }
    if (thread == 0) workspace.end_claims(mine, tiles);
    sync_block();  // no thread of the block looks back any more
    if (warp() == 0) workspace.finish(mine.epoch);
    if (thread == 0) workspace.leave();
}

}  // namespace lookback::detail::device
