/// \file
/// Inclusive and exclusive scan along one axis of an array in C order, the last axis contiguous.
///
/// `extents` say how the array looks from that axis: `outer` blocks of `length` rows of `inner`
/// items, scanned over `length`. For example, the rows of an R x C matrix are {R, C, 1}, and its
/// columns are {1, R, C}. The contract is that of scan.hpp, applied item by item along the axis.
/// `extents` take the place of the input's end:
///
///     inclusive_scan(matrix, axis_extents{1, R, C}, sums);
///     inclusive_scan(where, matrix.begin(), axis_extents{1, R, C}, sums.begin());
///
/// Float sums have the same bits in every run, for any number of threads: the bits depend on the
/// extents and the types alone; on a GPU also on whether columns are read from an array. Each row
/// has the bits of a scan of its own. Columns are folded item by item within tiles of rows, 256 KiB
/// each, and an output is prefix · local as in scan.hpp.
///
/// Work O(n). Rows and columns alike, for shapes from N x 2 to 2 x N, each item is read from memory
/// once (a second time from cache) and each output is written once. Extra memory is at most 2 % of
/// the accumulators' memory for columns whose accumulators have at most 1 KiB, and less than 0.2 %
/// for rows.
///
/// On a GPU, rows are scanned like one array, whose tiles may contain parts of several rows.
/// Columns are scanned in strips. (Two or four columns of a single block, whose rows have 2, 4 or 8
/// bytes of accumulators, are scanned as one plain scan, and so may be eight columns of bytes; so
/// are two columns of more than 262,144 rows whose accumulators have 8 bytes and are wider than
/// their items.) One kernel launch (of few items in rows a cooperative one: gpu.hpp); each item is
/// read once, each result is written once.
///
/// Rows in arrays are moved in bulk wherever the arrays begin, as in scan.hpp. Columns in arrays
/// are loaded by words or vectors wherever they begin; item by item, which is three to four times
/// as slow, behind iterators (also reverse ones). The bits of float sums of rows also depend on the
/// place of the row. `reserve<A>(gpu, extents)` makes room in the workspace, as gpu::reserve does
/// for plain scans. For long columns that takes at most 10 % of the accumulators' memory, or 17 %
/// where accumulators have 13 to 16 bytes.
///
/// Errors: as in scan.hpp, and std::invalid_argument for extents whose product does not fit in 64
/// bits, that cover more items than an input range has, or that make more than 2^31 tiles on a GPU.
#pragma once

#include "lookback/detail/cpu/axis_scan.hpp"
#include "lookback/scan.hpp"
#if LOOKBACK_GPU
#include "lookback/gpu.hpp"

namespace lookback {

/// Makes the workspace large enough for scans of these extents, with accumulators of type A.
/// Errors: those of gpu::reserve, and std::invalid_argument for extents that a scan refuses.
template <class A>
void reserve(gpu& where, axis_extents extents);

}  // namespace lookback

#include "lookback/detail/device/axis_scan.hpp"
#endif
