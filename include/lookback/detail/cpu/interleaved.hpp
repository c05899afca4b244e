/// \file
/// Results of one tile and items of the next, in slices, interleaved, so that writes to memory and
/// reads from it stay in flight together.
#pragma once

#include <algorithm>
#include <cstddef>

#include "lookback/detail/cpu/problem.hpp"
#include "lookback/detail/cpu/simd_compaction.hpp"

namespace lookback::detail {

inline constexpr std::size_t turns = 16;

/// The part of `size` items or results that belongs to a turn: whole blocks. So the first turns
/// have all where there are few.
inline tile_range part_of_turn(std::size_t turn, std::size_t size) {
    constexpr std::size_t round = turns * class_block;
    const std::size_t part = (size + round - 1) / round * class_block;
    const std::size_t first = std::min(size, turn * part);
    return {first, std::min(part, size - first)};
}

}  // namespace lookback::detail
