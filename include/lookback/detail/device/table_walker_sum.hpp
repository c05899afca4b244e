/// \file
/// The role of the summing warps in a block that makes summed-area tables walk by walk
/// (table_walker.hpp).
///
/// A warp scans eight rows of its tile, sums them downward, adds the totals of the warps above, and
/// leaves its rows of the tile's own table in the stage. It needs nothing of other tiles.
#pragma once

#include <cstdint>

#include "lookback/detail/device/table_movers.hpp"
#include "lookback/detail/device/table_walker_role.hpp"

namespace lookback::detail::device {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

template <class Shape>
class table_walker_sum : table_walker_role<Shape> {
    using role = table_walker_role<Shape>;
    using typename role::entries;
    using typename role::row_of_lanes;
    static constexpr int rows = Shape::group_rows;
    using role::arrive;
    using role::lanes;
    using role::own_table;
    using role::problem_;
    using role::ring_;
    using role::shared_;
    using role::stages;

 public:
    using role::role;

    __device__ void run(int thread) {
        const int group = thread / warp_lanes;
        for (std::uint32_t k = 0;; ++k) {
            shared_.loaded[k % stages].wait(k / stages);
            const bool is_end = shared_.tile[k % stages].is_end;
            if (!is_end) sum(k, group);
            arrive(shared_.summed[k % stages]);
            if (is_end) break;
        }
    }

 private:
    __device__ void sum(std::uint32_t k, int group) {
        entries sum[rows];
        take_table_rows<Shape::in_words>(ring_ + k % stages * Shape::stage_bytes, problem_,
                                         shared_.tile[k % stages].at, group * rows, sum);
        row_of_lanes::scan(sum, shared_.edges[k % stages].rows + group * rows);
#pragma unroll
        for (int i = 1; i < rows; ++i) sum[i] = row_of_lanes::added(sum[i - 1], sum[i]);
        shared_.down[group][lane()] = sum[rows - 1];
        sync_threads<2, Shape::sum_threads>();
        if (group > 0) {
            entries above = shared_.down[0][lane()];
#pragma unroll
            for (int g = 1; g < Shape::groups - 1; ++g) {
                if (g < group) above = row_of_lanes::added(above, shared_.down[g][lane()]);
            }
#pragma unroll
            for (int i = 0; i < rows; ++i) sum[i] = row_of_lanes::added(above, sum[i]);
        }
        if (lane() < lanes) {
            entries* const own = own_table(k) + group * rows * lanes + lane();
#pragma unroll
            for (int i = 0; i < rows; ++i) own[i * lanes] = sum[i];
        }
        sync_threads<2, Shape::sum_threads>();  // totals of groups have been read
    }
};

#endif

}  // namespace lookback::detail::device
