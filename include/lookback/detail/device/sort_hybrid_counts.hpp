/// \file
/// How many keys each bucket of a hybrid sort has (sort_hybrid_state.hpp), and where it begins.
///
/// A block counts its part of the keys in shared memory, in counters of 16 bits, two in a word. A
/// counter that overflows adds 1 to the other counter of its word, or nothing at all, and is 2^16
/// less. So the sum of all counters is the number of keys only if none has overflowed; if one has,
/// its bucket is too large anyway.
///
/// Cost: each key is read once, with one addition in shared memory; each block adds its counters to
/// those in global memory, at most 65,536.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/sort_buckets.hpp"
#include "lookback/detail/device/sort_hybrid_state.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_vectors.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

/// A block's counters.
class bucket_counters {
 public:
    __device__ bucket_counters(std::uint32_t* pairs, int bits) : pairs_(pairs), bits_(bits) {}

    static constexpr std::size_t bytes(int bits) { return std::size_t{2} << bits; }

    template <int threads>
    __device__ void clear() const {
        for (int i = thread_in_block(); i < number_of_pairs(); i += threads) pairs_[i] = 0;
    }
    __device__ void count(std::uint32_t bucket, std::uint32_t keys = 1) const {
        add_in_block(&pairs_[bucket / 2], bucket % 2 == 0 ? keys : keys << 16);
    }
    /// Counts some keys of each lane. If all belong to one bucket, as those of arrays that are
    /// nearly in order, one lane adds for all, because additions to one counter wait for each
    /// other.
    template <int keys>
    __device__ void count_in_warp(const std::uint32_t (&bucket)[keys]) const {
        const std::uint32_t first = from_lane(bucket[0], 0);
        bool same = true;
#pragma unroll
        for (const std::uint32_t mine : bucket) same = same && mine == first;
        if (!in_all_lanes(same)) {
#pragma unroll
            for (const std::uint32_t mine : bucket) count(mine);
        } else if (lane() == 0) {
            count(first, warp_lanes * keys);
        }
    }
    /// Adds all counters to the counts of buckets and of parts. Returns how many keys this thread's
    /// counters have counted. All threads call it.
    template <int threads>
    __device__ std::uint32_t hand_in(hybrid_sums* counts, sort_sums* sums) const {
        std::uint32_t all = 0;
        // The pairs of a part lie side by side; their number is a power of two.
        const int of_part = number_of_pairs() / digit_values;
        for (int first = 0; first < number_of_pairs(); first += threads) {
            const int i = first + thread_in_block();
            const std::uint32_t two = i < number_of_pairs() ? pairs_[i] : 0;
            const std::uint32_t low = two & 0xffff, high = two >> 16;
            if (low > 0) add(&counts->count[2 * i], low);
            if (high > 0) add(&counts->count[2 * i + 1], high);
            std::uint32_t sum = low + high;
            all += sum;
            for (int d = 1; d < of_part && d < warp_lanes; d *= 2) {
                sum += from_lane_across(sum, d);
            }
            const bool adds = of_part < warp_lanes ? i % of_part == 0 : lane() == 0;
            if (adds && sum > 0) add(&sums->bucket[i / of_part], sum);
        }
        return all;
    }

 private:
    __device__ int number_of_pairs() const { return 1 << (bits_ - 1); }

    std::uint32_t* pairs_;
    int bits_;
};

/// Whether bins will have few keys, as far as a sample shows, in which the bits `differ` are not
/// the same in all keys: each of the bits that tell bins apart halves them only if it differs.
template <class Problem, class Word>
__device__ bool bins_are_small(const Problem& problem, const sort_hybrid& by, std::uint64_t items,
                               Word differ, int first_bit) {
    const int left = first_bit - problem.digits.first;
    const int begin = first_bit - (left < by.bin_bits ? left : by.bin_bits);
    const auto bits = digit_range{begin, first_bit}.bits<Word>();
    const auto mask = static_cast<std::uint32_t>(static_cast<Word>(differ & bits) >> begin);
    const bool of_one_key = bins_have_one_key<Problem>(left, by.bin_bits);
    return items >> by.bits >> count_bits(mask) <= most_in_bin(of_one_key) / 2;
}

