/// \file
/// Padding of the shared memory in which a block puts keys in order. Keys that are not random often
/// have digits that differ by one from lane to lane. Then the lanes of a warp put their keys a
/// power of two apart, and without padding all of them would go to the same bank.
#pragma once

#include "lookback/detail/device/machine.hpp"

namespace lookback::detail::device {

/// Where item `at` lies, or the size of an array of so many items: one place is left out behind
/// each 32.
__host__ __device__ constexpr unsigned padded(unsigned at) { return at + at / warp_lanes; }
/// The same for item `first + rows * length`. `length` is a multiple of 32.
__device__ inline unsigned padded_in_row(int first, int rows, int length = warp_lanes) {
    return padded(static_cast<unsigned>(first)) +
           static_cast<unsigned>(rows) * padded(static_cast<unsigned>(length));
}

}  // namespace lookback::detail::device
