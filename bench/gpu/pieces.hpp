/// \file
/// The pieces for kernels: sums of flags beside sums of 32-bit numbers, in registers and shared
/// memory.
#pragma once

#include "program.hpp"

namespace lookback::bench {

/// A block counts the flags of its threads.
void measure_block_count(session& s, const observer& tell);
/// A block scans the flags of its threads.
void measure_block_scan(session& s, const observer& tell);
/// A warp scans numbers of 1 to 8 bits.
void measure_warp_scan(session& s, const observer& tell);

}  // namespace lookback::bench
