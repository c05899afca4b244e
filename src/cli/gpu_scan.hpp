/// \file
/// The scan of one line of numbers of any length on a GPU.
///
/// Windows have the same size on every GPU, and so a float sum has the same tree. An exclusive scan
/// is the inclusive scan shifted by one, as on the CPU.
///
/// A backward scan to an output that takes results only in order needs memory for all results.
#pragma once

#include "table/gpu/window_scan.hpp"
#include "windowed_scan.hpp"

namespace lookback::cli {

/// Scans `in` to `out`, which holds numbers of type `accumulator`. `plan` has one line, of single
/// items. `gpu` must outlive `out`, because `out` writes from its memory.
void gpu_scan(const scan_plan& plan, dtype accumulator, const array_input& in, array_output& out,
              progress& bar, on_gpu::window_scan& gpu);

}  // namespace lookback::cli
