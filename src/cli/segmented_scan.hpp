/// \file
/// The scan of the segments of an array of one dimension, which is held in memory.
#pragma once

#include <cstdint>

#include "windowed_scan.hpp"

namespace lookback::cli {

/// Scans `in`, anew from each of the `heads` on, to `out`, which holds numbers of type
/// `accumulator` and has not begun. `heads` are overwritten.
void segmented_scan(const scan_plan& plan, dtype accumulator, const array_input& in,
                    std::uint8_t* heads, array_output& out);

}  // namespace lookback::cli
