/// \file
/// Where a primitive runs: the cores of this machine. (Or a CUDA GPU: gpu.hpp.)
#pragma once

namespace lookback {

/// The cores of this machine. The default uses all of them; a small input stays on the caller's
/// thread whatever the limit.
struct cpu {
    /// At most this many threads, the caller's included, and never more than there are cores; 0
    /// means as many as the caller's oneTBB arena has. A lower limit that the program has set with
    /// tbb::global_control holds all the same.
    int threads = 0;
};

/// What a call runs on, given something that is, or converts to, an execution.
inline cpu execution_of(const cpu& where) { return where; }

}  // namespace lookback
