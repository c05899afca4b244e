/// \file
/// Medium arrays, in two kernels. In the first one, each block deals out a tile's items by 8 bits
/// of their keys: it writes them to scratch memory, with the items of one value side by side, and
/// lists where each value begins in the tile. In the second kernel there is a block for each value,
/// that is for each bucket. It gathers the bucket's items from the tiles, in their order, sorts
/// them by the bits below, and writes them to the output. So there are no launches for each digit,
/// no keys are counted before they are moved, and no tile waits for others; these take most of the
/// time of passes over few keys.
///
/// The 8 bits are the highest ones that differ in a sample of the keys. All blocks look at the same
/// sample. If it shows that the keys are spread unevenly, all blocks leave at once. If it shows
/// that they are even, some keys may still differ above these bits, or a bucket may still be larger
/// than a block has room for. All blocks of the second kernel see that before they write anything,
/// and leave the array to the kernels after them: passes (sort_pass.hpp), or a cluster
/// (sort_cluster.hpp). If the buckets have been sorted, those kernels leave at once.
///
/// Bytes, of n keys: n read and written twice, the second time read in runs; for each tile 1 KiB of
/// the list, written and read once. Both steps keep the order of equal keys, so the result is that
/// of passes.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/sort_block.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

/// How items are dealt out to buckets.
struct sort_dealing {
    std::uint32_t tile_items;
    std::uint32_t most_tiles;      ///< tiles that the list has room for
    std::uint32_t most_in_bucket;  ///< items that a bucket has room for
    bool looked;  ///< whether sort_copy.hpp may have found that there is nothing left to do

    LOOKBACK_HD std::uint32_t tiles(std::uint64_t items) const {
        return static_cast<std::uint32_t>((items + tile_items - 1) / tile_items);
    }
    __device__ bool is_done(const sort_sums* sums) const {
        return looked && load_relaxed(&sums->unsorted) == 0;
    }
};

/// Called by one block, when no other kernel of the call needs them any more: clears the sums that
/// the dealing and the search for unsorted keys have used, for the next call.
template <int threads>
__device__ void clear_dealing(sort_sums* sums) {
    for (int i = thread_in_block(); i < digit_values; i += threads) {
        store_relaxed(&sums->bucket[i], std::uint64_t{0});
    }
    if (thread_in_block() == 0) {
        store_relaxed(&sums->strays, std::uint64_t{0});
        store_relaxed(&sums->unsorted, std::uint64_t{0});
    }
}

/// The items of a tile that go to one bucket: where they begin in the tile, and how many there are.
struct dealt_run {
    std::uint32_t begin_and_items;

    __device__ static dealt_run of(std::uint32_t begin, std::uint32_t items) {
        return {begin << 16 | items};
    }
    __device__ std::uint32_t begin() const { return begin_and_items >> 16; }
    __device__ std::uint32_t items() const { return begin_and_items & 0xffff; }
};

/// The bits that tell the keys of a sample apart best.
template <class Word>
struct sampled_bits {
    Word key;           ///< one of the keys
    Word differ;        ///< the bits that are not the same in all keys
    digit_range digit;  ///< the highest bits that differ
    Word above;  ///< the bits above `digit` that are sorted by; they are the same in the sample
    bool even;   ///< no value of the digit has far more keys than a bucket has room for
};
template <class Word, int warps>
struct sample_memory {
    Word differ[warps];
    std::uint32_t count[digit_values];
};

