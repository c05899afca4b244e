/// \file
/// The scan of the segments of an array of one dimension, which is held in memory.
#pragma once

#include "segments.hpp"
#include "windowed_scan.hpp"

namespace lookback::cli {

/// Scans `in`, from the heads of `parts` on, to `out`, which holds numbers of type `accumulator`
/// and has not begun. `parts` are used up.
void segmented_scan(const scan_plan& plan, dtype accumulator, const array_input& in, segments parts,
                    array_output& out);

}  // namespace lookback::cli
