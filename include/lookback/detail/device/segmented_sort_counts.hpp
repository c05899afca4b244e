/// \file
/// What passes over large segments have to know: for each segment and each digit, how many keys
/// have each value, and where these begin.
///
/// Cost: each key is read once (sort_counts.hpp). For each digit of each segment there is a row of
/// 256 counts. Each block that has keys of the segment adds to it; then it is read and written
/// once.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/segmented_sort_problem.hpp"
#include "lookback/detail/device/sort_counts.hpp"
#include "lookback/detail/device/sort_items.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

/// A part of the keys, as a problem for count_digits.
template <class Problem>
struct part_of_keys {
    using word_type = typename Problem::word_type;
    using Keys = decltype(Problem::keys);

    std::conditional_t<std::is_pointer_v<Keys>, Keys, keys_behind<Keys>> keys;
    key_code<word_type> code;
    digit_range digits;

    __device__ word_type word(std::uint64_t i) const { return code.word(keys[i]); }
};

/// Each block counts tiles that lie side by side, so it adds to few rows.
template <class Segmented, int threads>
__global__ __launch_bounds__(threads) void segmented_sort_count_kernel(
    const __grid_constant__ Segmented problem) {
    using Problem = typename Segmented::sort_type;
    using Word = typename Problem::word_type;
    auto& shared = shared_memory<sort_count_memory<Word>>();
    std::uint32_t* const totals = &shared.count[0][0];
    const int counters = problem.sort.digits.digits() * digit_values;
    for (int i = thread_in_block(); i < counters; i += threads) totals[i] = 0;
    sync_block();

    wait_for_previous_kernel();
    const segment_lists& lists = problem.lists;
    const auto tile_items = static_cast<unsigned>(problem.tile_items);
    const std::uint64_t tiles = lists.head->tiles;
    const std::uint64_t share = (tiles + blocks_in_grid() - 1) / blocks_in_grid();
    std::uint64_t tile = block_in_grid() * share;
    const std::uint64_t end = tile + share < tiles ? tile + share : tiles;
    while (tile < end) {
        const std::uint32_t number = lists.owner[tile];
        const large_segment segment = lists.large[number];
        const std::uint64_t first = segment.range.begin + (tile - segment.first_tile) * tile_items;
        const std::uint64_t most = (end - tile) * tile_items;
        const std::uint64_t left = segment.range.end - first;
        const std::uint64_t items = left < most ? left : most;
        const part_of_keys<Problem> part{keys_from_item(problem.sort.keys, first),
                                         problem.sort.code, problem.sort.digits};
        count_digits<threads>(part, items, 0, 1, shared);
        sync_block();
        std::uint64_t* const row = problem.starts_of(number, 0);
        for (int i = thread_in_block(); i < counters; i += threads) {
            if (totals[i] > 0) add(row + i, totals[i]);
            totals[i] = 0;
        }
        sync_block();
        tile += (items + tile_items - 1) / tile_items;
    }
}

inline constexpr int start_threads = 128;

/// From the counts, finds where the keys with each value begin; a warp for each row. Also finds
/// which digits differ within some segment.
template <class Segmented>
__global__ __launch_bounds__(start_threads) void segmented_sort_starts_kernel(
    const __grid_constant__ Segmented problem) {
    constexpr int per_lane = digit_values / warp_lanes;
    wait_for_previous_kernel();
    const segment_lists& lists = problem.lists;
    const auto digits = static_cast<unsigned>(problem.sort.digits.digits());
    const std::uint64_t rows = std::uint64_t{lists.head->large} * digits;
    for (std::uint64_t r = thread_in_grid() / warp_lanes; r < rows;
         r += threads_in_grid() / warp_lanes) {
        const item_range segment = lists.large[r / digits].range;
        std::uint64_t* const row = lists.starts + r * digit_values + lane() * per_lane;
        std::uint64_t count[per_lane], sum = 0;
        bool all = false;
#pragma unroll
        for (int i = 0; i < per_lane; ++i) {
            count[i] = row[i];
            all = all || count[i] == segment.items();
            sum += count[i];
        }
        const auto plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };
        std::uint64_t start = segment.begin + scan_lanes(sum, warp_lanes, plus) - sum;
#pragma unroll
        for (int i = 0; i < per_lane; ++i) {
            row[i] = start;
            start += count[i];
        }
        if (ballot(all) == 0 && lane() == 0) {
            // Other warps may do the same.
            store_relaxed(&lists.head->varies[r % digits], std::uint8_t{1});
        }
    }
}

}  // namespace lookback::detail::device
