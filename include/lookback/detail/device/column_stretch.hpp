/// \file
/// How a tile of columns is divided among threads. A thread has a stretch of a column: as many of
/// its rows as leave work for all threads. Neighbouring threads have neighbouring columns, so they
/// have no bank conflicts in shared memory.
///
/// The tree of the stretches of a column, in a tile: stretches of a warp by Kogge-Stone, warps from
/// left to right. In tiles of 32 columns or more, stretches are folded from left to right.
#pragma once

#include "lookback/detail/device/column_shape.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"

namespace lookback::detail::device {

/// Stretches are numbered along a row of the tile, then by rows of stretches, then by blocks.
struct stretch_number {
    int block;
    int group;  ///< the number of stretches above it in the tile
    int column;

    __device__ stretch_number(int number, int columns, int groups) {
        const int across = number / columns;
        block = across / groups;
        group = across - block * groups;
        column = number - across * columns;
    }
    /// Moves on by `by` numbers, where blocks have one row of stretches.
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
    int first_row;  ///< of the tile's rows, those of all blocks one after the other
    int rows;       ///< 0 or less for a number that has no stretch
    int column;
    int group;
    bool last;  ///< no stretch of the column is below it in the tile

    __device__ stretch(const column_shape& shape, const column_tile& tile,
                       const stretch_number& at) {
        const int row = at.group * shape.group_rows;
        const int left = at.block < tile.blocks ? tile.rows - row : 0;
        first_row = at.block * tile.rows + row;
        rows = left < shape.group_rows ? left : shape.group_rows;
        column = at.column;
        group = at.group;
        last = left <= shape.group_rows;
    }
};

/// From the fold of each thread's stretch to the fold of the stretches above it in the tile and the
/// block. All threads call it together; a thread's number is the number of its stretch, and at most
/// `most` threads have one. `totals` is shared memory for `most` values; calls must alternate
/// between two of them, as one call's values are still read when the next call writes. `barrier`
/// waits for all threads.
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
    // The last stretch of each column of a warp has the warp's fold. No warp follows one that is
    // not full.
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
