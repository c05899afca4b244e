/// \file
/// The scan of the segments of an array of one dimension, window by window.
///
/// Each window goes on from the last fold of the window before. On the CPU the windows are whole
/// tiles of the library's scan of segments, counted from where the scan begins, so the bits are
/// those of one scan of the whole array. On a GPU windows have a fixed size. In a backward scan
/// each window is reversed.
///
/// Memory: as for windowed_scan.hpp, plus a window of heads and a window of keys or offsets.
#pragma once

#include "array_input.hpp"
#include "array_output.hpp"
#include "progress.hpp"
#include "windowed_scan.hpp"

namespace lookback::cli {

/// The keys or offsets that say where segments begin. They have been checked.
struct segments_input {
    const array_input& in;
    bool has_keys;
};

/// Scans each segment of `in` to `out`, which holds numbers of type `accumulator`.
void segmented_scan(const scan_plan& plan, dtype accumulator, const array_input& in,
                    const segments_input& segments, array_output& out, progress& bar);

}  // namespace lookback::cli
