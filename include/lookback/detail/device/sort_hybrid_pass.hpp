/// \file
/// How a hybrid sort moves keys that have values (sort_hybrid_state.hpp): passes that keep the
/// order of equal keys (sort_tiles.hpp), by the highest digit over the whole array, then by the
/// next within each part. A tile looks back as far as the first tile of its part.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_hybrid_state.hpp"
#include "lookback/detail/device/sort_problem.hpp"
#include "lookback/detail/device/sort_tile.hpp"
#include "lookback/detail/device/sort_tiles.hpp"

namespace lookback::detail::device {

/// The tiles of the input, or of all parts.
template <class Problem, unsigned tile_items>
class tiles_of_parts {
 public:
    __device__ tiles_of_parts(const Problem& problem, const sort_hybrid& by, bool in_parts,
                              const workspace_view<std::uint32_t>& workspace)
        : problem_(problem), by_(by), in_parts_(in_parts), workspace_(workspace) {}

    __device__ std::uint64_t all() const {
        return in_parts_ ? table().part_tile[digit_values]
                         : (problem_.count.get() + tile_items - 1) / tile_items;
    }
    __device__ item_range range(std::uint64_t tile) const {
        if (in_parts_) return table().of_tile(tile, tile_items);
        return {tile * tile_items, problem_.count.get()};
    }
    __device__ tile_before before(std::uint32_t tile) const {
        const int value = thread_in_block();
        const std::uint32_t* starts = table().part_start;
        int values = digit_values;
        std::uint32_t first = 0;
        if (in_parts_) {
            const unsigned part = table().owner[tile];
            first = table().part_tile[part];
            values = by_.buckets_of_part();
            starts = table().start + part * static_cast<unsigned>(values);
        }
        return {statuses_from(workspace_, first), tile - first, value < values ? starts[value] : 0};
    }
    __device__ void hand_on(std::uint64_t) const {}  // all tiles are in one portion

 private:
    __device__ const hybrid_table& table() const { return *problem_.table; }

    const Problem& problem_;
    const sort_hybrid& by_;
    bool in_parts_;
    const workspace_view<std::uint32_t>& workspace_;
};

/// Moves the input to parts in scratch memory; or, `in_parts`, the items of parts to buckets in the
/// second room.
template <class Problem, int warps, int rows, int blocks>
__global__ __launch_bounds__(warps* warp_lanes, blocks) void hybrid_pass_kernel(
    const __grid_constant__ Problem problem, workspace_view<std::uint32_t> workspace,
    const sort_sums* sums, sort_hybrid by, bool in_parts) {
    constexpr sort_shape shape = {warps, rows, blocks};
    wait_for_previous_kernel();
    if (!(in_parts ? by.goes_on(sums) : begins_hybrid(problem, sums, by))) return;
    const planned_pass plan = {sort_step::sort, in_parts ? sort_array::room : sort_array::input,
                               in_parts ? sort_array::second_room : sort_array::room};
    const hybrid_table& table = *problem.table;
    const tiles_of_parts<Problem, static_cast<unsigned>(shape.items())> tiles(problem, by, in_parts,
                                                                              workspace);
    const std::uint64_t all = tiles.all();
    sort_tiles<shape>(
        problem, plan, in_parts ? table.bucket_digit(by) : table.part_digit(by), tiles, all,
        {0, static_cast<std::uint32_t>(all), 0}, workspace,
        *reinterpret_cast<sort_pass_memory<Problem, shape>*>(dynamic_shared_memory()));
}

}  // namespace lookback::detail::device
