/// \file
/// The folds of short segments, given by offsets (CSR), one after the other on each thread.
///
/// Where no segment is long this moves the fewest bytes: items and offsets are read once, with no
/// heads in between. A segment is folded in `lanes` strands, item i by strand i % lanes, which are
/// folded from the first to the last in the end: so the bits of float sums depend on its items
/// alone, and compilers make vectors of the strands.
#pragma once

#include <cstddef>
#include <cstdint>

#include "table/numbers.hpp"

namespace lookback::table {

/// Segments that are longer are better folded by all threads.
inline constexpr std::int64_t longest_short_segment = 1 << 16;

/// One number for each segment, whose offsets check_offsets has passed; of an empty one the
/// identity. `op` is not bitwise where the type is a float.
void fold_short_segments(dtype type, operation op, const void* in, const std::int64_t* offsets,
                         std::size_t segments, void* out, int threads);

}  // namespace lookback::table
