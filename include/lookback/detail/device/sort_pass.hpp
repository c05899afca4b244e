/// \file
/// One pass of a sort over a whole array: by one digit, from one array to another, each key read
/// and written once (sort_tiles.hpp). A tile looks back to all tiles before it.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_tiles.hpp"

namespace lookback::detail::device {

/// The tiles of a portion of an array.
template <unsigned tile_items>
class tiles_of_array {
 public:
    __device__ tiles_of_array(std::uint64_t items, const sort_portion& portion,
                              std::uint64_t (&starts)[2][digit_values],
                              const tile_statuses<std::uint32_t>& statuses)
        : items_(items),
          first_(portion.first * tile_items),
          starts_(starts),
          turn_(portion.turn),
          before_{statuses, 0, 0} {
        if (thread_in_block() < digit_values) before_.start = starts[turn_][thread_in_block()];
    }

    __device__ item_range range(std::uint64_t tile) const {
        return {first_ + tile * tile_items, items_};
    }
    __device__ tile_before before(std::uint32_t tile) const {
        return {before_.statuses, tile, before_.start};
    }
    __device__ void hand_on(std::uint64_t start) const {
        starts_[1 - turn_][thread_in_block()] = start;
    }

 private:
    std::uint64_t items_, first_;
    std::uint64_t (&starts_)[2][digit_values];
    int turn_;
    tile_before before_;
};

/// A pass over digit `digit`, of a portion.
template <class Problem, int warps, int rows, int blocks>
__global__ __launch_bounds__(warps* warp_lanes,
                             blocks) void sort_pass_kernel(const __grid_constant__ Problem problem,
                                                           workspace_view<std::uint32_t> workspace,
                                                           int digit, sort_portion portion) {
    constexpr sort_shape shape = {warps, rows, blocks};
    constexpr unsigned tile_items = shape.items();
    using memory = sort_pass_memory<Problem, shape>;
    wait_for_previous_kernel();
    const planned_pass plan = problem.state->pass[digit];
    const std::uint64_t items = problem.count.get();
    const std::uint64_t all = (items + tile_items - 1) / tile_items;
    // All blocks find the same, so either all of them claim tiles or none does.
    if (plan.step == sort_step::nothing || all <= portion.first) return;
    const tiles_of_array<tile_items> tiles(items, portion, problem.state->starts[digit],
                                           workspace.statuses());
    sort_tiles<shape>(problem, plan, digit_place(problem.digits, digit), tiles, all, portion,
                      workspace, *reinterpret_cast<memory*>(dynamic_shared_memory()));
}

}  // namespace lookback::detail::device
