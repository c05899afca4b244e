/// \file
/// Ways to find where each key of a tile goes when the tile is sorted, stably, by 8 bits. Each way
/// puts a tile in shared memory in order, and finds where the keys with each value begin, because
/// passes of a sort have to know that. `place` says where in memory an item lies. All threads call
/// `order`; its results can be read after a barrier.
#pragma once

#include <cstdint>

#include "lookback/detail/device/sort_ranks.hpp"

namespace lookback::bench::rank_ways {

using namespace detail::device;
using word = std::uint32_t;

/// About as many keys as a tile has in a pass over keys of 4 bytes.
constexpr int tile_items = 16 * 22 * warp_lanes;

__device__ inline word plus_words(word a, word b) { return a + b; }

// ---- a warp has a counter for each value; lanes with the same digit find each other

struct by_ballots {
    struct memory {};
    __device__ static unsigned lanes(memory&, word digit, int) { return lanes_with_digit(digit); }
};
struct by_match {
    struct memory {};
    __device__ static unsigned lanes(memory&, word digit, int) {
        return __match_any_sync(all_lanes, digit);
    }
};
/// Each lane sets its bit in one of its warp's masks. The masks are all zero between rows.
struct by_masks {
    struct memory {
        unsigned mask[16][digit_values];
    };
    __device__ static unsigned lanes(memory& shared, word digit, int) {
        unsigned* const mask = shared.mask[warp()] + digit;
        atomicOr_block(mask, 1U << lane());
        sync_warp();
        const unsigned lanes = *static_cast<volatile unsigned*>(mask);
        sync_warp();
        if ((lanes & lane_mask_gt()) == 0) *static_cast<volatile unsigned*>(mask) = 0;
        sync_warp();
        return lanes;
    }
};
/// Rows with masks, which mostly keep shared memory busy, interleaved with rows with ballots, which
/// do not.
struct interleaved {
    using memory = by_masks::memory;
    __device__ static unsigned lanes(memory& shared, word digit, int row) {
        return row % 2 == 0 ? by_masks::lanes(shared, digit, row) : lanes_with_digit(digit);
    }
};

/// The highest of the lanes takes places for all of them, and tells them.
struct told_by_one {
    __device__ static word first(word* counter, unsigned lanes, word below) {
        const int highest = highest_lane(lanes);
        word first = 0;
        if (lane() == highest) first = fetch_add_in_block(counter, below + 1);
        sync_warp();
        return shuffle(first, highest);
    }
};
/// All of the lanes read the counter, and the highest one changes it.
struct read_by_all {
    __device__ static word first(word* counter, unsigned lanes, word below) {
        const word first = *static_cast<volatile word*>(counter);
        sync_warp();
        if (lane() == highest_lane(lanes))
            *static_cast<volatile word*>(counter) = first + below + 1;
        sync_warp();
        return first;
    }
};

template <class Same, class Take>
struct by_warps {
    static constexpr sort_shape shape = {16, 22, 2};
    struct memory {
        word key[tile_items];
        word start[digit_values];
        rank_memory<shape.warps> ranks;
        [[no_unique_address]] typename Same::memory same;
    };
    __device__ static int place(int at) { return at; }

    __device__ static void order(memory& shared, const digit_place& digit_at) {
        word key[shape.rows];
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            key[i] = shared.key[(warp() * shape.rows + i) * warp_lanes + lane()];
        }
        tile_ranks<shape> ranks(shared.ranks, digit_at);
        ranks.count(key, shape.rows);
        const word start = ranks.start([](word) {});
        if (thread_in_block() < digit_values) shared.start[thread_in_block()] = start;
        const digit_place place = digit_at.again();
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            const word digit = place.of(key[i]);
            const unsigned lanes = Same::lanes(shared.same, digit, i);
            const word below = count_bits(lanes & lane_mask_lt());
            word* const counter = shared.ranks.counter[warp()] + digit;
            shared.key[Take::first(counter, lanes, below) + below] = key[i];
        }
    }
};

// ---- each thread has a column of counters, of 16 bits, for keys side by side

/// The sum of all threads before this one; all threads call it. `total`: the sum of all threads.
template <int warps>
__device__ word sum_before(word mine, word (&of_warp)[warps], word& total) {
    const word up_to = scan_lanes(mine, warp_lanes, plus_words);
    if (lane() == warp_lanes - 1) of_warp[warp()] = up_to;
    sync_block();
    word before = 0;
    total = 0;
#pragma unroll
    for (int w = 0; w < warps; ++w) {
        before += w < warp() ? of_warp[w] : 0;
        total += of_warp[w];
    }
    return before + up_to - mine;
}

/// Values v and v + 128 share a word, and a thread's words lie in one bank. The counters are added
/// up in their order, by value and then by thread. Each thread adds up 129 of them, an odd number,
/// so that lanes read different banks. (CUB works like this with digits of at most 6 bits; for
/// digits of 8 bits there is room for the counters of 352 threads only.)
struct by_columns {
    static constexpr sort_shape shape = {11, 32, 1};
    static constexpr int half = digit_values / 2, each = half + 1;
    struct memory {
        word key[shape.threads() * (shape.rows + 1)];
        word start[digit_values];
        word counter[each * shape.threads()];
        word of_warp[shape.warps];
    };
    // Rows of a thread are 33 words apart, so all lanes access different banks.
    __device__ static int place(int at) { return at + at / shape.rows; }

