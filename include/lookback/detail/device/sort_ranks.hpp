/// \file
/// Stable ranks, found by the threads of a block: the place of each key of a tile within the tile,
/// when its keys are sorted by one digit.
///
/// First each warp counts the digits of its own keys. For each value of the digit, one thread adds
/// up the warps' counts. After a scan over the values, each warp's counter is the place of its
/// first key with that value. Then the warps go through their keys again, row by row of 32. The
/// lanes that hold the same digit find each other, and the highest of them takes as many places
/// from the counter as there are such lanes. So it is known how many keys have each value, and
/// other tiles can be told, before the ranks are known.
///
/// Cost, for each row: an atomic addition in shared memory to count, a ballot for each bit of the
/// digit, an addition by one lane for each digit that occurs, and a shuffle. Shared memory: 1 KiB a
/// warp.
///
/// Source: Merrill & Grimshaw 2011, section 3; Adinets & Merrill 2022, section 4.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_shapes.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

/// The lanes that hold the same digit as this one. The units for operations on bits limit the speed
/// of ranking, so bits are taken two at a time.
__device__ inline unsigned lanes_with_digit(std::uint32_t digit) {
    unsigned lanes = all_lanes;
#pragma unroll
    for (int bit = 0; bit < digit_bits; bit += 2) {
        lanes =
            common_bits(lanes, lanes_agreeing(digit, 1U << bit), lanes_agreeing(digit, 2U << bit));
    }
    return lanes;
}

/// Numbers of `bits` bits, as many in a register as it has room for.
template <int count, int bits = 16>
class packed_numbers {
    static constexpr int each = 32 / bits;
    static constexpr std::uint32_t mask = (1U << bits) - 1;

 public:
    __device__ std::uint32_t operator[](int i) const {
        return words_[i / each] >> i % each * bits & mask;
    }
    /// Numbers have to be set in ascending order of i.
    __device__ void set(int i, std::uint32_t number) {
        std::uint32_t& word = words_[i / each];
        word = i % each == 0 ? number : word | number << i % each * bits;
        // Without this the compiler would see the single numbers, and keep each in a register of
        // its own.
        if (i % each == each - 1) word = static_cast<std::uint32_t>(anew(static_cast<int>(word)));
    }

 private:
    std::uint32_t words_[(count + each - 1) / each];
};

/// A total for each of the first eight warps, whose threads stand for the values of a digit.
struct warp_totals {
    alignas(16) std::uint32_t of_warp[digit_values / warp_lanes];
};

/// What a block keeps in shared memory to rank the keys of a tile.
template <int warps>
struct rank_memory {
    alignas(16) std::uint32_t counter[warps][digit_values];
    warp_totals totals;
};

/// The sum of the totals of the warps before this one, which is one of the first eight.
__device__ inline std::uint32_t before_warp(const warp_totals& totals) {
    // All totals are loaded at once, and no load waits for a condition.
    using four = vector16<std::uint32_t>;
    std::uint32_t sum = 0;
#pragma unroll
    for (int w = 0; w < digit_values / warp_lanes; w += four::items) {
        const four part = load_vector16<std::uint32_t>(totals.of_warp + w);
#pragma unroll
        for (int i = 0; i < four::items; ++i) sum += w + i < warp() ? part.item[i] : 0;
    }
    return sum;
}

/// The ranks of a tile's keys. All threads of the block call `count`, then `start`, and then `next`
/// for each row of their warp, in order.
template <sort_shape shape>
class tile_ranks {
    static_assert(shape.threads() >= digit_values, "a thread for each value of a digit");

 public:
    using memory = rank_memory<shape.warps>;

    __device__ tile_ranks(memory& shared, const digit_place& place)
        : shared_(shared), place_(place) {}

    /// Counts the digits of this warp's first `rows` rows. Other warps may not look at the counts
    /// before `start`.
    template <class Word>
    __device__ void count(const Word (&word)[shape.rows], int rows) const {
        std::uint32_t* const counter = shared_.counter[warp()];
        constexpr int per_vector = vector16<std::uint32_t>::items;
#pragma unroll
        for (int i = lane() * per_vector; i < digit_values; i += warp_lanes * per_vector) {
            store_vector16(counter + i, vector16<std::uint32_t>{});
        }
        sync_warp();
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (i >= rows) break;
            add_in_block(counter + place_.of(word[i]), 1);
        }
    }

    /// Makes the counters the places of the warps' first keys. A thread whose number is a value of
    /// the digit calls `told` with the number of keys that have it, and returns the place of the
    /// first of them.
    template <class Told>
    __device__ std::uint32_t start(const Told& told) {
        sync_block();  // each warp has counted
        place_ = place_.again();
        const int value = thread_in_block();
        const auto plus = [](std::uint32_t a, std::uint32_t b) { return a + b; };
        std::uint32_t total = 0, up_to = 0;
        // The counts of the warps before each warp. If there are many warps, they are read again
        // instead.
        constexpr bool keeps = shape.warps <= 16;
        std::uint32_t before[keeps ? shape.warps : 1];
        if (value < digit_values) {
#pragma unroll
            for (int w = 0; w < shape.warps; ++w) {
                if constexpr (keeps) before[w] = total;
                total += shared_.counter[w][value];
            }
            told(total);
            up_to = scan_lanes(total, warp_lanes, plus);
            if (lane() == warp_lanes - 1) shared_.totals.of_warp[warp()] = up_to;
        }
        sync_block();
        std::uint32_t start = up_to - total;
        if (value < digit_values) {
            start += before_warp(shared_.totals);
            if constexpr (keeps) {
#pragma unroll
                for (int w = 0; w < shape.warps; ++w) {
                    shared_.counter[w][value] = start + before[w];
                }
            } else {
                std::uint32_t first = start;
#pragma unroll
                for (int w = 0; w < shape.warps; ++w) {
                    const std::uint32_t count = shared_.counter[w][value];
                    shared_.counter[w][value] = first;
                    first += count;
                }
            }
        }
        sync_block();  // the places are there
        return start;
    }

    /// Where this lane's key of the next row goes, within the tile.
    template <class Word>
    __device__ std::uint32_t next(Word word) const {
        const std::uint32_t digit = place_.of(word);
        const unsigned lanes = lanes_with_digit(digit);
        const std::uint32_t below = count_bits(lanes & lane_mask_lt());
        const int highest = highest_lane(lanes);
        std::uint32_t first = 0;
        if (lane() == highest) {
            first = fetch_add_in_block(shared_.counter[warp()] + digit, below + 1);
        }
        sync_warp();  // the keys of the next row come after these
        return from_lane(first, highest) + below;
    }

 private:
    memory& shared_;
    digit_place place_;
};

}  // namespace lookback::detail::device
