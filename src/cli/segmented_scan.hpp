/// \file
/// The scan of the segments of an array of one dimension, a window at a time.
///
/// Each window goes on from the last fold of the one before it. On the CPU the windows are whole
/// tiles of the library's scan of segments, counted from where the scan begins: the bits are those
/// of one scan of all. On a GPU they have a fixed size. Backward, each window is turned around.
///
/// Memory: as for windowed_scan.hpp, and a window of heads and of what tells where segments begin.
#pragma once

#include "array_input.hpp"
#include "array_output.hpp"
#include "progress.hpp"
#include "windowed_scan.hpp"

namespace lookback::cli {

/// What tells where segments begin: keys or offsets, which are checked.
struct segments_input {
    const array_input& in;
    bool has_keys;
};

/// Scans each segment of `in` to `out`, which holds numbers of type `accumulator`.
void segmented_scan(const scan_plan& plan, dtype accumulator, const array_input& in,
                    const segments_input& segments, array_output& out, progress& bar);

}  // namespace lookback::cli
