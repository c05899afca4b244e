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

/// Gives back to the system the scratch memory that earlier calls have left for later ones.
///
/// A sort or a box filter of a large array needs scratch memory, and to get new pages may take the
/// system as long as half of the call. So the largest four blocks of 8 MiB or more that calls have
/// needed stay with the process. The system may take their pages when memory is short (MADV_FREE),
/// so there is seldom a reason to call this: where a process is charged for its resident memory,
/// say. Calls of other threads may go on meanwhile.
[[gnu::visibility("default")]] void release_scratch();

/// The execution that a call runs on, from an argument that is an execution or converts to one.
inline cpu execution_of(const cpu& where) { return where; }

}  // namespace lookback