template <class Problem, int threads>
__global__ __launch_bounds__(threads) void hybrid_count_kernel(
    const __grid_constant__ Problem problem, sort_sums* sums, hybrid_sums* counts, sort_hybrid by) {
    constexpr int warps = threads / warp_lanes;
    using Word = typename Problem::word_type;
    struct memory {
        sample_memory<Word, warps> sample;
        std::uint32_t missing;  ///< keys that no counter has counted, modulo 2^32
    };
    auto& shared = shared_memory<memory>();
    const bucket_counters counters(reinterpret_cast<std::uint32_t*>(dynamic_shared_memory()),
                                   by.bits);
    counters.clear<threads>();
    if (thread_in_block() == 0) shared.missing = 0;

    wait_for_previous_kernel();
    const std::uint64_t items = problem.count.get();
    if (!for_hopper || items == 0 || by.is_done(sums)) {
        if (block_in_grid() == 0 && thread_in_block() == 0) {
            store_relaxed(&sums->strays, std::uint64_t{1});
        }
        return;
    }
    const auto sample = sample_keys<warps>(
        problem, items, std::uint64_t{by.most_in_bucket} << (by.bits - digit_bits), shared.sample);
    const int first_bit = sample.digit.last - by.bits;
    // By two digits, passes are faster.
    const bool even = sample.even && sample.digit.last - problem.digits.first > 2 * digit_bits &&
                      bins_are_small(problem, by, items, sample.differ, first_bit);
    if (block_in_grid() == 0 && thread_in_block() == 0) {
        problem.table->first_bit = first_bit;
        if (!even) store_relaxed(&sums->strays, std::uint64_t{1});
    }
    if (!even) return;

    const std::uint32_t mask = (1U << by.bits) - 1;
    bool strays = false;
    std::uint32_t read = 0;
    each_keys<threads>(problem, items, block_in_grid(), blocks_in_grid(), [&](const auto& words) {
        constexpr int keys =
            static_cast<int>(std::extent_v<std::remove_reference_t<decltype(words)>>);
        std::uint32_t bucket[keys];
#pragma unroll
        for (int i = 0; i < keys; ++i) {
            strays = strays || ((words[i] ^ sample.key) & sample.above) != 0;
            bucket[i] = static_cast<std::uint32_t>(words[i] >> first_bit) & mask;
        }
        read += keys;
        // Single keys come from the ends of the array, of which not all lanes have some.
        if constexpr (keys > 1) {
            counters.count_in_warp(bucket);
        } else {
            counters.count(bucket[0]);
        }
    });
    sync_block();
    const std::uint32_t counted = counters.hand_in<threads>(counts, sums);
    add_in_block(&shared.missing, read - counted);
    sync_block();
    if (strays || (thread_in_block() == 0 && shared.missing != 0)) {
        store_relaxed(&sums->strays, std::uint64_t{1});
    }
}

/// A block for each part, which has a thread for each of its buckets. Clears the counts of buckets
/// for the next call.
template <class Problem>
__global__ __launch_bounds__(digit_values) void hybrid_starts_kernel(
    const __grid_constant__ Problem problem, sort_sums* sums, hybrid_sums* counts, sort_hybrid by) {
    constexpr int warps = digit_values / warp_lanes;
    struct memory {
        std::uint64_t parts[warps];
        std::uint32_t buckets[warps];
        std::uint32_t start, first_tile, tiles;
    };
    auto& shared = shared_memory<memory>();
    hybrid_table& table = *problem.table;
    const auto part = block_in_grid(), thread = static_cast<unsigned>(thread_in_block());
    const auto plus = [](auto a, auto b) { return a + b; };
    const auto barrier = [] { sync_block(); };

    wait_for_previous_kernel();
    // The keys of this thread's part, and its tiles in the upper half of the word.
    const std::uint64_t keys = load_relaxed(&sums->bucket[thread]);
    const std::uint64_t tiles = (keys + by.tile_items - 1) / by.tile_items;
    const auto of_part =
        place_thread<warps>(tiles << 32 | keys, warp_lanes, warps, shared.parts, plus, barrier);
    const std::uint64_t before = of_part.before.some ? of_part.before.value : 0;
    const auto start = static_cast<std::uint32_t>(before);
    const auto first_tile = static_cast<std::uint32_t>(before >> 32);
    if (thread == part) {
        shared.start = start;
        shared.first_tile = first_tile;
        shared.tiles = static_cast<std::uint32_t>(tiles);
    }
    if (part == 0) {
        table.part_start[thread] = start;
        table.part_next[thread] = start;
        table.part_tile[thread] = first_tile;
        if (thread == 0) {
            const auto all = static_cast<std::uint32_t>(of_part.aggregate);
            table.part_start[digit_values] = all;
            table.part_tile[digit_values] = static_cast<std::uint32_t>(of_part.aggregate >> 32);
            table.start[1 << by.bits] = all;
            table.crowded_buckets = 0;
        }
    }

    const auto buckets = static_cast<unsigned>(by.buckets_of_part());
    const unsigned bucket = part * buckets + thread;
    std::uint32_t count = 0;
    if (thread < buckets) {
        count = counts->count[bucket];
        counts->count[bucket] = 0;
    }
    if (count > by.most_in_bucket) store_relaxed(&sums->strays, std::uint64_t{1});
    const auto of_bucket =
        place_thread<warps>(count, warp_lanes, warps, shared.buckets, plus, barrier);
    if (thread < buckets) {
        const std::uint32_t at =
            shared.start + (of_bucket.before.some ? of_bucket.before.value : 0);
        table.start[bucket] = at;
        table.next[bucket] = at;
    }
    for (std::uint32_t t = thread; t < shared.tiles; t += digit_values) {
        if (shared.first_tile + t < most_part_tiles) {
            table.owner[shared.first_tile + t] = static_cast<std::uint8_t>(part);
        }
    }
}

}  // namespace lookback::detail::device
