/// \file
/// The folds of segments, given by offsets (CSR).
///
/// Short ones are folded one after the other on each thread, which moves the fewest bytes: items
/// and offsets are read once, with no heads in between. A segment is folded in `lanes` strands,
/// item i by strand i % lanes, which are folded from the first to the last in the end: so the bits
/// of float sums depend on its items alone, and compilers make vectors of the strands.
#pragma once

#include <cstddef>
#include <cstdint>

#include "table/numbers.hpp"

namespace lookback::table {

/// One number for each segment; of an empty one what the operator leaves as it is. `op` is not
/// bitwise where the type is a float. Offsets, one more than segments, rise from 0 to `items`, or
/// an std::invalid_argument says why not. Where a segment is longer than longest_short_segment, all
/// of them are folded by reduce_segments of table.hpp, on all threads; that takes a byte and a
/// number for each item as extra memory.
void reduce_offsets(dtype type, operation op, const void* in, std::size_t items,
                    const std::int64_t* offsets, std::size_t segments, void* out, int threads);

inline constexpr std::int64_t longest_short_segment = 1 << 16;

}  // namespace lookback::table
