/// \file
/// A row of a tile of a summed-area table, in the registers of a warp: each lane has some items
/// that lie side by side.
#pragma once

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/table_order.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail::device {

template <class A>
struct table_row {
    static constexpr int columns = table_columns<A>;
    static constexpr int of_lane = columns < warp_lanes ? 1 : columns / warp_lanes;
    static constexpr int lanes = columns / of_lane;  ///< lanes that have columns

    /// The items of one lane.
    struct alignas(sizeof(A) * of_lane == 16 ? 16 : alignof(A)) entries {
        A entry[of_lane];
    };

    __device__ static A plus(const A& a, const A& b) { return lookback::plus<A>{}(a, b); }

    __device__ static entries added(const entries& a, const entries& b) {
        entries sum;
#pragma unroll
        for (int k = 0; k < of_lane; ++k) sum.entry[k] = plus(a.entry[k], b.entry[k]);
        return sum;
    }

    /// Each item becomes the sum of all items up to it in its row; the rows' totals go to `totals`.
    template <int rows_of_warp>
    __device__ static void scan(entries (&sum)[rows_of_warp], A* totals) {
        // Wide entries four rows at a time, so that they stay in registers.
        constexpr int at_once = sizeof(A) > 8 && rows_of_warp % 4 == 0 ? 4 : rows_of_warp;
#pragma unroll
        for (int first = 0; first < rows_of_warp; first += at_once) {
            auto& rows = reinterpret_cast<entries(&)[at_once]>(sum[first]);
            scan_lanes(rows, lane(), [&](int i, const A& up_to) {
                if (lane() == lanes - 1) totals[first + i] = up_to;
            });
        }
    }
    /// The same without totals, where a row takes a part of a warp: `place` is the lane's in the
    /// part.
    template <int rows_of_warp>
    __device__ static void scan(entries (&sum)[rows_of_warp], int place) {
        scan_lanes(sum, place, [](int, const A&) {});
    }

 private:
    // All rows take each step together, because each step of a row waits for the step before. In
    // the end told(i, the sum up to the lane's last item) is called for each row.
    template <int rows_of_warp, class Told>
    __device__ static void scan_lanes(entries (&sum)[rows_of_warp], int place, const Told& told) {
        A up_to[rows_of_warp];
#pragma unroll
        for (int i = 0; i < rows_of_warp; ++i) {
#pragma unroll
            for (int distance = 1; distance < of_lane; distance *= 2) {
#pragma unroll
                for (int k = of_lane - 1; k >= distance; --k) {
                    sum[i].entry[k] = plus(sum[i].entry[k - distance], sum[i].entry[k]);
                }
            }
            up_to[i] = sum[i].entry[of_lane - 1];
        }
#pragma unroll
        for (int distance = 1; distance < warp_lanes; distance *= 2) {
#pragma unroll
            for (int i = 0; i < rows_of_warp; ++i) {
                const A below = from_lane_below(up_to[i], distance);
                if (place >= distance) up_to[i] = plus(below, up_to[i]);
            }
        }
#pragma unroll
        for (int i = 0; i < rows_of_warp; ++i) {
            told(i, up_to[i]);
            const A before = from_lane_below(up_to[i], 1);
#pragma unroll
            for (int k = 0; k < of_lane; ++k) {
                if (place > 0) sum[i].entry[k] = plus(before, sum[i].entry[k]);
            }
        }
    }
};

/// What a lane tells other tiles: in each warp, the total of a row; in the last warp, also totals
/// of columns.
template <class A>
struct table_totals {
    bool has_row, has_columns;
    A row;
    A column[table_row<A>::of_lane];
};

}  // namespace lookback::detail::device