/// Called by all threads of a block, each of which takes one key. All blocks find the same. The
/// keys lie at uneven distances: keys that rise evenly would have the same lower bits at even ones.
template <int warps, class Problem, class Word>
__device__ sampled_bits<Word> sample_keys(const Problem& problem, std::uint64_t items,
                                          std::uint64_t most_in_bucket,
                                          sample_memory<Word, warps>& shared) {
    constexpr unsigned sampled = warps * warp_lanes;
    static_assert(sampled >= digit_values, "a thread for each counter");
    const auto thread = static_cast<unsigned>(thread_in_block());
    const std::uint64_t beyond = items / sampled * (thread * 0x9e3779b1U) >> 32;
    const Word key = problem.word(0), mine = problem.word(thread * items / sampled + beyond);
    const Word differ = scan_lanes(static_cast<Word>(key ^ mine), warp_lanes,
                                   [](Word a, Word b) { return static_cast<Word>(a | b); });
    if (lane() == warp_lanes - 1) shared.differ[warp()] = differ;
    if (thread < digit_values) shared.count[thread] = 0;
    sync_block();
    Word all = 0;
#pragma unroll
    for (int w = 0; w < warps; ++w) all = static_cast<Word>(all | shared.differ[w]);
    const digit_range& digits = problem.digits;
    const int end = highest_bit_of(static_cast<Word>(all & digits.bits<Word>())) + 1;
    const int first = end - digit_bits > digits.first ? end - digit_bits : digits.first;
    const int last = first + digit_bits < digits.last ? first + digit_bits : digits.last;
    // Twice as many as fit, and 8 more, because small numbers vary by chance.
    const auto too_many = static_cast<std::uint32_t>(2 * sampled * most_in_bucket / items) + 8;
    const std::uint32_t others =
        fetch_add_in_block(&shared.count[digit_place({first, last}, 0).of(mine)], 1);
    const bool even = !sync_block_or(others >= too_many);
    return {key, all, {first, last}, digit_range{last, digits.last}.template bits<Word>(), even};
}

template <class Problem, sort_shape shape>
struct sort_deal_memory {
    sort_block_memory<Problem, shape, Problem::has_values> items;
    sample_memory<typename Problem::word_type, shape.warps> sample;
};

/// A block for each tile.
template <class Problem, int warps, int rows, int blocks>
__global__ __launch_bounds__(warps* warp_lanes,
                             blocks) void sort_deal_kernel(const __grid_constant__ Problem problem,
                                                           sort_sums* sums, sort_dealing dealing) {
    constexpr sort_shape shape = {warps, rows, blocks};
    using Word = typename Problem::word_type;
    auto& shared = *reinterpret_cast<sort_deal_memory<Problem, shape>*>(dynamic_shared_memory());
    wait_for_previous_kernel();
    const std::uint64_t items = problem.count.get();
    const std::uint64_t first = std::uint64_t{block_in_grid()} * dealing.tile_items;
    if (first >= items || dealing.is_done(sums)) return;
    const std::uint64_t end =
        first + dealing.tile_items < items ? first + dealing.tile_items : items;
    sort_block<Problem, shape> block(problem, shared.items, sort_array::input, {first, end});
    block.read();
    const sampled_bits<Word> by =
        sample_keys(problem, items, dealing.most_in_bucket, shared.sample);
    if (block_in_grid() == 0 && thread_in_block() == 0) {
        problem.state->dealt_by = by.digit.first;
        if (!by.even) store_relaxed(&sums->strays, std::uint64_t{1});
    }
    if (!by.even) return;
    block.make_words();
    bool strays = false;
    block.each_word([&](int, Word word) { strays = strays || ((word ^ by.key) & by.above) != 0; });
    if (strays) store_relaxed(&sums->strays, std::uint64_t{1});
    block.sort_by_digit(digit_place(by.digit, 0), [&](std::uint32_t count, std::uint32_t start) {
        const auto value = static_cast<unsigned>(thread_in_block());
        if (count > 0) add(&sums->bucket[value], count);
        problem.dealt[value * dealing.most_tiles + block_in_grid()] =
            dealt_run::of(start, count).begin_and_items;
    });
    block.store(sort_array::room);
}

template <class Problem, sort_shape shape>
struct sort_bucket_memory {
    sort_block_memory<Problem, shape, Problem::has_values> items;
    std::uint32_t item[shape.items()];  ///< where each item of the bucket lies in scratch memory
    /// For each tile: where its items begin in the bucket, and where they begin in scratch memory.
    std::uint32_t begin[shape.threads() + 1];
    std::uint32_t begins_at[shape.threads()];
    std::uint64_t of_warp[shape.warps];
};

