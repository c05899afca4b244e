/// \file
/// The kernels that sort segments which fit in a block but not in a warp: one kernel for bundles,
/// and one for pieces. In both, a block sorts one after another.
///
/// A block that sorts a bundle first sorts its keys by their digits, across all segments, and then
/// by the numbers of their segments. It goes from the lowest digit to the highest, as in any such
/// sort. It lists a segment that it has no room for.
///
/// Bytes: each key and value of such segments is read and written once, and each offset is read
/// once (the next segment's from cache).
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/segmented_sort_heads.hpp"
#include "lookback/detail/device/segmented_sort_problem.hpp"
#include "lookback/detail/device/sort_block.hpp"

namespace lookback::detail::device {

template <class Problem, sort_shape shape>
struct bundle_memory {
    sort_block_memory<Problem, shape, true> items;
    bundle_heads_memory<shape> heads;
    std::uint64_t first_tile;  ///< of the segment that is being listed
    std::uint32_t number;
};

/// Lists a segment, which is sorted later. All threads of a block call it. For a large segment, it
/// also sets the counts to 0, and tells the tiles which segment they are part of.
template <class Segmented, class Memory>
__device__ void list_segment(const Segmented& problem, const item_range& range, int threads,
                             Memory& shared) {
    const segment_lists& lists = problem.lists;
    const auto thread = static_cast<unsigned>(thread_in_block());
    if (range.items() <= static_cast<unsigned>(problem.piece_room)) {
        if (thread == 0) lists.piece[fetch_add(&lists.head->pieces, 1)] = range;
        return;
    }
    const auto tile_items = static_cast<unsigned>(problem.tile_items);
    const std::uint64_t tiles = (range.items() + tile_items - 1) / tile_items;
    if (thread == 0) {
        shared.number = fetch_add(&lists.head->large, 1);
        shared.first_tile = fetch_add(&lists.head->tiles, tiles);
        lists.large[shared.number] = {range, shared.first_tile};
    }
    sync_block();
    const std::uint32_t number = shared.number;
    const std::uint64_t first_tile = shared.first_tile;
    for (std::uint64_t t = thread; t < tiles; t += static_cast<unsigned>(threads)) {
        lists.owner[first_tile + t] = number;
    }
    const int counts = problem.sort.digits.digits() * digit_values;
    for (int i = thread_in_block(); i < counts; i += threads) problem.starts_of(number, 0)[i] = 0;
}

/// Sorts the listed bundles, one after another.
template <class Segmented, int warps, int rows, int blocks>
__global__ __launch_bounds__(warps* warp_lanes, blocks) void segmented_sort_bundle_kernel(
    const __grid_constant__ Segmented problem) {
    constexpr sort_shape shape = {warps, rows, blocks};
    using Problem = typename Segmented::sort_type;
    auto& shared = *reinterpret_cast<bundle_memory<Problem, shape>*>(dynamic_shared_memory());

    wait_for_previous_kernel();
    const std::uint64_t items = problem.sort.count.get();
    const std::uint32_t bundles = problem.lists.head->bundles;
    for (std::uint64_t b = block_in_grid(); b < bundles; b += blocks_in_grid()) {
        bundle mine = problem.bundle_at(problem.lists.bundle[b]);
        if (mine.range.items() > static_cast<unsigned>(shape.items())) {
            --mine.last;
            const std::uint64_t end = problem.offset(mine.last, items);
            list_segment(problem, {end, mine.range.end}, shape.threads(), shared);
            mine.range.end = end;
        }
        if (mine.range.items() > 0) {
            sort_block<Problem, shape, true> block(problem.sort, shared.items, sort_array::input,
                                                   mine.range);
            bundle_heads<shape> heads(shared.heads, static_cast<int>(mine.range.items()));
            block.read();
            heads.find(problem, mine, items, reinterpret_cast<std::uint8_t*>(shared.items.source));
            block.make_words();
            block.sort_by_digits(problem.sort.digits);
            block.sort_by_number(heads.count(), [&](std::uint32_t at) { return heads.number(at); });
            block.store(sort_array::output);
        }
        sync_block();  // all have read what the next bundle overwrites
    }
}

template <class Problem, sort_shape shape>
using piece_memory = sort_block_memory<Problem, shape, Problem::has_values>;

/// Sorts the pieces, one after another.
template <class Segmented, int warps, int rows, int blocks>
__global__ __launch_bounds__(warps* warp_lanes, blocks) void segmented_sort_piece_kernel(
    const __grid_constant__ Segmented problem) {
    constexpr sort_shape shape = {warps, rows, blocks};
    using Problem = typename Segmented::sort_type;
    auto& shared = *reinterpret_cast<piece_memory<Problem, shape>*>(dynamic_shared_memory());
    wait_for_previous_kernel();
    const std::uint32_t pieces = problem.lists.head->pieces;
    for (std::uint64_t p = block_in_grid(); p < pieces; p += blocks_in_grid()) {
        sort_block<Problem, shape> block(problem.sort, shared, sort_array::input,
                                         problem.lists.piece[p]);
        block.read();
        block.make_words();
        block.sort_by_digits(problem.sort.digits);
        block.store(sort_array::output);
    }
}

}  // namespace lookback::detail::device
