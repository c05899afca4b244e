/// \file
/// The scan of an array of any size, window by window.
///
/// The array is seen as `outer` blocks of `length` rows of `inner` items each; the scan runs along
/// the rows of each block. The scan of an array as one line has one block, whose rows have one
/// item.
///
/// Blocks that fit a window are scanned several at a time. A longer block is scanned window by
/// window; each window begins with the last result of the one before. The windows of a block of
/// single items are whole tiles of the library's scan, counted from where the scan begins, so the
/// bits are those of one scan of the whole block. Columns are folded item by item in any case.
///
/// Memory: two windows of results, and the window that is read. Output that takes results only in
/// order needs more: a whole block for a backward scan, a whole row of a block otherwise.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "array_input.hpp"
#include "array_output.hpp"
#include "progress.hpp"
#include "workplace.hpp"

namespace lookback::cli {

struct scan_plan {
    operation op = operation::sum;
    bool is_exclusive = false;
    bool is_backward = false;
    bool is_boolean = false;          ///< only 0 and 1
    std::optional<std::string> init;  ///< as text until the type is known
    workplace where;
    std::size_t outer = 1;
    std::size_t length = 1;
    std::size_t inner = 1;
};

/// The value before the first item, if there is one, as a number of this type.
std::optional<scalar> seed_of(const scan_plan& plan, dtype type);

/// Scans `in` to `out`, which holds numbers of type `accumulator`.
void windowed_scan(const scan_plan& plan, dtype accumulator, const array_input& in,
                   array_output& out, progress& bar);

}  // namespace lookback::cli
