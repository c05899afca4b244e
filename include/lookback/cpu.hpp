/// \file
/// Where a primitive runs: the cores of this machine. (Or a CUDA GPU: gpu.hpp.)
#pragma once

namespace lookback {

/// The cores of this machine. The default uses all of them. A small input is processed by the
/// calling thread alone, whatever the limit.
struct cpu {
    /// At most this many threads, including the calling one, and never more than there are cores; 0
    /// means as many as the caller's oneTBB arena has. A lower limit that the program has set by
    /// tbb::global_control still holds.
    int threads = 0;
};

/// The execution that a call runs on, from an argument that is an execution or converts to one.
inline cpu execution_of(const cpu& where) { return where; }

}  // namespace lookback
