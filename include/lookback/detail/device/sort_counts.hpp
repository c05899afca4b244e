/// \file
/// The first kernel of a sort: reads the keys once, counts all their digits, and finds whether they
/// are sorted already. The block that is done last makes the plan of the passes, and says where
/// the keys with each digit begin.
///
/// Cost: each key is read once (twice from cache, by another warp, where keys have more than four
/// digits). A warp counts up to four digits, in columns of 8 KiB each (sort_columns.hpp).
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_columns.hpp"
#include "lookback/detail/device/sort_plan.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_vectors.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

/// How the digits of a word are divided among warps: a team of them counts the same keys; where
/// there are fewer warps than that takes, each counts all of its keys' digits, some after others.
template <class Word>
struct count_shape {
    static constexpr int digits = sizeof(Word);
    static constexpr int of_warp = digits < 4 ? digits : 4;
    static constexpr int whole_team = digits / of_warp;
    __host__ __device__ static constexpr int team(int warps) {
        return warps < whole_team ? 1 : whole_team;
    }

    static constexpr int bytes_of_warp = of_warp * static_cast<int>(sizeof(digit_columns));
    /// The block's totals, and what it finds out.
    struct totals {
        std::uint32_t count[digits][digit_values];
        bool same_in_all[most_digits];
        bool is_last;
    };
    static constexpr int bytes(int warps) {
        return warps * bytes_of_warp + static_cast<int>(sizeof(totals));
    }
};

/// A warp that counts.
template <class Problem>
class counting_warp {
    using Word = typename Problem::word_type;
    using shape = count_shape<Word>;
    using vectors = key_vectors<Problem>;

 public:
    /// `team`: how many warps count the same keys.
    __device__ counting_warp(const Problem& problem, digit_columns* columns, std::uint64_t items,
                             int team)
        : keys_(problem, items),
          columns_(columns),
          team_(team),
          range_(problem.digits),
          // Beyond the range's bits, all words are the same.
          in_range_(mask_of(problem.digits)) {}

    /// Counts the keys that are this team's, number `mine` of `teams`; says whether some key comes
    /// after a larger one, in each lane that has seen it.
    __device__ bool count(std::uint64_t mine, std::uint64_t teams, std::uint32_t* totals) {
        constexpr int most_rows = digit_columns::most / vectors::keys;
        const std::uint64_t rows = (keys_.vectors() + warp_lanes - 1) / warp_lanes;
        const std::uint64_t share = (rows + teams - 1) / teams;
        const int step = share < most_rows ? static_cast<int>(share) : most_rows;
        for (std::uint64_t row = mine * static_cast<unsigned>(step); row < rows;
             row += teams * static_cast<unsigned>(step)) {
            const std::uint64_t left = rows - row;
            const int some = left < static_cast<unsigned>(step) ? static_cast<int>(left) : step;
            for (first_digit_ = warp() % team_ * shape::of_warp; first_digit_ < shape::digits;
                 first_digit_ += team_ * shape::of_warp) {
                count_rows(row, some);
                sync_warp();  // lanes add up what others have counted
                for (int d = 0; d < shape::of_warp; ++d) {
                    columns_[d].add_to(totals + (first_digit_ + d) * digit_values);
                }
                sync_warp();  // and count again when that is done
            }
        }
        return inverted_;
    }

 private:
    static __device__ Word mask_of(const digit_range& range) {
        const int bits = range.last - range.first;
        if (bits == 0) return 0;
        const Word all = static_cast<Word>(~Word{0});
        return static_cast<Word>(static_cast<Word>(all >> (word_bits<Word> - bits)) << range.first);
    }