    __device__ static void order(memory& shared, const digit_place& digit_at) {
        const int thread = thread_in_block();
        word key[shape.rows];
        packed_numbers<shape.rows, 8> before_in_thread;
        for (int i = 0; i < each; ++i) shared.counter[i * shape.threads() + thread] = 0;
        auto* const halves = reinterpret_cast<std::uint16_t*>(shared.counter + thread);
        const auto counter_of = [&](word digit) {
            return halves + (digit % half) * (2 * shape.threads()) + digit / half;
        };
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            key[i] = shared.key[thread * (shape.rows + 1) + i];
            std::uint16_t* const counter = counter_of(digit_at.of(key[i]));
            const std::uint16_t before = *counter;
            *counter = static_cast<std::uint16_t>(before + 1);
            before_in_thread.set(i, before);
        }
        sync_block();
        word* const mine = shared.counter + thread * each;
        word sum = 0, total;
#pragma unroll
        for (int i = 0; i < each; ++i) sum += mine[i];
        word before = sum_before(sum, shared.of_warp, total);
        before += total << 16;  // the higher values come after all lower ones
#pragma unroll
        for (int i = 0; i < each; ++i) {
            const word count = mine[i];
            mine[i] = before;
            before += count;
        }
        sync_block();
        for (int value = thread; value < digit_values; value += shape.threads()) {
            shared.start[value] = counter_of(static_cast<word>(value))[-2 * thread];
        }
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            const word digit = digit_at.of(key[i]);
            const auto to = static_cast<int>(*counter_of(digit) + before_in_thread[i]);
            shared.key[place(to)] = key[i];
        }
    }
};

// ---- twice by 4 bits: 16 counters of 4 bits in two registers, for 11 keys side by side

struct by_halves {
    static constexpr sort_shape shape = {32, 11, 1};
    static constexpr int values = 16;
    struct memory {
        word key[tile_items];
        word start[digit_values];
        std::uint32_t count[digit_values];
        word before[values / 2][shape.threads()];  ///< two values each, of one thread
        word of_warp[values / 2][shape.warps];
        warp_totals totals;
    };
    __device__ static int place(int at) { return at; }

    __device__ static void order(memory& shared, const digit_place& digit_at) {
        count_values(shared, digit_at);
        split(shared, digit_at.shift);
        sync_block();
        split(shared, digit_at.shift + 4);
    }

 private:
    // Counts how many keys have each value of all 8 bits, which is not known otherwise.
    __device__ static void count_values(memory& shared, const digit_place& digit_at) {
        const int thread = thread_in_block();
        if (thread < digit_values) shared.count[thread] = 0;
        sync_block();
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            add_in_block(shared.count + digit_at.of(shared.key[i * shape.threads() + thread]), 1);
        }
        sync_block();
        const word count = thread < digit_values ? shared.count[thread] : 0;
        const word up_to = scan_lanes(count, warp_lanes, plus_words);
        if (thread < digit_values && lane() == warp_lanes - 1) {
            shared.totals.of_warp[warp()] = up_to;
        }
        sync_block();
        if (thread < digit_values)
            shared.start[thread] = up_to - count + before_warp(shared.totals);
    }

    __device__ static void split(memory& shared, int shift) {
        const int thread = thread_in_block();
        word key[shape.rows];
        std::uint64_t counts = 0, before_in_thread = 0;
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            key[i] = shared.key[thread * shape.rows + i];
            const int at = static_cast<int>((key[i] >> shift) % values) * 4;
            before_in_thread |= (counts >> at) % values << i * 4;
            counts += std::uint64_t{1} << at;
        }
        // Pairs of values v, v + 8 in a word, scanned over the lanes, then over the warps.
        word mine[values / 2], up_to[values / 2];
#pragma unroll
        for (int v = 0; v < values / 2; ++v) {
            const auto low = static_cast<word>(counts >> v * 4) % values;
            const auto high = static_cast<word>(counts >> (v + values / 2) * 4) % values;
            mine[v] = low | high << 16;
            up_to[v] = scan_lanes(mine[v], warp_lanes, plus_words);
            if (lane() == warp_lanes - 1) shared.of_warp[v][warp()] = up_to[v];
        }
        sync_block();
        if (warp() < values / 2) {
            const word of_warp = shared.of_warp[warp()][lane()];
            const word up_to_warp = scan_lanes(of_warp, warp_lanes, plus_words);
            shared.of_warp[warp()][lane()] = up_to_warp - of_warp;
            if (lane() == warp_lanes - 1) shared.totals.of_warp[warp()] = up_to_warp;
        }
        sync_block();
        word total[values / 2], lower = 0;
#pragma unroll
        for (int v = 0; v < values / 2; ++v) total[v] = shared.totals.of_warp[v], lower += total[v];
        word before = lower << 16;
#pragma unroll
        for (int v = 0; v < values / 2; ++v) {
            shared.before[v][thread] = before + shared.of_warp[v][warp()] + up_to[v] - mine[v];
            before += total[v];
        }
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            const word digit = (key[i] >> shift) % values;
            const word pair = shared.before[digit % (values / 2)][thread];
            const word to = digit < values / 2 ? pair & 0xffff : pair >> 16;
            shared.key[to + static_cast<word>(before_in_thread >> i * 4) % values] = key[i];
        }
    }
};

}  // namespace lookback::bench::rank_ways
