/// \file
/// The end of a hybrid sort (sort_hybrid_state.hpp): a block sorts a bucket in its shared memory.
///
/// It deals the keys out to thousands of bins, by the highest of the bits that are left, as tiles
/// are scattered to parts. A bin then has a key or two, which are compared with each other: a key's
/// place is that of its bin, and the number of keys of the bin before it. Of equal keys with values
/// the one that was first comes first. If a bin has many keys, its bucket is left to a second
/// kernel, which sorts by digits (sort_block.hpp).
///
/// Cost: each key is read and written once; some 100 instructions, and 28 accesses to shared
/// memory, for a row of 32 keys.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/sort_block.hpp"
#include "lookback/detail/device/sort_hybrid_state.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_ranks.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

/// Keys that are compared with one at a time.
inline constexpr int compared_at_once = 4;
/// With more rows than these, keys are not kept in registers but read twice.
inline constexpr int most_rows_kept = 9;

template <class Problem, sort_shape shape, int bin_bits>
struct hybrid_local_memory {
    static constexpr int values = Problem::has_values ? shape.items() : 1;

    alignas(16) std::uint32_t bin[(1 << bin_bits) + 1];  ///< a bin's keys; then where it begins
    std::uint32_t totals[shape.warps];
    /// The bucket's keys, in the order of their bins, and some that come after all.
    alignas(16) typename Problem::word_type word[shape.items() + compared_at_once];
    /// In the same order: the values, and where in the bucket each item was.
    alignas(16) typename Problem::value_type value[values];
    std::uint16_t source[values + compared_at_once];
};

/// Makes the counts of bins the places where they begin.
template <sort_shape shape, int bin_bits, class Memory>
__device__ void place_bins(std::uint32_t items, Memory& shared) {
    constexpr int bins = 1 << bin_bits;
    using four = vector16<std::uint32_t>;
    constexpr int vectors = bins / (shape.threads() * four::items);
    static_assert(vectors * shape.threads() * four::items == bins);
    four count[vectors];
    std::uint32_t* const mine = shared.bin + thread_in_block() * vectors * four::items;
    std::uint32_t sum = 0;
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
        count[v] = load_vector16<std::uint32_t>(mine + v * four::items);
#pragma unroll
        for (const std::uint32_t some : count[v].item) sum += some;
    }
    const auto place = place_thread<shape.warps>(
        sum, warp_lanes, shape.warps, shared.totals, [](auto a, auto b) { return a + b; },
        [] { sync_block(); });
    std::uint32_t start = place.before.some ? place.before.value : 0;
#pragma unroll
    for (int v = 0; v < vectors; ++v) {
#pragma unroll
        for (std::uint32_t& some : count[v].item) {
            const std::uint32_t next = start + some;
            some = start;
            start = next;
        }
        store_vector16(mine + v * four::items, count[v]);
    }
    if (thread_in_block() == 0) shared.bin[bins] = items;
}

