/// \file
/// The scan of one line of numbers of any length on a GPU.
///
/// Windows have a fixed size, whatever the GPU, and so has the tree of a float sum. An exclusive
/// scan is the inclusive one shifted by one, as on the CPU.
///
/// Output that only takes results in their order needs memory for all of them in a backward scan.
#pragma once

#include "table/gpu/window_scan.hpp"
#include "windowed_scan.hpp"

namespace lookback::cli {

/// Scans `in` to `out`, which holds numbers of type `accumulator`; `plan` has one line of single
/// items. `gpu` must outlive `out`, which writes from its memory.
void gpu_scan(const scan_plan& plan, dtype accumulator, const array_input& in, array_output& out,
              progress& bar, on_gpu::window_scan& gpu);

}  // namespace lookback::cli
