/// \file
/// The first kernel of a sort of segments: finds the segments that begin at each cut, and empties
/// the lists. A warp searches for a cut, 32 offsets at a time.
///
/// Cost: for each cut, some log2(k) / 5 reads of 32 of the k offsets.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/segmented_sort_problem.hpp"

namespace lookback::detail::device {

inline constexpr int cut_threads = 128;

/// The first of the segments [0, segments) that does not begin before `item`, or `segments` if
/// there is none. Called by all lanes of a warp.
template <class Segmented>
__device__ std::uint64_t first_segment_from(const Segmented& problem, std::uint64_t item) {
    std::uint64_t low = 0, high = problem.segments;
    while (low < high) {
        const std::uint64_t some = high - low;
        const auto probe = [&](unsigned k) { return low + some * k / warp_lanes; };
        const bool before =
            problem.offset(probe(static_cast<unsigned>(lane())), ~std::uint64_t{0}) < item;
        const unsigned found = count_bits(ballot(before));
        if (found == 0) return low;
        if (found < warp_lanes) high = probe(found);
        low = probe(found - 1) + 1;
    }
    return low;
}

template <class Segmented>
__global__ __launch_bounds__(cut_threads) void segmented_sort_cuts_kernel(
    const __grid_constant__ Segmented problem) {
    wait_for_previous_kernel();
    const std::uint64_t items = problem.sort.count.get();
    if (thread_in_grid() == 0) *problem.lists.head = {};
    for (std::uint64_t c = thread_in_grid() / warp_lanes; c <= problem.cuts;
         c += threads_in_grid() / warp_lanes) {
        const std::uint64_t first =
            first_segment_from(problem, c * static_cast<unsigned>(problem.step));
        if (lane() == 0) problem.lists.cut[c] = {first, problem.offset(first, items)};
    }
}

}  // namespace lookback::detail::device
