/// \file
/// Inclusive and exclusive scan along one axis of an array in C order, the last axis contiguous.
///
/// `extents` say how the array looks from that axis: `outer` blocks of `length` rows of `inner`
/// items, scanned over `length`. So the rows of an R x C matrix are {R, C, 1}, its columns
/// {1, R, C}. The contract is that of scan.hpp, item by item along the axis; `extents` stand in the
/// place of the input's end:
///
///     inclusive_scan(matrix, axis_extents{1, R, C}, sums);
///     inclusive_scan(where, matrix.begin(), axis_extents{1, R, C}, sums.begin());
///
/// Float sums have the same bits in every run, for any number of threads, by the extents alone:
/// each row those of a scan of its own; columns are folded item by item within tiles of rows, 256
/// KiB large, and an output is prefix · local as in scan.hpp.
///
/// Work O(n); each item is read from memory once (a second time from cache), each output written
/// once, for rows and columns alike, from N x 2 to 2 x N. Extra memory is at most 2 % of the
/// accumulators' (columns; less than 0.1 % for rows), where an accumulator has at most 1 KiB.
///
/// On a GPU, rows are one scan of segments that begin at every `length`-th item: accumulators have,
/// with a flag, at most 64 bytes. Columns are scanned in strips, but two or four of one block whose
/// rows have 2, 4 or 8 bytes as one plain scan. One kernel launch; each item is read once, each
/// result written once. Arrays of accumulators on boundaries of 4 bytes are moved by words where
/// rows are whole words of 4 bytes, or blocks fit in a tile, or one block has up to 128 columns;
/// arrays that are scanned as rows, where they are on boundaries of 16 bytes; all others item by
/// item, which is slower. The bits of float sums depend on the extents and, for rows, on a row's
/// place too. `reserve<A>(gpu, extents)` makes room in the workspace, as gpu::reserve does for
/// plain scans: for long columns at most 10 % of the accumulators' memory, 14 % where those have 13
/// to 16 bytes.
///
/// Errors: std::invalid_argument for extents whose product has no 64 bits or is more than an input
/// range's items, or that make more than 2^31 tiles on a GPU, and as in scan.hpp.
#pragma once

#include "lookback/detail/cpu/axis_scan.hpp"
#include "lookback/scan.hpp"
#if LOOKBACK_GPU
#include "lookback/detail/device/axis_scan.hpp"
#endif
