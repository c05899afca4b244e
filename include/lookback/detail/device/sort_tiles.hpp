/// \file
/// What the blocks of a pass do, over a whole array (sort_pass.hpp) or over segments of one
/// (segmented_sort_pass.hpp). A block claims one tile after the other, loads the next one ahead,
/// and sorts each as sort_tile.hpp says. The pass says where a tile lies, and what there is before
/// it.
///
/// Bytes, of n keys: n read, n written; and for each tile 2 KiB of status words, written twice and
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

/// What one launch of a pass sorts: so many tiles from tile `first` on. The next launch goes on
/// from the starts that this one hands on.
struct sort_portion {
    std::uint64_t first;
    std::uint32_t most_tiles;
    int turn;  ///< the number of the table of starts that this launch reads; there are two
};

/// What a tile knows of the tiles before it.
struct tile_before {
    tile_statuses<std::uint32_t> statuses;  ///< of the tiles that it may look back to
    std::uint32_t number;                   ///< of this tile, among those tiles
    /// Where the keys with this thread's value of the digit begin, from the first of those tiles
    /// on.
    std::uint64_t start;
};

/// The statuses of the tiles from tile `first` of a launch on, each with a row of counts.
__device__ inline tile_statuses<std::uint32_t> statuses_from(
    const workspace_view<std::uint32_t>& workspace, std::uint64_t first) {
    return {static_cast<unsigned char*>(workspace.words) +
                first * digit_values * status_bytes<std::uint32_t>,
            workspace.capacity};
}

/// Sorts the tiles of a portion. `all`: the number of tiles of all portions. For the tile with
/// number t in the portion, tiles.range(t) is from its first item to the end of what is sorted
/// together with it; tiles.before(t), which all threads of a block call, is what there is before
/// it. At the end of the portion the threads for each value call tiles.hand_on(start), with where
/// the next portion goes on.
template <sort_shape shape, class Problem, class Tiles>
__device__ void sort_tiles(const Problem& problem, const planned_pass& plan,
                           const digit_place& place, const Tiles& tiles, std::uint64_t all,
                           const sort_portion& portion,
                           const workspace_view<std::uint32_t>& workspace,
                           sort_pass_memory<Problem, shape>& shared) {
    constexpr unsigned tile_items = shape.items();
    const int thread = thread_in_block();
    const std::uint64_t left = all - portion.first;
    const auto count =
        static_cast<std::uint32_t>(left < portion.most_tiles ? left : portion.most_tiles);
    if (plan.step == sort_step::copy) {
        for (std::uint64_t t = block_in_grid(); t < count; t += blocks_in_grid()) {
            const item_range range = tiles.range(t);
            copy_tile<shape>(problem, plan, range.begin, range.end,
                             [](const auto&) { return true; });
        }
        return;
    }

    // Calls `f` with a tile, whose type says whether it is full.
    const auto with_tile = [&](const item_range& range, const auto& f) {
        if (range.items() >= tile_items) {
            f(sort_tile<Problem, shape, true>(problem, plan, place, shared, range.begin,
                                              tile_items));
        } else {
            f(sort_tile<Problem, shape, false>(problem, plan, place, shared, range.begin,
                                               static_cast<int>(range.items())));
        }
    };
    if (thread == 0) {
        workspace.enter();
        shared.next = claim_next(workspace.counter);
    }
    sync_block();
    claim mine = shared.next;
    typename Problem::word_type word[shape.rows];
    written_digits<Problem, shape> written;
    const auto load = [&](std::uint32_t ticket) {
        if (ticket >= count) return;
        with_tile(tiles.range(ticket), [&](const auto& tile) { tile.load(word); });
    };
    load(mine.ticket);
    while (mine.ticket < count) {
        const item_range range = tiles.range(mine.ticket);
        const tile_before before = tiles.before(mine.ticket);
        with_tile(range, [&](const auto& tile) {
            tile.sort(
                word, written, before.statuses, {mine.epoch, before.number}, before.start,
                [&] {
                    // The last thread claims, because it does not look back.
                    if (thread == shape.threads() - 1) shared.next = claim_next(workspace.counter);
                },
                [&](std::uint32_t up_to) {
                    // The launch before has read the other table of starts, and has ended.
                    if (mine.ticket + 1 == count && left > count) {
                        tiles.hand_on(before.start + up_to);
                    }
                });
        });
        const claim next = shared.next;
        load(next.ticket);
        with_tile(range, [&](const auto& tile) { tile.write(written); });
        mine = next;
    }
    if (thread == 0) workspace.end_claims(mine, count);
    sync_block();  // no thread of the block looks back any more
    if (warp() == 0) workspace.finish(mine.epoch);
    if (thread == 0) workspace.leave();
}

}  // namespace lookback::detail::device
