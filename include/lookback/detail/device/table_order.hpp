/// \file
/// The order in which GPUs add up a summed-area table. It begins as the CPU's does
/// (detail/table_order.hpp): the same tiles, of 64 rows of 512 bytes, and the same sums along a row
/// of a tile and down groups of 8 rows. It goes on so that what a tile tells other tiles does not
/// depend on them:
///
///  1. to 3. r, along a row of a tile; c, down a group; own = u + c, where u is the fold of the
///     groups above in the tile. (What the CPU adds to r before it goes down is added later here.)
///  4. L, what lies to the left of a row. The tiles of a row of tiles are taken in batches of 8,
///     and batches in stretches of 8. For each row of items, a batch's total is the left fold of
///     its tiles' totals, and a stretch's total is the left fold of its batches' totals.
///     L = (stretches before + batches before in the stretch) + tiles before in the batch. Each of
///     the three is a left fold, and is left out if it is empty.
///  5. before: L summed down rows 0 to 31 by Kogge-Stone, and in the same way down rows 32 to 63;
///     then, in the lower half, (the upper half's last) + before.
///  6. T and F, what lies above a column. A tile's total of a column is the column's own total +
///     the sum of L over the tile, which is that of the upper half + that of the lower half. Rows
///     of tiles are taken in batches of 8 too, and a batch's total is the left fold of its tiles'.
///     T is the left fold of the table's row above the image, if the table goes on below one, and
///     of the batches above. F is the left fold of the tiles above in the batch.
///     entry = T + (F + (own + before)), where empty terms are left out.
///
/// Where tables of sums and of squares are made in one pass, tiles have the shape for entries as
/// large as both together, if these have no more than 32 bytes.
///
/// Where a batch begins, T is the table's row above, bit for bit. So an image may be cut there, at
/// multiples of 512 rows. Nothing depends on the number of blocks, nor on the driver.
/// tests/support/table_orders.hpp has the order in plain lines.
#pragma once

#include <cstdint>

#include "lookback/detail/table_order.hpp"

namespace lookback::detail::device {

inline constexpr int table_rows_of_tile = static_cast<int>(table_tile_rows);
/// Columns of a tile. They differ from the CPU's for entries of more than 16 bytes: half as many,
/// since stages are 32 KiB; and for entries of less than 4 bytes: 128, four a lane.
template <class A>
inline constexpr int table_columns = sizeof(A) > 16  ? 16
                                     : sizeof(A) < 4 ? 128
                                                     : static_cast<int>(table_tile_columns<A>);

/// Tiles of a batch, and of a stretch of as many batches.
inline constexpr std::uint32_t table_batch = 8;
inline constexpr std::uint32_t table_stretch = table_batch * table_batch;
/// One of so many batches of rows of tiles publishes what lies above it (table_look_back.hpp). A
/// tile reads the folds of up to twice so many batches.
inline constexpr int table_folds = 8;

}  // namespace lookback::detail::device
