/// \file
/// What a sort copies: a tile, in a pass that only copies; and, before a large sort, all keys as
/// long as they are sorted, in a kernel that stops at a key that is not.
///
/// So sorted keys are read once and written once. Other keys cost a launch and the copies made
/// until one out of order is found: a few tiles of random keys, nearly the whole array if only its
/// last keys are out of order. The passes then write over the output. So the output may not lie
/// over an input, unless each output is its own input, in which case nothing is copied.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_values.hpp"

namespace lookback::detail::device {

/// Calls `f` for each of this warp's rows of 32 among the `items` items of the block's tile: with
/// this thread's place, and the number of items in the row.
template <sort_shape shape, class F>
__device__ void each_row(int items, const F& f) {
    for (int at = warp() * warp_lanes; at < items; at += shape.threads()) {
        const int left = items - at;
        f(at + lane(), left < warp_lanes ? left : warp_lanes);
    }
}

/// The place of this thread's key in its warp's row `i`. The rows of a warp lie side by side.
template <sort_shape shape>
__device__ int copied_place(int i) {
    return (warp() * shape.rows + i) * warp_lanes + lane();
}

/// Copies the `items` items of a tile that begins with item `first`. `full`: `items` is as many as
/// a tile can have. All threads call `may_write(words)` after the keys have been read and before
/// any is written.
template <sort_shape shape, bool full, class Problem, class MayWrite>
__device__ void copy_tile(const Problem& problem, const planned_pass& plan, std::uint64_t first,
                          int items, const MayWrite& may_write) {
    using Word = typename Problem::word_type;
    const auto is_in = [&](int i) { return full || copied_place<shape>(i) < items; };
    Word word[shape.rows];
    problem.with_keys(plan.from, [&](const auto& from, bool are_keys) {
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            const std::uint64_t at = first + copied_place<shape>(i);
            // Behind the last key, threads hold a word that comes after all keys.
            word[i] =
                is_in(i) ? problem.word_from(from, at, are_keys) : static_cast<Word>(~Word{0});
        }
    });
    if (!may_write(word)) return;
    const bool keys_stay =
        problem.layout.keys_stay && plan.from == sort_array::input && plan.to == sort_array::output;
    if (!keys_stay) {
        problem.with_keys_out(plan.to, [&](const auto& to, bool as_keys) {
#pragma unroll
            for (int i = 0; i < shape.rows; ++i) {
                const std::uint64_t at = first + copied_place<shape>(i);
                if (is_in(i)) store_key(to, at, problem.bits_of(word[i], as_keys));
            }
        });
    }
    if constexpr (Problem::has_values) {
        problem.with_values(plan.from, [&](const auto& from) {
            problem.with_values_out(plan.to, [&](const auto& to) {
                each_row<shape>(items, [&](int at, int count) {
                    move_values(from, to, count, first + at, first + at);
                });
            });
        });
    }
}
/// The same, for a tile that begins with item `first` of `all`.
template <sort_shape shape, class Problem, class MayWrite>
__device__ void copy_tile(const Problem& problem, const planned_pass& plan, std::uint64_t first,
                          std::uint64_t all, const MayWrite& may_write) {
    if (all - first >= shape.items()) {
        copy_tile<shape, true>(problem, plan, first, shape.items(), may_write);
    } else {
        copy_tile<shape, false>(problem, plan, first, static_cast<int>(all - first), may_write);
    }
}

/// Whether a key of this thread comes after a larger one, comparing the bits that are sorted by.
template <sort_shape shape, class Problem>
__device__ bool finds_unsorted(const Problem& problem, std::uint64_t first, std::uint64_t all,
                               const typename Problem::word_type (&word)[shape.rows]) {
    using Word = typename Problem::word_type;
    const Word bits = problem.digits.template bits<Word>();
    const std::uint64_t mine = first + copied_place<shape>(0);
    // The key of the lane below; in lane 0, that of the last lane of the previous row.
    Word carried{};
    if (lane() == 0 && mine > 0 && mine < all)
        carried = static_cast<Word>(problem.word(mine - 1) & bits);
    bool unsorted = false;
#pragma unroll
    for (int i = 0; i < shape.rows; ++i) {
        const Word key = static_cast<Word>(word[i] & bits);
        const Word below = from_lane(key, (lane() + warp_lanes - 1) % warp_lanes);
        unsorted = unsorted || key < (lane() == 0 ? carried : below);
        carried = below;
    }
    return unsorted;
}

/// Copies as long as everything is sorted; otherwise says so in `sums`.
template <class Problem, int warps, int rows>
__global__ __launch_bounds__(warps* warp_lanes) void sort_copy_kernel(
    const __grid_constant__ Problem problem, sort_sums* sums) {
    constexpr sort_shape shape = {warps, rows, 1};
    constexpr planned_pass all = {sort_step::copy, sort_array::input, sort_array::output};
    wait_for_previous_kernel();
    const std::uint64_t items = problem.count.get();
    bool go_on = true;
    for (std::uint64_t first = std::uint64_t{block_in_grid()} * shape.items();
         go_on && first < items; first += std::uint64_t{blocks_in_grid()} * shape.items()) {
        copy_tile<shape>(problem, all, first, items, [&](const auto& word) {
            const bool others = thread_in_block() == 0 && load_relaxed(&sums->unsorted) > 0;
            go_on = !sync_block_or(finds_unsorted<shape>(problem, first, items, word) || others);
            return go_on && !problem.layout.same;
        });
    }
    if (!go_on && thread_in_block() == 0) store_relaxed(&sums->unsorted, std::uint64_t{1});
}

}  // namespace lookback::detail::device
