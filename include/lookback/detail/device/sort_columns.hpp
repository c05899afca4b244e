/// \file
/// Counting digits in shared memory, without atomic operations: each lane has a column of counters
/// of its own, a byte for each value of a digit.
///
/// A column lies in one bank, so lanes never meet, whatever the digits are: a key costs a load and
/// a store of shared memory for each digit. (Atomic additions to counters that lanes share meet in
/// 3 or 4 of 32 random banks.) A byte counts to 255: after as many keys a warp adds its columns up.
///
/// Memory: 8 KiB for each digit of each warp.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_problem.hpp"

namespace lookback::detail::device {

/// A warp's columns for one digit: a row of 32 words for each four values.
struct digit_columns {
    static constexpr int rows = digit_values / 4;
    static constexpr int most = 255;

    alignas(16) std::uint32_t words[rows * warp_lanes];

    /// The counter of this lane.
    __device__ std::uint8_t* counter(std::uint32_t digit) {
        return reinterpret_cast<std::uint8_t*>(words + lane()) + (digit >> 2) * (4 * warp_lanes) +
               (digit & 3);
    }

    __device__ void clear() {
        for (int i = lane() * 4; i < rows * warp_lanes; i += 4 * warp_lanes) {
            store_vector16(words + i, vector16<std::uint32_t>{});
        }
    }

    /// Adds the columns to `totals`, of the block's shared memory, and clears them. Between two
    /// barriers of the warp.
    __device__ void add_to(std::uint32_t* totals) {
#pragma unroll
        for (int row = lane(); row < rows; row += warp_lanes) {
            // Two counters of 16 bits in a word: 32 times 255 fit.
            std::uint32_t even = 0, odd = 0;
#pragma unroll 8
            for (int i = 0; i < warp_lanes; ++i) {
                // Each lane is at another bank.
                std::uint32_t& word = words[row * warp_lanes + (i + lane()) % warp_lanes];
                even += word & 0x00ff00ffU;
                odd += word >> 8 & 0x00ff00ffU;
                word = 0;
            }
            add_in_block(totals + 4 * row, even & 0xffffU);
            add_in_block(totals + 4 * row + 1, odd & 0xffffU);
            add_in_block(totals + 4 * row + 2, even >> 16);
            add_in_block(totals + 4 * row + 3, odd >> 16);
        }
    }
};

}  // namespace lookback::detail::device
