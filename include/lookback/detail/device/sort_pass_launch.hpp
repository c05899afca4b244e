/// \file
/// The launches of the passes of a sort (sort_pass.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/sort_pass.hpp"
#include "lookback/detail/device/sort_plan.hpp"
#include "lookback/detail/device/sort_shapes.hpp"
#include "lookback/gpu.hpp"

namespace lookback::detail::device {

/// The tile of passes over so many keys.
enum class pass_tile { small, middle, large };
template <sort_tuning tuning, class Problem>
pass_tile tile_of_passes(const gpu& where, std::uint64_t items) {
    constexpr std::size_t bytes = std::max(sizeof(sort_pass_memory<Problem, tuning.tile>),
                                           sizeof(sort_pass_memory<Problem, tuning.middle_tile>));
    if (items <= tuning.small_until || bytes > access::most_shared_bytes(where)) {
        return pass_tile::small;
    }
    return items <= tuning.middle_until ? pass_tile::middle : pass_tile::large;
}
template <sort_tuning tuning, class Problem>
sort_shape shape_of_passes(const gpu& where, std::uint64_t items) {
    switch (tile_of_passes<tuning, Problem>(where, items)) {
        case pass_tile::small: return tuning.small_tile;
        case pass_tile::middle: return tuning.middle_tile;
        default: return tuning.tile;
    }
}
/// The tiles whose counts there is room for: of one launch of a pass over so many keys.
template <sort_tuning tuning, class Problem>
std::uint64_t tiles_of_passes(const gpu& where, std::uint64_t items) {
    const auto tile = static_cast<unsigned>(shape_of_passes<tuning, Problem>(where, items).items());
    return std::min<std::uint64_t>(tuning.portion_tiles, tiles_for(items, tile));
}
/// Bytes of the rows of counts that so many tiles need.
template <sort_tuning tuning>
std::size_t row_bytes(std::uint64_t tiles) {
    const auto rows = std::min<std::uint64_t>(tuning.portion_tiles, tiles);
    return region_bytes(std::max(rows * digit_values, least_region_tiles), sizeof(std::uint64_t));
}

/// All passes, of a sort or of segments, each in portions of a total of `all` tiles.
template <auto kernel, sort_shape shape, sort_tuning tuning, class Problem>
void launch_passes(gpu& where, const Problem& problem, int passes, std::uint64_t all,
                   std::size_t bytes) {
    static_assert(std::uint64_t{tuning.portion_tiles} * shape.items() < includes_all_before);
    const std::uint64_t tiles = std::min<std::uint64_t>(tuning.portion_tiles, all);
    const auto workspace = access::region<std::uint32_t>(where, tiles * digit_values);
    const auto& known = access::facts<kernel>(where, shape.threads(), bytes);
    for (int pass = 0; pass < passes; ++pass) {
        int turn = 0;
        for (std::uint64_t first = 0; first < all; first += tuning.portion_tiles, turn = 1 - turn) {
            start<kernel>(where, known, access::blocks(where, tiles, known), shape.threads(), bytes,
                          problem, workspace, pass,
                          sort_portion{first, tuning.portion_tiles, turn});
        }
    }
}

template <sort_shape shape, sort_tuning tuning, class Problem>
void launch_sort_passes(gpu& where, const Problem& problem) {
    constexpr auto kernel = sort_pass_kernel<Problem, shape.warps, shape.rows, shape.blocks>;
    launch_passes<kernel, shape, tuning>(
        where, problem, sort_passes(problem.digits, problem.layout),
        tiles_for(problem.count.at_most, shape.items()), sizeof(sort_pass_memory<Problem, shape>));
}

}  // namespace lookback::detail::device