    __device__ void count_rows(std::uint64_t row, int rows) {
        // Loads of several rows are under way together.
        constexpr int at_once = sizeof(Word) == 16 ? 2 : 4;
        Word carried{};
        if (row > 0 && lane() == 0) carried = keys_.before(row * warp_lanes);
        for (int r = 0; r < rows; r += at_once) {
            typename vectors::vector v[at_once];
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                v[i].first = v[i].last = 0;
                if (r + i < rows) v[i] = keys_.load((row + r + i) * warp_lanes + lane());
            }
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                if (r + i < rows) count_vector(v[i], row + r + i, carried);
            }
        }
    }

    __device__ void count_vector(const typename vectors::vector& v, std::uint64_t row,
                                 Word& carried) {
        const digit_place place[] = {{range_, first_digit_},
                                     {range_, first_digit_ + 1},
                                     {range_, first_digit_ + 2},
                                     {range_, first_digit_ + 3}};
#pragma unroll
        for (int i = 0; i < vectors::keys; ++i) {
            if (i < v.first || i >= v.last) continue;
            std::uint8_t* counter[shape::of_warp];
            std::uint8_t counts[shape::of_warp];
#pragma unroll
            for (int d = 0; d < shape::of_warp; ++d) {
                counter[d] = columns_[d].counter(place[d].of(v.word[i]));
                counts[d] = *counter[d];
            }
#pragma unroll
            for (int d = 0; d < shape::of_warp; ++d) {
                *counter[d] = static_cast<std::uint8_t>(counts[d] + 1);
            }
        }
        if (first_digit_ == 0) compare(v, row, carried);
    }

    // With its neighbours, and the last key of the row before, which is `carried`.
    __device__ void compare(const typename vectors::vector& v, std::uint64_t row, Word& carried) {
        Word last{};
#pragma unroll
        for (int i = 0; i < vectors::keys; ++i) {
            if (i < v.first || i >= v.last) continue;
            const Word mine = static_cast<Word>(v.word[i] & in_range_);
            if (i > v.first && mine < last) inverted_ = true;
            last = mine;
        }
        const Word below = from_lane_below(last, 1);
        const Word before = lane() == 0 ? static_cast<Word>(carried & in_range_) : below;
        // Only the vector that has no other before it may begin in its middle.
        if (v.first < v.last && (row > 0 || lane() > 0) &&
            static_cast<Word>(v.word[0] & in_range_) < before) {
            inverted_ = true;
        }
        carried = from_lane(last, warp_lanes - 1);
    }

    vectors keys_;
    digit_columns* columns_;
    int team_;
    int first_digit_ = 0;  // of those that are counted together
    digit_range range_;
    Word in_range_;
    bool inverted_ = false;
};

/// From the counts of all keys to where the keys with each digit begin, and the plan; clears the
/// sums for the next call. By the block that is done last, which knows of the others.
template <class Problem, class Totals>
__device__ void finish_counts(const Problem& problem, sort_sums* sums, std::uint64_t items,
                              Totals& shared) {
    constexpr int per_lane = digit_values / warp_lanes;
    const int warps = static_cast<int>(threads_in_grid() / blocks_in_grid()) / warp_lanes;
    const int digits = problem.digits.digits();
    for (int d = warp(); d < digits; d += warps) {
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
    for (int i = thread_in_block(); i < most_digits * digit_values; i += warps * warp_lanes) {
        store_relaxed(&sums->counts[0][0] + i, std::uint64_t{0});
    }
    if (thread_in_block() == 0) {
        plan_passes(shared.same_in_all, load_relaxed(&sums->inversions) == 0, problem.digits,
                    problem.layout, problem.state->pass);
        store_relaxed(&sums->inversions, std::uint64_t{0});
        store_relaxed(&sums->blocks, std::uint64_t{0});
    }
}

/// So many warps find registers for what they count.
inline constexpr int most_count_warps = 20;

/// As many warps as the launch says, in whole teams; shared memory as count_shape says.
template <class Problem>
__global__ __launch_bounds__(most_count_warps* warp_lanes) void sort_count_kernel(
    const __grid_constant__ Problem problem, sort_sums* sums) {
    using Word = typename Problem::word_type;
    using shape = count_shape<Word>;
    const int threads = static_cast<int>(threads_in_grid() / blocks_in_grid());
    const int warps = threads / warp_lanes;
    auto* const columns = reinterpret_cast<digit_columns*>(dynamic_shared_memory());
    auto& shared = *reinterpret_cast<typename shape::totals*>(columns + warps * shape::of_warp);
    auto* const mine = columns + warp() * shape::of_warp;
    std::uint32_t* const totals = &shared.count[0][0];
    for (int d = 0; d < shape::of_warp; ++d) mine[d].clear();
    for (int i = thread_in_block(); i < shape::digits * digit_values; i += threads) totals[i] = 0;
    sync_block();

    wait_for_previous_kernel();
    const std::uint64_t items = problem.count.get();
    const int team = shape::team(warps);
    const int teams = warps / team;
    const bool inverted = counting_warp<Problem>(problem, mine, items, team)
                              .count(std::uint64_t{block_in_grid()} * teams + warp() / team,
                                     std::uint64_t{blocks_in_grid()} * teams, totals);
    const bool any_inverted = sync_block_or(inverted);
    for (int i = thread_in_block(); i < problem.digits.digits() * digit_values; i += threads) {
        if (totals[i] > 0) add(&sums->counts[0][0] + i, totals[i]);
    }
    sync_block();
    if (thread_in_block() == 0) {
        if (any_inverted) add(&sums->inversions, 1);
        // Each block adds, and then is counted: who is counted last, and has seen the others' being
        // counted, sees what they have added. A fence on either side, as all are relaxed.
        fence();
        shared.is_last = fetch_add(&sums->blocks, 1) == blocks_in_grid() - 1;
        fence();
    }
    sync_block();
    if (shared.is_last) finish_counts(problem, sums, items, shared);
}

}  // namespace lookback::detail::device
