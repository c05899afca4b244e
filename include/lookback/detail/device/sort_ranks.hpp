/// \file
/// Where each key of a tile goes among those of the tile, when they are sorted by one digit: stable
/// ranks, by the threads of a block.
///
/// Each warp counts the digits of its own keys, in their order, row after row of 32: lanes that
/// hold the same digit find each other; what the warp has counted of it before, and the lanes
/// below, are a key's rank; the lowest of the lanes counts them all. Then a thread for each value
/// of the digit adds the warps' counts up, and after a scan over the values each warp's counter
/// becomes the place of its first key with that digit.
///
/// Cost, for each row: a ballot for each bit of the digit (or one instruction that matches words),
/// two accesses to a random counter and, for the place, a third. Shared memory: 512 bytes a warp.
///
/// Source: Merrill & Grimshaw 2011, section 3; Adinets & Merrill 2022, section 4.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_shapes.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

/// The lanes that hold the same digit as this one.
template <digit_match match>
__device__ unsigned lanes_with_digit(std::uint32_t digit) {
    if constexpr (match == digit_match::instruction) {
        return lanes_with(digit);
    } else {
        unsigned lanes = all_lanes;
#pragma unroll
        for (int bit = 0; bit < digit_bits; ++bit) {
            lanes &= lanes_agreeing(digit, 1U << bit);
        }
        return lanes;
    }
}

/// Numbers below 2^16, two in a register.
template <int count>
class packed_numbers {
 public:
    __device__ std::uint32_t operator[](int i) const {
        return words_[i / 2] >> i % 2 * 16 & 0xffff;
    }
    /// Each is set after those before it.
    __device__ void set(int i, std::uint32_t number) {
        words_[i / 2] = i % 2 == 0 ? number : (words_[i / 2] & 0xffff) | number << 16;
    }

 private:
    std::uint32_t words_[(count + 1) / 2];
};

/// What a block keeps in shared memory to rank the keys of a tile.
template <int warps>
struct rank_memory {
    alignas(16) std::uint16_t counter[warps][digit_values];
    std::uint32_t totals[digit_values / warp_lanes];
};

/// The ranks of a warp's keys: what is known of them before the block has met.
template <sort_shape shape, digit_match match>
class tile_ranks {
    static_assert(shape.threads() >= digit_values, "a thread for each value of a digit");
    static_assert(shape.items() < 1 << 16, "places have 16 bits");

 public:
    using memory = rank_memory<shape.warps>;

    __device__ explicit tile_ranks(memory& shared) : shared_(shared) {}

    /// Counts the digits of this warp's first `rows` rows. Another warp may not yet look.
    template <class Word>
    __device__ void count(const Word (&word)[shape.rows], int rows, const digit_place& place) {
        std::uint16_t* const counter = shared_.counter[warp()];
        constexpr int per_vector = vector16<std::uint16_t>::items;
        store_vector16(counter + lane() * per_vector, vector16<std::uint16_t>{});
        sync_warp();
        const unsigned lanes_below = lane_mask_lt();
#pragma unroll
        for (int i = 0; i < shape.rows; ++i) {
            if (i >= rows) break;
            const std::uint32_t digit = place.of(word[i]);
            const unsigned lanes = lanes_with_digit<match>(digit);
            const std::uint32_t before = counter[digit];
            const std::uint32_t below = count_bits(lanes & lanes_below);
            rank_.set(i, before + below);
            sync_warp();  // all have read what one of them writes
            if (below == 0) counter[digit] = static_cast<std::uint16_t>(before + count_bits(lanes));
            sync_warp();  // and read again when it is written
        }
    }

    /// Makes the counters the places of the warps' first keys. All threads call it together; where
    /// a thread's number is a value of the digit, it calls `told` with how many keys have it, and
    /// learns where the first of them goes.
    template <class Told>
    __device__ std::uint32_t place(const Told& told) {
        sync_block();  // each warp has counted
        const int value = thread_in_block();
        const auto plus = [](std::uint32_t a, std::uint32_t b) { return a + b; };
        std::uint32_t total = 0, up_to = 0;
        packed_numbers<shape.warps> before;
        if (value < digit_values) {
#pragma unroll
            for (int w = 0; w < shape.warps; ++w) {
                before.set(w, total);
                total += shared_.counter[w][value];
            }
            told(total);
            up_to = scan_lanes(total, warp_lanes, plus);
            if (lane() == warp_lanes - 1) shared_.totals[warp()] = up_to;
        }
        sync_block();
        std::uint32_t start = up_to - total;
        if (value < digit_values) {
            for (int w = 0; w < warp(); ++w) start += shared_.totals[w];
#pragma unroll
            for (int w = 0; w < shape.warps; ++w) {
                shared_.counter[w][value] = static_cast<std::uint16_t>(start + before[w]);
            }
        }
        sync_block();  // the places are there
        return start;
    }

    /// Where the key of row `i` goes, within the tile; after that.
    template <class Word>
    __device__ std::uint32_t operator()(int i, Word word, const digit_place& place) const {
        return shared_.counter[warp()][place.of(word)] + rank_[i];
    }

 private:
    memory& shared_;
    packed_numbers<shape.rows> rank_;
};

}  // namespace lookback::detail::device
