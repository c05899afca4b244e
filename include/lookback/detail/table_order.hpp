/// \file
/// The order in which a summed-area table is added up on CPUs. All CPUs use it, so that sums of
/// floats have the same bits (docs/design.md, "Summed-area tables"). GPUs have another order,
/// detail/device/table_order.hpp.
///
/// Let A be the accumulator. An image is cut into tiles from its top left corner. A row of a tile
/// is 32 blocks of v items (16 bytes of accumulators, or one wider accumulator), and the rows of a
/// tile form groups of 8.
///
///  1. In a row of a tile: each block is scanned by Kogge-Stone (v = 4: x0, x0+x1, x0+(x1+x2),
///     (x0+x1)+(x2+x3)), and so are the totals of the blocks (for s = 1, 2, 4, 8, 16: new[b] =
///     old[b-s] + old[b]). Then r = the scanned total of the block before + the scanned item of the
///     block (in block 0: the scanned item alone).
///  2. rr = L + r, where L is the left fold of the row's totals of the tiles to the left (in the
///     first tile of a row: rr = r). A tile's total in a row is the last of its scanned totals.
///  3. Down each column of a group: c(i) = c(i-1) + rr(i), beginning anew in each group.
///  4. Groups from top to bottom: u(k) = u(k-1) + the last c of group k-1 (u(1) is the last c of
///     group 0).
///  5. table = T + (u(k) + c), or T + c in group 0, where T is the table's row above the tile; at
///     the top of the image: u(k) + c, or c.
///
/// A tile that the image's edge cuts off takes the same steps with the items that it has, so an
/// entry depends only on the items up to it. Integers may be added in any order, modulo 2^bits.
/// Operators are never applied to padding.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "lookback/pixel.hpp"

namespace lookback::detail {

template <class A>
inline constexpr std::size_t table_block_items = sizeof(A) < 16 ? 16 / sizeof(A) : 1;
inline constexpr std::size_t table_row_blocks = 32;
template <class A>
inline constexpr std::size_t table_tile_columns = table_row_blocks * table_block_items<A>;
inline constexpr std::size_t table_group_rows = 8;
inline constexpr std::size_t table_tile_rows = 64;

/// Whether sums of `A` are the same in any order.
template <class A>
inline constexpr bool adds_exactly =
    std::is_integral_v<channel_type<A>> && !std::same_as<channel_type<A>, bool>;

}  // namespace lookback::detail
