/// \file
/// How a tile of columns is shared out: a thread has a stretch of a column, as many rows of it as
/// leaves work for all threads. Neighbouring threads have neighbouring columns, so they meet in no
/// bank of shared memory.
///
/// The tree of the stretches of a column, in a tile: those of a warp by Kogge-Stone, warps from
/// left to right; of 32 columns and more, stretches from left to right.
#pragma once

#include "lookback/detail/device/column_shape.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"

namespace lookback::detail::device {

/// Stretches are numbered along a row of the tile, row of stretches by row, block by block.
struct stretch_number {
    int block;
    int group;  ///< stretches above it in the tile
    int column;

    __device__ stretch_number(int number, int columns, int groups) {
        const int across = number / columns;
        block = across / groups;
        group = across - block * groups;
        column = number - across * columns;
    }
    /// The number `by` behind, where blocks have one row of stretches.
    __device__ void advance(int by, int columns) {
        block += by / columns;
        column += by % columns;
        if (column >= columns) {
            column -= columns;
            ++block;
        }
    }
};

/// Some rows of a column of a tile.
struct stretch {
    int first;  ///< item in the stage
    int rows;   ///< none, or fewer, for a number that has no stretch
    int column;
    int group;
    bool last;  ///< no stretch is below it in the tile

    __device__ stretch(const column_shape& shape, const column_tile& tile,
                       const stretch_number& at) {
        const int row = at.group * shape.group_rows;
        const int left = at.block < tile.blocks ? tile.rows - row : 0;
        first = (at.block * tile.rows + row) * tile.columns + at.column;
        rows = left < shape.group_rows ? left : shape.group_rows;
        column = at.column;
        group = at.group;
        last = left <= shape.group_rows;
    }
};

/// From the fold of each thread's stretch to that of the stretches above it in the tile and the
/// block. All threads call it together, each with its stretch, whose number is the thread's; at
/// most `most` have one. `totals` is shared memory for as many values, which is not used before the
/// next but one call; `barrier` waits for all threads.
template <int most, class A, class Op, class Barrier>
__device__ maybe<A> fold_above(const A& fold, const stretch& mine, int thread, int columns,
                               A* totals, const Op& op, const Barrier& barrier) {
    const bool used = mine.rows > 0;
    const bool by_warps = columns < warp_lanes;
    A inclusive = fold;
    for (int distance = 1; distance * columns < warp_lanes; distance *= 2) {
        const A before = from_lane_below(inclusive, distance * columns);
        if (used && mine.group >= distance && lane() >= distance * columns) {
            inclusive = static_cast<A>(op(before, inclusive));
        }
    }
    const A before = from_lane_below(inclusive, by_warps ? columns : 0);
    const bool some_before = used && by_warps && mine.group > 0 && lane() >= columns;
    // The last stretch of each column of a warp has the fold of the warp's. Behind a warp that is
    // not full there is none.
    const int warp_of_mine = thread / warp_lanes;
    const bool tells =
        !by_warps || (lane() >= warp_lanes - columns && (warp_of_mine + 1) * warp_lanes <= most);
    if (used && tells) {
        totals[by_warps ? warp_of_mine * columns + mine.column : thread] = inclusive;
    }
    barrier();
    maybe<A> above{A{}, false};
    if (!used) return above;
    const int top = thread - mine.group * columns;  // the first stretch of the column
    const A* const of_column = totals + (by_warps ? mine.column : top);
    const int begin = by_warps ? top / warp_lanes : 0;
    const int end = by_warps ? warp_of_mine : mine.group;
    for (int i = begin; i < end; ++i) above = combine(above, {of_column[i * columns], true}, op);
    return combine(above, {before, some_before}, op);
}

}  // namespace lookback::detail::device
