/// \file
/// How a hybrid sort moves keys (sort_hybrid_state.hpp): a block scatters a tile by one digit. It
/// counts the digits in shared memory, where the old value of a counter is a key's place among the
/// tile's keys with its digit. It takes room for the keys of each digit by an atomic addition, puts
/// the keys in order in shared memory, and writes them: keys with one digit lie side by side.
///
/// Cost: each key is read and written once; an atomic addition in shared memory for each key, and
/// for each tile up to 256 in global memory. These are relaxed: they only hand out places, and the
/// keys are read by later kernels.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/sort_hybrid_state.hpp"
#include "lookback/detail/device/sort_padding.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_ranks.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

template <class Word, sort_shape shape>
struct hybrid_scatter_memory {
    std::uint32_t count[digit_values];   ///< of a digit's keys; then where they begin in the tile
    std::uint32_t offset[digit_values];  ///< from a place in the tile to one in the array
    warp_totals totals;
    alignas(16) Word word[padded(shape.items())];
};

/// Takes a place among the keys with the same digit for the key of each lane. `alike`: the lanes'
/// digits are probably the same. Additions to one counter wait for each other, so then one lane
/// adds for all.
__device__ inline std::uint32_t place_among_equals(std::uint32_t* count, std::uint32_t digit,
                                                   bool has_key, bool alike) {
    if (alike) {
        const bool same = digit == from_lane(digit, 0);
        if (in_all_lanes(has_key && same)) {
            std::uint32_t first = 0;
            if (lane() == 0) first = fetch_add_in_block(&count[digit], warp_lanes);
            return from_lane(first, 0) + static_cast<unsigned>(lane());
        }
    }
    return has_key ? fetch_add_in_block(&count[digit], 1) : 0;
}

/// Scatters the `items` keys of `from` by one digit. `next`: where the next keys with each digit
/// go. `full`: there are as many keys as the tile has room for.
template <sort_shape shape, bool full, class Problem, class From>
__device__ void scatter_tile(const Problem& problem, const From& from, bool are_keys,
                             std::uint64_t first, int items, const digit_place& place,
                             std::uint32_t* next, typename Problem::word_type* out,
                             hybrid_scatter_memory<typename Problem::word_type, shape>& shared) {
    using Word = typename Problem::word_type;
    const int thread = thread_in_block();
    const auto at = [&](int i) { return i * shape.threads() + thread; };
    const auto has = [&](int i) { return full || at(i) < items; };
    const auto padded_at = [&](int i) { return padded_in_row(thread, i, shape.threads()); };
    Word word[shape.rows];
#pragma unroll
    for (int i = 0; i < shape.rows; ++i) {
        word[i] = 0;
        if (has(i)) {
            word[i] = problem.word_from(from, first + static_cast<unsigned>(at(i)), are_keys);
        }
    }
    const bool alike = in_all_lanes(place.of(word[0]) == from_lane(place.of(word[0]), 0));
    packed_numbers<shape.rows> rank;
#pragma unroll
    for (int i = 0; i < shape.rows; ++i) {
        rank.set(i, place_among_equals(shared.count, place.of(word[i]), has(i), alike));
    }
    sync_block();
    std::uint32_t count = 0, up_to = 0, taken = 0, start = 0;
    if (thread < digit_values) {
        count = shared.count[thread];
        if (count > 0) taken = fetch_add(&next[thread], count);
        up_to = scan_lanes(count, warp_lanes, [](auto a, auto b) { return a + b; });
        if (lane() == warp_lanes - 1) shared.totals.of_warp[warp()] = up_to;
    }
    sync_block();
    if (thread < digit_values) {
        start = before_warp(shared.totals) + up_to - count;
        shared.count[thread] = start;
    }
    const digit_place again = place.again();
    sync_block();
#pragma unroll
    for (int i = 0; i < shape.rows; ++i) {
        if (has(i)) shared.word[padded(shared.count[again.of(word[i])] + rank[i])] = word[i];
    }
    if (thread < digit_values) shared.offset[thread] = taken - start;
    sync_block();
#pragma unroll
    for (int i = 0; i < shape.rows; ++i) {
        if (!has(i)) break;
        const Word moved = shared.word[padded_at(i)];
        out[shared.offset[place.of(moved)] + static_cast<unsigned>(at(i))] = moved;
    }
}

/// A block for each tile: of the input, whose keys go to parts in scratch memory; or, `in_parts`,
/// of one of these parts, whose keys go to its buckets in the second room.
template <class Problem, int warps, int rows, int blocks, bool in_parts>
__global__ __launch_bounds__(warps* warp_lanes, blocks) void hybrid_scatter_kernel(
    const __grid_constant__ Problem problem, const sort_sums* sums, sort_hybrid by) {
    constexpr sort_shape shape = {warps, rows, blocks};
    static_assert(shape.threads() >= digit_values, "a thread for each value of the digit");
    auto& shared = *reinterpret_cast<hybrid_scatter_memory<typename Problem::word_type, shape>*>(
        dynamic_shared_memory());
    const unsigned tile = block_in_grid();
    hybrid_table& table = *problem.table;
    if (thread_in_block() < digit_values) shared.count[thread_in_block()] = 0;

    wait_for_previous_kernel();
    if (!(in_parts ? by.goes_on(sums) : begins_hybrid(problem, sums, by))) return;
    const std::uint64_t items = problem.count.get();
    const std::uint64_t tiles =
        in_parts ? table.part_tile[digit_values] : (items + by.tile_items - 1) / by.tile_items;
    if (tile >= tiles) return;
    const item_range range = in_parts ? table.of_tile(tile, by.tile_items)
                                      : item_range{std::uint64_t{tile} * by.tile_items, items};
    const digit_place place = in_parts ? table.bucket_digit(by) : table.part_digit(by);
    std::uint32_t* const next =
        in_parts ? table.next + table.owner[tile] * by.buckets_of_part() : table.part_next;
    auto* const out = problem.key_room[in_parts ? 1 : 0];
    sync_block();  // the counters are cleared
    problem.with_keys(in_parts ? sort_array::room : sort_array::input, [&](const auto& from,
                                                                           bool are_keys) {
        if (range.items() >= static_cast<unsigned>(shape.items())) {
            scatter_tile<shape, true>(problem, from, are_keys, range.begin, shape.items(), place,
                                      next, out, shared);
        } else {
            scatter_tile<shape, false>(problem, from, are_keys, range.begin,
                                       static_cast<int>(range.items()), place, next, out, shared);
        }
    });
}

}  // namespace lookback::detail::device