/// Finds a bucket's items. All threads of the block call `find`; there are no more tiles than
/// threads.
template <class Problem, sort_shape shape>
class dealt_items {
    using memory = sort_bucket_memory<Problem, shape>;

 public:
    __device__ explicit dealt_items(memory& shared) : shared_(shared) {}

    /// Returns the bucket's place in the output. `mine`: the items of this thread's tile that
    /// belong to the bucket. `before`: the number of items in the bucket of this thread's number,
    /// if that comes before this block's bucket, otherwise 0.
    __device__ item_range find(const sort_dealing& dealing, std::uint32_t tiles, dealt_run mine,
                               std::uint64_t before) {
        const auto thread = static_cast<unsigned>(thread_in_block());
        const auto place = place_thread<shape.warps>(
            before << 32 | mine.items(), warp_lanes, shape.warps, shared_.of_warp,
            [](std::uint64_t a, std::uint64_t b) { return a + b; }, [] { sync_block(); });
        const auto items = static_cast<std::uint32_t>(place.aggregate);
        if (thread < tiles) {
            shared_.begin[thread] =
                place.before.some ? static_cast<std::uint32_t>(place.before.value) : 0;
            shared_.begins_at[thread] = thread * dealing.tile_items + mine.begin();
        }
        if (thread == 0) shared_.begin[tiles] = items;
        sync_block();
        list(tiles);
        sync_block();
        const std::uint64_t first = place.aggregate >> 32;
        return {first, first + items};
    }

    __device__ std::uint32_t operator()(std::uint32_t place) const { return shared_.item[place]; }

 private:
    // Eight lanes write the items of one tile.
    __device__ void list(std::uint32_t tiles) const {
        constexpr unsigned lanes = 8, at_once = shape.threads() / lanes;
        const auto thread = static_cast<unsigned>(thread_in_block());
        for (std::uint32_t t = thread / lanes; t < tiles; t += at_once) {
            const std::uint32_t begin = shared_.begin[t], some = shared_.begin[t + 1] - begin;
            for (std::uint32_t i = thread % lanes; i < some; i += lanes) {
                shared_.item[begin + i] = shared_.begins_at[t] + i;
            }
        }
    }

    memory& shared_;
};

/// A block for each bucket.
template <class Problem, int warps, int rows, int blocks>
__global__ __launch_bounds__(warps* warp_lanes, blocks) void sort_buckets_kernel(
    const __grid_constant__ Problem problem, const sort_sums* sums, sort_dealing dealing) {
    constexpr sort_shape shape = {warps, rows, blocks};
    auto& shared = *reinterpret_cast<sort_bucket_memory<Problem, shape>*>(dynamic_shared_memory());
    const unsigned value = block_in_grid();
    const auto thread = static_cast<unsigned>(thread_in_block());
    wait_for_previous_kernel();
    const std::uint32_t tiles = dealing.tiles(problem.count.get());
    dealt_run mine{};
    if (thread < tiles) mine = {problem.dealt[value * dealing.most_tiles + thread]};
    std::uint64_t bucket = 0;
    if (thread < digit_values) bucket = load_relaxed(&sums->bucket[thread]);
    const bool fits = bucket <= static_cast<unsigned>(shape.items()) &&
                      load_relaxed(&sums->strays) == 0 && !dealing.is_done(sums);
    const bool all_fit = sync_block_and(fits);
    if (value == 0) {
        if (thread == 0) problem.state->in_buckets = all_fit;
        if (thread < most_passes) problem.state->pass[thread].step = sort_step::nothing;
    }
    if (!all_fit) return;
    dealt_items<Problem, shape> from(shared);
    const item_range range = from.find(dealing, tiles, mine, thread < value ? bucket : 0);
    if (range.items() == 0) return;
    sort_block<Problem, shape> block(problem, shared.items, sort_array::room, range);
    block.read_from(from);
    block.make_words();
    block.sort_by_digits({problem.digits.first, problem.state->dealt_by});
    block.store_from(sort_array::output, from);
}

}  // namespace lookback::detail::device
