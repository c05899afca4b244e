/// \file
/// How a worker writes the results of one tile and reads the items of the next in alternating
/// slices, so that writes to memory and reads from memory stay in flight together.
#pragma once

#include <algorithm>
#include <cstddef>

#include "lookback/detail/cpu/problem.hpp"
#include "lookback/detail/cpu/simd_compaction.hpp"

namespace lookback::detail {

inline constexpr std::size_t turns = 16;

/// The part of `size` items or results that belongs to a turn, in whole blocks. If there are few
/// items, the first turns have all of them.
inline tile_range part_of_turn(std::size_t turn, std::size_t size) {
    constexpr std::size_t round = turns * class_block;
    const std::size_t part = (size + round - 1) / round * class_block;
    const std::size_t first = std::min(size, turn * part);
    return {first, std::min(part, size - first)};
}

}  // namespace lookback::detail
