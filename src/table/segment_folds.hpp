/// \file
/// The folds of segments given by offsets (CSR).
///
/// Each thread folds short segments one after the other. This moves the fewest bytes: items and
/// offsets are read once, and no heads are needed. A segment is folded in `lanes` strands; item i
/// belongs to strand i % lanes. At the end the strands are folded from the first to the last. So
/// the bits of a float sum depend only on the segment's items, and compilers can make vectors of
/// the strands.
#pragma once

#include <cstddef>
#include <cstdint>

#include "table/numbers.hpp"

namespace lookback::table {

/// Writes one number for each segment; for an empty one it is the operator's identity. `op` must
/// not be bitwise if the type is a float. Throws std::invalid_argument unless the offsets, one more
/// than segments, begin at 0, do not decrease and end at `items`. If any segment is longer than
/// longest_short_segment, all segments are folded by reduce_segments of table.hpp, on all threads;
/// this takes extra memory of a byte and a number for each item.
void reduce_offsets(dtype type, operation op, const void* in, std::size_t items,
                    const std::int64_t* offsets, std::size_t segments, void* out, int threads);

inline constexpr std::int64_t longest_short_segment = 1 << 16;

}  // namespace lookback::table
