/// \file
/// Medium arrays: a pass by the highest digit puts the keys with each value side by side, in a
/// bucket of scratch memory; then a block sorts each bucket by the digits below, in shared memory,
/// into the output. So the other digits take neither launches nor waits of tiles for each other,
/// which take most of the time of passes over few keys.
///
/// That needs buckets which a block has room for. The kernel that counts knows how many keys have
/// each value of each digit before any key is moved, and plans passes by all digits where some
/// bucket is too large (sort_plan.hpp): the kernel here has nothing to do then.
///
/// Bytes, of n keys: n read to count them, twice n read and n written. The order of keys that are
/// equal is kept by both steps, so the result is that of passes.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_small.hpp"

namespace lookback::detail::device {

/// A block for each value of the digit.
template <class Problem, int warps, int rows, int blocks>
__global__ __launch_bounds__(warps* warp_lanes, blocks) void sort_buckets_kernel(
    const __grid_constant__ Problem problem) {
    constexpr sort_shape shape = {warps, rows, blocks};
    using memory = sort_small_memory<Problem, shape>;
    wait_for_previous_kernel();
    const int by = problem.state->buckets_by;
    if (by == 0) return;
    const auto& starts = problem.state->bucket_starts;
    const unsigned value = block_in_grid();
    const std::uint64_t first = starts[value];
    const std::uint64_t end = value + 1 < digit_values ? starts[value + 1] : problem.count.get();
    if (first == end) return;
    sort_small_block<Problem, shape>(problem, *reinterpret_cast<memory*>(dynamic_shared_memory()),
                                     sort_array::room, first, static_cast<int>(end - first))
        .run(by);
}

}  // namespace lookback::detail::device
