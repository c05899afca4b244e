/// \file
/// The loops over images, by the type of their numbers.
#pragma once

#include <cstddef>

#include "lookback/counts.hpp"

namespace lookback::cli {

/// The summed-area table of one image, whose extents are those of its pixels, of 1 to 4 `channels`.
/// It goes on below a table whose last row is `above`, where that is not null. `out` may be `in`,
/// with rows at the same pitch. A is std::uint32_t, std::uint64_t, float or double.
template <class A>
void summed_area(const A* in, const image_extents& extents, std::size_t channels, A* out,
                 const A* above, int threads);

/// Strips of floats are a multiple of so many rows, for the bits of a single call.
inline constexpr std::size_t strip_rows = 64;

}  // namespace lookback::cli
