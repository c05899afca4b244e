/// \file
/// Small arrays: one block sorts them in one launch (sort_block.hpp).
///
/// Cost: each key and each value is read and written once.
#pragma once

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_block.hpp"
#include "lookback/detail/device/sort_problem.hpp"

namespace lookback::detail::device {

template <class Problem, sort_shape shape>
using sort_small_memory = sort_block_memory<Problem, shape, Problem::has_values>;

template <class Problem, int warps, int rows>
__global__ __launch_bounds__(warps* warp_lanes) void sort_small_kernel(
    const __grid_constant__ Problem problem) {
    constexpr sort_shape shape = {warps, rows, 1};
    using memory = sort_small_memory<Problem, shape>;
    wait_for_previous_kernel();
    sort_block<Problem, shape> block(problem, *reinterpret_cast<memory*>(dynamic_shared_memory()),
                                     sort_array::input, {0, problem.count.get()});
    block.read();
    block.make_words();
    block.sort_by_digits(problem.digits);
    block.store(sort_array::output);
}

}  // namespace lookback::detail::device
