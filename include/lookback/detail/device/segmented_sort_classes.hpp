/// \file
/// Where a block that sorts short segments keeps its data in shared memory: its items, and its
/// lists of segments, one for each class of lengths.
#pragma once

#include "lookback/detail/device/machine.hpp"

namespace lookback::detail::device {

/// Where item `at` lies in shared memory. A word is left out behind each 128 bytes, so that items a
/// power of two apart lie in different banks.
template <class T>
__host__ __device__ constexpr int spread(int at) {
    constexpr unsigned row = 128 / sizeof(T), left_out = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
    return static_cast<int>(static_cast<unsigned>(at) + static_cast<unsigned>(at) / row * left_out);
}
/// The same for item `first + rows * warp_lanes`.
template <class T>
__device__ int spread_in_row(int first, int rows) {
    if constexpr (warp_lanes % (128 / sizeof(T)) == 0) {
        return spread<T>(first) + rows * spread<T>(warp_lanes);
    } else {
        return spread<T>(first + rows * warp_lanes);
    }
}

/// Classes of lengths from 2 to `most`. The list of each class has room for as many segments of
/// that class as `items` items can make.
template <int items, int most>
struct length_classes {
    static constexpr int smallest = 4;  ///< the length of the longest segments of the first class

    static constexpr int of(int length) {
        int c = 0;
        while (smallest << c < length) ++c;
        return c;
    }
    static constexpr int count = of(most) + 1;
    static constexpr int shortest(int c) { return c == 0 ? 2 : (smallest << (c - 1)) + 1; }
    static constexpr int before(int c) {
        int sum = 0;
        for (int k = 0; k < c; ++k) sum += items / shortest(k);
        return sum;
    }
    /// Where the list of class c begins.
    template <int c>
    static constexpr int begin = before(c);

    /// The same for a class that is known at run time only, without divisions.
    template <int c = 0>
    __device__ static int begin_of(int which) {
        if constexpr (c == count) {
            return begin<c>;
        } else {
            return which == c ? begin<c> : begin_of<c + 1>(which);
        }
    }
};

}  // namespace lookback::detail::device