/// Sorts a bucket. Called by all threads of a block.
template <sort_shape shape, int bin_bits, class Problem>
__device__ void sort_bucket(const Problem& problem, unsigned bucket,
                            hybrid_local_memory<Problem, shape, bin_bits>& shared) {
    using Word = typename Problem::word_type;
    constexpr int rows = shape.rows;
    const int thread = thread_in_block();
    hybrid_table& table = *problem.table;
    const std::uint32_t begin = table.start[bucket];
    const std::uint32_t items = table.start[bucket + 1] - begin;
    if (items == 0) return;
    const auto at = [&](int i) { return static_cast<std::uint32_t>(i * shape.threads() + thread); };
    Word word[rows];
    const auto read = [&] {
#pragma unroll
        for (int i = 0; i < rows; ++i) {
            word[i] = 0;
            if (at(i) < items) word[i] = problem.key_room[1][begin + at(i)];
        }
    };
    read();
    using four = vector16<std::uint32_t>;
    for (int i = thread * four::items; i < 1 << bin_bits; i += shape.threads() * four::items) {
        store_vector16(shared.bin + i, four{});
    }
    const int left = table.first_bit - problem.digits.first;
    const int bits = left < bin_bits ? left : bin_bits;
    const int shift = table.first_bit - bits;
    const bool of_one_key = bins_have_one_key<Problem>(left, bin_bits);
    const std::uint32_t most = most_in_bin(of_one_key);
    const auto bin_of = [&](Word key) {
        return static_cast<std::uint32_t>(key >> shift) & ((1U << bits) - 1);
    };
    sync_block();
    packed_numbers<rows, 8> rank;
    bool crowded = false;
#pragma unroll
    for (int i = 0; i < rows; ++i) {
        const std::uint32_t others =
            at(i) < items ? fetch_add_in_block(&shared.bin[bin_of(word[i])], 1) : 0;
        crowded = crowded || others >= most;
        rank.set(i, others % most);
    }
    if (sync_block_or(crowded)) {
        if (thread == 0) table.crowded[fetch_add(&table.crowded_buckets, 1)] = bucket;
        return;
    }
    place_bins<shape, bin_bits>(items, shared);
    sync_block();
    if constexpr (rows > most_rows_kept) read();
#pragma unroll
    for (int i = 0; i < rows; ++i) {
        if (at(i) < items) {
            const std::uint32_t to = shared.bin[bin_of(word[i])] + rank[i];
            shared.word[to] = word[i];
            if constexpr (Problem::has_values) {
                shared.value[to] = problem.value_room[1][begin + at(i)];
                shared.source[to] = static_cast<std::uint16_t>(at(i));
            }
        }
    }
    if (thread < compared_at_once) {
        shared.word[items + thread] = static_cast<Word>(~Word{0});
        if constexpr (Problem::has_values) shared.source[items + thread] = 0xffff;
    }
    sync_block();
    // What decides between equal keys.
    const auto order = [&](std::uint32_t j) -> std::uint32_t {
        if constexpr (Problem::has_values) return shared.source[j];
        return j;
    };
    for (std::uint32_t p = at(0); p < items; p += shape.threads()) {
        const Word key = shared.word[p];
        const std::uint32_t mine = order(p);
        const std::uint32_t first = shared.bin[bin_of(key)], end = shared.bin[bin_of(key) + 1];
        std::uint32_t to = begin + (of_one_key ? p : first);
        for (std::uint32_t j = first; j < end && !of_one_key; j += compared_at_once) {
            // Behind the last key of a bin come larger ones, which do not count.
#pragma unroll
            for (int i = 0; i < compared_at_once; ++i) {
                const Word other = shared.word[j + i];
                to += static_cast<unsigned>(other < key) |
                      (static_cast<unsigned>(other == key) &
                       static_cast<unsigned>(order(j + i) < mine));
            }
        }
        problem.with_keys_out(sort_array::output, [&](const auto& out, bool as_keys) {
            store_key(out, to, problem.bits_of(key, as_keys));
        });
        if constexpr (Problem::has_values) store_value(problem.values_out, to, shared.value[p]);
    }
}

/// Blocks take bucket after bucket.
template <class Problem, int warps, int rows, int blocks, int bin_bits>
__global__ __launch_bounds__(warps* warp_lanes, for_hopper ? blocks : 1) void hybrid_local_kernel(
    const __grid_constant__ Problem problem, const sort_sums* sums, sort_hybrid by) {
    constexpr sort_shape shape = {warps, rows, blocks};
    auto& shared =
        *reinterpret_cast<hybrid_local_memory<Problem, shape, bin_bits>*>(dynamic_shared_memory());
    wait_for_previous_kernel();
    if (!by.goes_on(sums)) return;
    const unsigned buckets = 1U << by.bits;
    for (unsigned bucket = block_in_grid(); bucket < buckets; bucket += blocks_in_grid()) {
        sort_bucket(problem, bucket, shared);
        sync_block();  // before the next bucket overwrites this one
    }
}

/// Sorts the buckets with crowded bins by digits.
template <class Problem, int warps, int rows, int blocks>
__global__ __launch_bounds__(warps* warp_lanes, blocks) void hybrid_crowded_kernel(
    const __grid_constant__ Problem problem, const sort_sums* sums, sort_hybrid by) {
    constexpr sort_shape shape = {warps, rows, blocks};
    using memory = sort_block_memory<Problem, shape, Problem::has_values>;
    auto& shared = *reinterpret_cast<memory*>(dynamic_shared_memory());
    const hybrid_table& table = *problem.table;
    wait_for_previous_kernel();
    if (!by.goes_on(sums)) return;
    for (unsigned i = block_in_grid(); i < table.crowded_buckets; i += blocks_in_grid()) {
        const std::uint32_t bucket = table.crowded[i];
        sort_block<Problem, shape> block(problem, shared, sort_array::second_room,
                                         {table.start[bucket], table.start[bucket + 1]});
        block.read();
        block.make_words();
        block.sort_by_digits({problem.digits.first, table.first_bit});
        block.store(sort_array::output);
        sync_block();  // before the next bucket overwrites the counters
    }
}

}  // namespace lookback::detail::device
