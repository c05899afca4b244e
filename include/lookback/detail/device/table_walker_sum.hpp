/// \file
/// The role of the summing warps in a block that makes summed-area tables walk by walk
/// (table_walker.hpp).
///
/// A warp scans eight rows of its tile, sums them downward, adds the totals of the warps above, and
/// leaves its rows of the tile's own table in the stage. Where rows are summed again later
/// (table_walker_resum.hpp), it only finds totals. It needs nothing of other tiles.
#pragma once

#include <cstdint>

#include "lookback/detail/device/table_exact.hpp"
#include "lookback/detail/device/table_movers.hpp"
#include "lookback/detail/device/table_walker_role.hpp"

namespace lookback::detail::device {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

template <class Shape>
class table_walker_sum : table_walker_role<Shape> {
    using role = table_walker_role<Shape>;
    using typename role::A;
    using typename role::entries;
    using typename role::Problem;
    using typename role::row_of_lanes;
    static constexpr int rows = Shape::strip_rows;
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
        const int strip = thread / warp_lanes;
        for (std::uint32_t k = 0, ends = 0; ends < Shape::store_teams; ++k) {
            shared_.loaded[k % stages].wait(k / stages);
            const bool is_end = shared_.tile[k % stages].is_end;
            if (!is_end) {
                if constexpr (!Shape::sums_twice) {
                    sum(k, strip);
                } else if (role::is_whole(shared_.tile[k % stages].at)) {
                    sum_totals<true>(k, strip);
                } else {
                    sum_totals<false>(k, strip);
                }
            }
            arrive(shared_.summed[k % stages]);
            if (is_end) ++ends;
        }
    }

 private:
    // Makes the tile's own table.
    __device__ void sum(std::uint32_t k, int strip) {
        entries sum[rows];
        take_table_rows<Shape::in_words>(ring_ + k % stages * Shape::stage_bytes, problem_,
                                         shared_.tile[k % stages].at, strip * rows, sum);
        row_of_lanes::scan(sum, shared_.edges[k % stages].rows + strip * rows);
#pragma unroll
        for (int i = 1; i < rows; ++i) sum[i] = row_of_lanes::added(sum[i - 1], sum[i]);
        auto& down = shared_.down[0];
        if (lane() < lanes) down[strip][lane()] = sum[rows - 1];
        sync_threads<2, Shape::sum_threads>();
        if (strip > 0) {
            entries above = down[0][lane() % lanes];
#pragma unroll
            for (int g = 1; g < Shape::strips - 1; ++g) {
                if (g < strip) above = row_of_lanes::added(above, down[g][lane() % lanes]);
            }
#pragma unroll
            for (int i = 0; i < rows; ++i) sum[i] = row_of_lanes::added(above, sum[i]);
        }
        if (lane() < lanes) {
            entries* const own = own_table(k) + strip * rows * lanes + lane();
#pragma unroll
            for (int i = 0; i < rows; ++i) own[i * lanes] = sum[i];
        }
        sync_threads<2, Shape::sum_threads>();  // totals of strips have been read
    }
    // Finds totals of rows, and the strip's last row of the table that the strip alone would have.
    template <bool whole>
    __device__ void sum_totals(std::uint32_t k, int strip) {
        using exact = exact_rows<A>;
        using In = typename Shape::In;
        const table_tile& here = shared_.tile[k % stages].at;
        const unsigned char* const stage = ring_ + k % stages * Shape::stage_bytes;
        constexpr int at_once = sizeof(A) > 16 ? 4 : 8;
        entries last{};
#pragma unroll 1
        for (int first = strip * rows; first < (strip + 1) * rows; first += at_once) {
            packed_items<In, exact::of_lane> items[at_once];
            read_rows(stage, problem_, here, first, items);
            A total[at_once];
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                total[i] = exact::add_row(last, items[i],
                                          role::template used_items<whole>(here, first + i),
                                          Problem::value);
            }
            exact::sum_lanes(total, shared_.edges[k % stages].rows + first);
        }
        A before[] = {last.entry[exact::of_lane - 1]};
        exact::scan_lanes_below(before);
#pragma unroll
        for (A& sum : last.entry) sum = role::plus(sum, before[0]);
        if (lane() < lanes) shared_.down[k % stages][strip][lane()] = last;
    }
};

#endif

}  // namespace lookback::detail::device
