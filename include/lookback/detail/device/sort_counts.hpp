/// \file
/// The counting kernel of a sort: it reads the keys once and counts all their digits. The block
/// that finishes last makes the plan of the passes, and finds where the keys with each digit begin.
///
/// Cost: each key is read once, and for each digit a counter in the block's shared memory is
/// incremented.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/sort_buckets.hpp"
#include "lookback/detail/device/sort_plan.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_vectors.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

/// What a block counts, and what the last block finds out.
template <class Word>
struct sort_count_memory {
    std::uint32_t count[sizeof(Word)][digit_values];
    bool same_in_all[most_digits];
    bool is_last;
};

/// Counts this block's part of the keys: part `part` of `parts`.
template <int threads, class Problem>
__device__ void count_digits(const Problem& problem, std::uint64_t items, unsigned part,
                             unsigned parts,
                             sort_count_memory<typename Problem::word_type>& shared) {
    const int digits = problem.digits.digits();
    each_keys<threads>(problem, items, part, parts, [&](const auto& words) {
        for (int d = 0; d < digits; ++d) {
            const digit_place place(problem.digits, d);
#pragma unroll
            for (const auto word : words) add_in_block(&shared.count[d][place.of(word)], 1);
        }
    });
}

/// From the counts of all keys, finds where the keys with each digit begin, and makes the plan;
/// clears the sums for the next call. Called by the block that finishes last, which sees the counts
/// of all others.
template <int threads, class Problem>
__device__ void finish_counts(const Problem& problem, sort_sums* sums, std::uint64_t items,
                              bool is_done,
                              sort_count_memory<typename Problem::word_type>& shared) {
    constexpr int per_lane = digit_values / warp_lanes;
    const int digits = problem.digits.digits();
    for (int d = warp(); d < digits; d += threads / warp_lanes) {
        std::uint64_t count[per_lane], sum = 0;
        bool all = false;
#pragma unroll
        for (int i = 0; i < per_lane; ++i) {
            count[i] = load_relaxed(&sums->counts[d][lane() * per_lane + i]);
            all = all || count[i] == items;
            sum += count[i];
        }
        const auto plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };
        std::uint64_t start = scan_lanes(sum, warp_lanes, plus) - sum;
#pragma unroll
        for (int i = 0; i < per_lane; ++i) {
            problem.state->starts[d][0][lane() * per_lane + i] = start;
            start += count[i];
        }
        all = ballot(all) != 0;
        if (lane() == 0) shared.same_in_all[d] = all;
    }
    sync_block();
    for (int i = thread_in_block(); i < most_digits * digit_values; i += threads) {
        store_relaxed(&sums->counts[0][0] + i, std::uint64_t{0});
    }
    clear_dealing<threads>(sums);
    if (thread_in_block() == 0) {
        plan_passes(shared.same_in_all, is_done, problem.digits, problem.layout,
                    problem.state->pass);
        store_relaxed(&sums->blocks, std::uint64_t{0});
    }
}

/// `looked`: whether the kernel of sort_copy.hpp ran before this one. If it found that the keys are
/// sorted, nothing is left to do. `dealt`: whether the kernels of sort_buckets.hpp or of a hybrid
/// sort ran before. If they have sorted the keys, there is not even a plan to make.
template <class Problem, int threads>
__global__ __launch_bounds__(threads, multiprocessor_threads / threads) void sort_count_kernel(
    const __grid_constant__ Problem problem, sort_sums* sums, bool looked, bool dealt) {
    using memory = sort_count_memory<typename Problem::word_type>;
    auto& shared = shared_memory<memory>();
    const int thread = thread_in_block();
    std::uint32_t* const counts = &shared.count[0][0];
    const int counters = problem.digits.digits() * digit_values;
    for (int i = thread; i < counters; i += threads) counts[i] = 0;
    sync_block();

    wait_for_previous_kernel();
    if (dealt && problem.state->in_buckets) {
        if (block_in_grid() == 0) clear_dealing<threads>(sums);
        return;
    }
    const std::uint64_t items = problem.count.get();
    const bool is_done = looked && load_relaxed(&sums->unsorted) == 0;
    if (!is_done) count_digits<threads>(problem, items, block_in_grid(), blocks_in_grid(), shared);
    sync_block();
    for (int i = thread; i < counters; i += threads) {
        if (counts[i] > 0) add(&sums->counts[0][0] + i, counts[i]);
    }
    sync_block();
    if (thread == 0) {
        // Each block adds its counts, and then adds itself to the number of blocks. The block that
        // is the last to do so has seen the others' additions to that number, so it also sees their
        // counts. All these operations are relaxed, so there is a fence on either side.
        fence();
        shared.is_last = fetch_add(&sums->blocks, 1) == blocks_in_grid() - 1;
        fence();
    }
    sync_block();
    if (shared.is_last) {
        finish_counts<threads>(problem, sums, items, is_done, shared);
    }
}

}  // namespace lookback::detail::device
