/// \file
/// Keys of one or two bytes, without values, are counted, not sorted: it is enough to know how many
/// there are of each. The kernels here count large arrays of them, 16 bits at a time: keys of two
/// bytes, or pairs of keys of one byte. (Small arrays of bytes are counted as digits:
/// sort_counts.hpp.)
///
/// A block has a counter of 16 bits for each of the 65,536 values, two of them in a word of shared
/// memory. Between two barriers it counts no more than a `round`, 2^15 at most. The thread that
/// brings a counter to a round moves a round to the sums of all blocks, before the barrier. So at a
/// barrier each counter is below a round, and no counter overflows. A warp whose keys are all the
/// same adds once for all of them.
///
/// Cost: each key is read once; one addition in shared memory for every 16 bits; for each block,
/// 65,536 additions to global memory at its end.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

inline constexpr int unit_values = 1 << 16;

/// In memory that is all zero between calls: how often each unit of 16 bits occurs, and how often
/// each key of one byte that is not part of a unit.
struct all_sums {
    std::uint64_t units[unit_values];
    std::uint64_t single[digit_values];
};
/// In scratch memory: where the keys with each word begin in the output.
template <class Word>
struct word_starts {
    std::uint64_t start[std::uint64_t{1} << word_bits<Word>];
};

/// A block's counters.
template <int threads>
class unit_counters {
    static constexpr int pairs = unit_values / 2;

 public:
    static constexpr int vectors_at_once = 4;  ///< of 16 bytes, by each thread
    static constexpr std::uint32_t round = threads * vectors_at_once * 8;
    static_assert(round <= 1U << 15 && (round & (round - 1)) == 0);
    using vector = vector16<std::uint32_t>;
    struct memory {
        alignas(16) std::uint32_t pair[pairs];
    };

    __device__ unit_counters(memory& shared, all_sums* sums) : shared_(shared), sums_(sums) {}

    __device__ void clear() const {
        for (int i = thread_in_block(); i < pairs; i += threads) shared_.pair[i] = 0;
    }
    /// Counts the units of a vector. All lanes of a warp call it, each with its own vector.
    __device__ void count_in_warp(const vector& v) const {
        const std::uint32_t first = shuffle(v.item[0], 0);
        bool same = first >> 16 == (first & 0xffff);
#pragma unroll
        for (const std::uint32_t two : v.item) same = same && two == first;
        if (!in_all_lanes(same)) {
            count(v);
        } else if (lane() == 0) {
            constexpr std::uint32_t all = warp_lanes * 8;
            const std::uint32_t unit = first & 0xffff;
            if (add_to(unit, all)) carry(unit);
        }
    }
    /// Counts the units of a vector.
    __device__ void count(const vector& v) const {
        bool carries[8], any = false;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            carries[i] = add_to(unit_of(v, i), 1);
            any = any || carries[i];
        }
        if (!any) return;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            if (carries[i]) carry(unit_of(v, i));
        }
    }
    /// Adds all counters to the sums.
    __device__ void hand_in() const {
        for (int i = thread_in_block(); i < pairs; i += threads) {
            const std::uint32_t two = shared_.pair[i];
            if ((two & 0xffff) > 0) add(&sums_->units[i], two & 0xffff);
            if (two >> 16 > 0) add(&sums_->units[i + pairs], two >> 16);
        }
    }

 private:
    __device__ static std::uint32_t unit_of(const vector& v, int i) {
        return i % 2 == 0 ? v.item[i / 2] & 0xffff : v.item[i / 2] >> 16;
    }
    // Where the counter of a unit is in its word: the upper half of all units have the high 16
    // bits.
    __device__ static int shift_of(std::uint32_t unit) { return unit < pairs ? 0 : 16; }

    // Returns whether this addition brought the counter to a round.
    __device__ bool add_to(std::uint32_t unit, std::uint32_t count) const {
        const std::uint32_t added = count << shift_of(unit);
        const std::uint32_t before = fetch_add_in_block(shared_.pair + unit % pairs, added);
        return (~before & (before + added) & (round | round << 16)) != 0;
    }
    __device__ void carry(std::uint32_t unit) const {
        add_in_block(shared_.pair + unit % pairs, 0U - (round << shift_of(unit)));
        add(&sums_->units[unit], round);
    }

    memory& shared_;
    all_sums* sums_;
};

