/// \file
/// How a hybrid sort moves keys that have values (sort_hybrid_state.hpp): passes that keep the
/// order of equal keys (sort_tiles.hpp), by the highest digit over the whole array, then by the
/// next within each part. A tile looks back as far as the first tile of its part.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_hybrid_state.hpp"
#include "lookback/detail/device/sort_pass.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_tiles.hpp"

namespace lookback::detail::device {

/// The tiles of all parts.
template <unsigned tile_items>
class tiles_of_parts {
 public:
    __device__ tiles_of_parts(const hybrid_table& table, const sort_hybrid& by,
                              const workspace_view<std::uint32_t>& workspace)
        : table_(table), buckets_(by.buckets_of_part()), workspace_(workspace) {}

    __device__ item_range range(std::uint64_t tile) const {
        return table_.of_tile(tile, tile_items);
    }
    __device__ tile_before before(std::uint32_t tile) const {
        const unsigned part = table_.owner[tile];
        const std::uint32_t first = table_.part_tile[part];
        const int bucket = thread_in_block();
        const std::uint64_t start =
            bucket < buckets_ ? table_.start[static_cast<int>(part) * buckets_ + bucket] : 0;
        const tile_statuses<std::uint32_t> statuses(
            static_cast<unsigned char*>(workspace_.words) +
                std::uint64_t{first} * digit_values * status_bytes<std::uint32_t>,
            workspace_.capacity);
        return {statuses, tile - first, start};
    }
    __device__ void hand_on(std::uint64_t) const {}  // all tiles are in one portion

 private:
    const hybrid_table& table_;
    int buckets_;
    const workspace_view<std::uint32_t>& workspace_;
};

/// Moves the input to parts in scratch memory; or, `in_parts`, the items of parts to buckets in the
/// second room.
template <class Problem, int warps, int rows, int blocks, bool in_parts>
__global__ __launch_bounds__(warps* warp_lanes, blocks) void hybrid_pass_kernel(
    const __grid_constant__ Problem problem, workspace_view<std::uint32_t> workspace,
    const sort_sums* sums, sort_hybrid by) {
    constexpr sort_shape shape = {warps, rows, blocks};
    constexpr unsigned tile_items = shape.items();
    auto& shared = *reinterpret_cast<sort_pass_memory<Problem, shape>*>(dynamic_shared_memory());
    const hybrid_table& table = *problem.table;
    wait_for_previous_kernel();
    if (!(in_parts ? by.goes_on(sums) : begins_hybrid(problem, sums, by))) return;
    const auto move = [&](sort_array from, sort_array to, const digit_place& place,
                          const auto& tiles, std::uint64_t all) {
        sort_tiles<shape>(problem, {sort_step::sort, from, to}, place, tiles, all,
                          {0, static_cast<std::uint32_t>(all), 0}, workspace, shared);
    };
    if constexpr (in_parts) {
        move(sort_array::room, sort_array::second_room, table.bucket_digit(by),
             tiles_of_parts<tile_items>(table, by, workspace), table.part_tile[digit_values]);
    } else {
        const std::uint64_t items = problem.count.get();
        move(sort_array::input, sort_array::room, table.part_digit(by),
             tiles_of_array<tile_items>(items, {0, 0, 0}, problem.state->starts[0],
                                        workspace.statuses()),
             (items + tile_items - 1) / tile_items);
    }
}

}  // namespace lookback::detail::device
