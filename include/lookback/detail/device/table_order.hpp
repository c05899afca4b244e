/// \file
/// The order in which GPUs add up a summed-area table. It begins as the CPU's does
/// (detail/table_order.hpp): the same tiles, of 64 rows of 512 bytes, the same sums along a row of
/// a tile and down groups of 8 rows. It goes on so that what a tile tells others needs nothing of
/// them:
///
///  1. to 3. r, along a row of a tile; c, down a group; own = u + c, where u is the fold of the
///     groups above in the tile. (What the CPU adds to r before it goes down, comes later here.)
///  4. L, what lies to the left of a row: tiles side by side are taken in batches of 8 of the row's
///     tiles, batches in stretches of 8; a batch's total is the left fold of its tiles' totals of
///     the row, a stretch's of its batches'. L = (stretches before + batches before in the stretch)
///     + tiles before in the batch, each a left fold, and left out where there are none.
///  5. before: L, summed down rows 0 to 31 by Kogge-Stone, and rows 32 to 63; then, in the lower
///     half, (the upper half's last) + before.
///  6. T and F, what lies above a column: a tile's total of it is the column's own total + the sum
///  of L
///     over the tile, upper half + lower half. Rows of tiles are taken in batches of 8 too, and a
///     batch's total is the left fold of its tiles'. T is the left fold of the table's row above
///     the image, if it goes on below one, and of the batches above; F that of the tiles above in
///     the batch. entry = T + (F + (own + before)), where what there is none of is left out.
///
/// Where tables of sums and of squares are made in one pass, tiles are those of entries as large as
/// both together, if these have no more than 32 bytes.
///
/// Where a batch begins, T is the table's row above, bit for bit: so an image may be cut there, at
/// multiples of 512 rows. Nothing depends on how many blocks there are, nor on the driver.
/// tests/support/table_orders.hpp has the order in plain lines.
#pragma once

#include <cstdint>

#include "lookback/detail/table_order.hpp"

namespace lookback::detail::device {

inline constexpr int table_rows_of_tile = static_cast<int>(table_tile_rows);
/// (Not as on the CPU: of entries of more than 16 bytes half as many, since stages are 32 KiB; of
/// less than 4 bytes 128, four a lane.)
template <class A>
inline constexpr int table_columns = sizeof(A) > 16  ? 16
                                     : sizeof(A) < 4 ? 128
                                                     : static_cast<int>(table_tile_columns<A>);

/// Tiles of a batch, and of a stretch of so many batches.
inline constexpr std::uint32_t table_batch = 8;
inline constexpr std::uint32_t table_stretch = table_batch * table_batch;
/// Batches of rows of tiles, by which they learn what lies above.
inline constexpr int table_folds = 8;

}  // namespace lookback::detail::device