/// Counts an array of keys.
template <class Problem, int threads>
__global__ __launch_bounds__(threads) void sort_count_all_kernel(
    const __grid_constant__ Problem problem, all_sums* sums) {
    using Word = typename Problem::word_type;
    using counters = unit_counters<threads>;
    using vector = typename counters::vector;
    constexpr int at_once = counters::vectors_at_once;
    constexpr std::uint64_t step = threads * at_once;
    const counters mine(*reinterpret_cast<typename counters::memory*>(dynamic_shared_memory()),
                        sums);
    mine.clear();
    sync_block();

    wait_for_previous_kernel();
    const std::uint64_t items = problem.count.get();
    // The vectors of 16 bytes that the array fills, and the keys before and behind them.
    constexpr std::uint64_t keys = 16 / sizeof(Word);
    const std::uint64_t off = reinterpret_cast<std::uintptr_t>(problem.keys) / sizeof(Word) % keys;
    const std::uint64_t head = off == 0 ? 0 : keys - off < items ? keys - off : items;
    const std::uint64_t vectors = (items - head) / keys;
    const std::uint64_t tail = head + vectors * keys;
    if (block_in_grid() == 0 && thread_in_block() < 2 * static_cast<int>(keys)) {
        const auto i = static_cast<std::uint64_t>(thread_in_block());
        const std::uint64_t at = i < keys ? i : tail + i - keys;
        if (i < keys ? at < head : at < items) {
            std::uint64_t* const sum = sizeof(Word) == 2 ? sums->units : sums->single;
            add(sum + problem.keys[at], 1);
        }
    }

    const auto load = [&](std::uint64_t v) {
        return load_vector16<std::uint32_t>(problem.keys + head + v * keys);
    };
    for (std::uint64_t first = block_in_grid() * step; first < vectors;
         first += blocks_in_grid() * step) {
        const std::uint64_t here = first + static_cast<unsigned>(thread_in_block());
        if (first + step <= vectors) {
            vector v[at_once];
#pragma unroll
            for (int i = 0; i < at_once; ++i) v[i] = load(here + i * threads);
#pragma unroll
            for (int i = 0; i < at_once; ++i) mine.count_in_warp(v[i]);
        } else {
            for (std::uint64_t v = here; v < vectors; v += threads) mine.count(load(v));
        }
        sync_block();  // every counter that reached a round has been reduced
    }
    mine.hand_in();
}

inline constexpr int starts_threads = 1024;
template <class Word>
inline constexpr int starts_blocks = word_bits<Word> == 16 ? unit_values / starts_threads : 1;

/// How many keys of one byte there are of each value, from the sums of pairs. The sums are a
/// square: its rows are the high bytes, its columns the low bytes. A warp adds up whole rows; its
/// lanes also add up columns.
template <int warps>
class byte_counts {
    static constexpr int per_lane = digit_values / warp_lanes;
    static constexpr int groups = 8;  // warps that add to of_low_ at once, each to a row of its own

 public:
    __device__ std::uint64_t operator[](int byte) const { return of_byte_[byte]; }

    __device__ void find(const all_sums& sums) {
        std::uint64_t low[per_lane] = {};
        for (int high = warp(); high < digit_values; high += warps) {
            std::uint64_t sum = 0;
#pragma unroll
            for (int i = 0; i < per_lane; ++i) {
                const std::uint64_t n = sums.units[high * digit_values + i * warp_lanes + lane()];
                low[i] += n;
                sum += n;
            }
            const auto plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };
            sum = scan_lanes(sum, warp_lanes, plus);
            if (lane() == warp_lanes - 1) of_byte_[high] = sum;
        }
        for (int turn = 0; turn < warps / groups; ++turn) {
#pragma unroll
            for (int i = 0; i < per_lane && warp() / groups == turn; ++i) {
                std::uint64_t& sum = of_low_[warp() % groups][i * warp_lanes + lane()];
                sum = turn == 0 ? low[i] : sum + low[i];
            }
            sync_block();
        }
        const int byte = thread_in_block();
        if (byte < digit_values) {
            of_byte_[byte] += sums.single[byte];
            for (int g = 0; g < groups; ++g) of_byte_[byte] += of_low_[g][byte];
        }
        sync_block();
    }

 private:
    std::uint64_t of_byte_[digit_values];
    std::uint64_t of_low_[groups][digit_values];
};

/// From the sums, finds where the keys with each word begin. Each thread has one word. Each block
/// adds up by itself the counts of all words before its own.
template <class Problem>
__global__ __launch_bounds__(starts_threads) void sort_starts_kernel(
    const __grid_constant__ Problem problem, const all_sums* sums,
    word_starts<typename Problem::word_type>* starts) {
    using Word = typename Problem::word_type;
    constexpr bool are_bytes = sizeof(Word) == 1;
    constexpr int warps = starts_threads / warp_lanes;
    struct none {};
    struct memory {
        std::conditional_t<are_bytes, byte_counts<warps>, none> bytes;
        std::uint64_t before[warps], here[warps];
    };
    auto& shared = shared_memory<memory>();

    wait_for_previous_kernel();
    if constexpr (are_bytes) shared.bytes.find(*sums);
    const auto count_of = [&](int word) {
        const Word bits = problem.code.bits(static_cast<Word>(word));
        if constexpr (are_bytes) {
            return shared.bytes[bits];
        } else {
            return sums->units[bits];
        }
    };
    const int first = static_cast<int>(block_in_grid()) * starts_threads;
    const int word = first + thread_in_block();
    const std::uint64_t count = word < 1 << word_bits<Word> ? count_of(word) : 0;
    std::uint64_t before = 0;
#pragma unroll 8
    for (int w = thread_in_block(); w < first; w += starts_threads) before += count_of(w);
    const auto plus = [](std::uint64_t a, std::uint64_t b) { return a + b; };
    before = scan_lanes(before, warp_lanes, plus);
    const std::uint64_t up_to = scan_lanes(count, warp_lanes, plus);
    if (lane() == warp_lanes - 1) {
        shared.before[warp()] = before;
        shared.here[warp()] = up_to;
    }
    sync_block();
    std::uint64_t start = up_to - count;
    for (int w = 0; w < warps; ++w) start += shared.before[w] + (w < warp() ? shared.here[w] : 0);
    if (word < 1 << word_bits<Word>) starts->start[word] = start;
}

}  // namespace lookback::detail::device
