/// \file
/// One pass over all large segments, in tiles that each belong to one segment (sort_tiles.hpp). The
/// tiles of a segment have consecutive numbers, and are claimed in that order. A tile looks back as
/// far as the first tile of its segment: the tiles before that do not matter to it.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/segmented_sort_problem.hpp"
#include "lookback/detail/device/sort_plan.hpp"
#include "lookback/detail/device/sort_tiles.hpp"

namespace lookback::detail::device {

/// The tiles of a portion. Portions cut the sequence of all tiles of all large segments.
template <class Segmented, unsigned tile_items>
class tiles_of_segments {
 public:
    __device__ tiles_of_segments(const Segmented& problem, int pass, const sort_portion& portion,
                                 const workspace_view<std::uint32_t>& workspace)
        : problem_(problem), pass_(pass), portion_(portion), workspace_(workspace) {}

    __device__ item_range range(std::uint64_t tile) const {
        const large_segment segment = problem_.lists.large[owner(tile)];
        const std::uint64_t before = portion_.first + tile - segment.first_tile;
        return {segment.range.begin + before * tile_items, segment.range.end};
    }
    __device__ tile_before before(std::uint32_t tile) const {
        const std::uint32_t number = owner(tile);
        const std::uint64_t first = problem_.lists.large[number].first_tile;
        // If the segment began in an earlier launch, its tiles there are counted in what that
        // launch has handed on.
        const bool goes_on = first < portion_.first;
        const std::uint64_t before = goes_on ? 0 : first - portion_.first;
        std::uint64_t start = 0;
        if (thread_in_block() < digit_values) {
            start = (goes_on ? handed_on(portion_.turn)
                             : problem_.starts_of(number, pass_))[thread_in_block()];
        }
        return {statuses_from(workspace_, before), tile - static_cast<std::uint32_t>(before),
                start};
    }
    __device__ void hand_on(std::uint64_t start) const {
        handed_on(1 - portion_.turn)[thread_in_block()] = start;
    }

 private:
    __device__ std::uint32_t owner(std::uint64_t tile) const {
        return problem_.lists.owner[portion_.first + tile];
    }
    __device__ std::uint64_t* handed_on(int turn) const {
        return problem_.lists.carried + turn * digit_values;
    }

    const Segmented& problem_;
    int pass_;
    const sort_portion& portion_;
    const workspace_view<std::uint32_t>& workspace_;
};

template <class Problem, sort_shape shape>
struct segmented_sort_pass_memory {
    sort_pass_memory<Problem, shape> tile;
    planned_pass plan;
};

template <class Segmented>
__device__ planned_pass plan_of_pass(const Segmented& problem, int pass) {
    bool same_in_all[most_digits];
    for (int d = 0; d < most_digits; ++d) same_in_all[d] = problem.lists.head->varies[d] == 0;
    planned_pass plan[most_passes];
    plan_passes(same_in_all, false, problem.sort.digits, problem.sort.layout, plan);
    return plan[pass];
}

template <class Segmented, int warps, int rows, int blocks>
__global__ __launch_bounds__(warps* warp_lanes, blocks) void segmented_sort_pass_kernel(
    const __grid_constant__ Segmented problem, workspace_view<std::uint32_t> workspace, int pass,
    sort_portion portion) {
    constexpr sort_shape shape = {warps, rows, blocks};
    using Problem = typename Segmented::sort_type;
    auto& memory =
        *reinterpret_cast<segmented_sort_pass_memory<Problem, shape>*>(dynamic_shared_memory());
    wait_for_previous_kernel();
    const std::uint64_t all = problem.lists.head->tiles;
    // All blocks find the same, so either all of them claim tiles or none does.
    if (all <= portion.first) return;
    if (thread_in_block() == 0) memory.plan = plan_of_pass(problem, pass);
    sync_block();
    const planned_pass plan = memory.plan;
    if (plan.step == sort_step::nothing) return;
    const tiles_of_segments<Segmented, static_cast<unsigned>(shape.items())> tiles(
        problem, pass, portion, workspace);
    sort_tiles<shape>(problem.sort, plan, digit_place(problem.sort.digits, pass), tiles, all,
                      portion, workspace, memory.tile);
}

}  // namespace lookback::detail::device
