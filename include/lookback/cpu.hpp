/// \file
/// Where a primitive runs: the cores of this machine; and the tiles of their scans. (Or a CUDA GPU:
/// gpu.hpp.)
#pragma once

#include <cstddef>

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

/// The association tree of a scan on the CPU is built from tiles of at most this many accumulators
/// (256 KiB, or 4096 accumulators if they are wider than 64 bytes), or a fraction of it. So an
/// array may be scanned in pieces of a multiple of this many items, each seeded with the last
/// inclusive output of the piece before it: the bits are those of one scan of the whole.
template <class Accumulator>
inline constexpr std::size_t scan_tile_items =
    4 * (sizeof(Accumulator) <= 64 ? (std::size_t{64} << 10) / sizeof(Accumulator) : 1024);

/// The execution that a call runs on, from an argument that is an execution or converts to one.
inline cpu execution_of(const cpu& where) { return where; }

}  // namespace lookback
