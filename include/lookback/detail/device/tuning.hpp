/// \file
/// Every tuned number of the CUDA drivers, keyed on the size of an accumulator. (What was measured:
/// docs/tuning.md.) Tiles, and the sizes at which drivers change, are part of the tree of a float
/// sum: they depend on the type and the number of items alone, never on the GPU.
#pragma once

#include <cstdint>

#include "lookback/detail/device/light.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

/// Large arrays: warps that compute a tile together, stages of a tile each, how many tiles are
/// reduced ahead of the scan, warps that look back, in turns, and teams that compute, in turns.
struct large_shape {
    int warps;
    int stages;
    int lead;
    int look_back_warps;
    int teams;
};
template <std::size_t size>
inline constexpr large_shape large = {17, 5, 2, 1, 1};

/// From how many tiles a block on the look-back of a scan folds each batch when it is there.
inline constexpr std::uint32_t tiles_folded_early = 32;

/// Items and results may be wider than their accumulators; a tile has fewer of them then.
template <class A>
inline constexpr std::size_t widest_staged = sizeof(A) > 8   ? sizeof(A)
                                             : sizeof(A) > 1 ? 8
                                                             : 4;

/// Items of a tile, the widest of item, accumulator and result having `size` bytes.
template <class A, std::size_t size = sizeof(A)>
inline constexpr std::uint64_t large_tile_items =
    large<sizeof(A)>.warps * warp_lanes * chunk_items<size>;

/// Small arrays: warps of a block, rows of vectors that each holds, and the most items it is used
/// for.
struct light_shape {
    int warps;
    int rows;
    std::uint64_t most_items;
};
// More rows of narrow items than this would not fit in the registers.
template <std::size_t size>
constexpr int rows_of(int bytes) {
    const int row =
        size < 16 ? (size < 4 ? 4 * (16 / static_cast<int>(size)) : 16) : static_cast<int>(size);
    return bytes < row ? 1 : bytes / row;
}
template <class A>
constexpr light_shape light_shape_of(int warps, int bytes_of_thread, std::uint64_t tiles) {
    const int rows = rows_of<sizeof(A)>(bytes_of_thread);
    return {warps, rows,
            tiles * static_cast<std::uint64_t>(warps * rows * warp_lanes * vector_items<A>)};
}
/// From the smallest up.
template <class A>
inline constexpr light_shape light[] = {
    light_shape_of<A>(8, 16, 1),
    light_shape_of<A>(32, 16, 1),
    light_shape_of<A>(4, 64, 64),
    light_shape_of<A>(8, 128, 128),
};

/// The fewest items of a tile of the primitives that keep or drop items, for items of up to 8
/// bytes and values of up to 8 beside them.
inline constexpr std::uint64_t least_compaction_tile = 2240;

/// The most tiles that a scan of up to `items` items may have, with whichever driver.
template <class A>
constexpr std::uint64_t most_tiles(std::uint64_t items) {
    std::uint64_t most = items / large_tile_items<A, widest_staged<A>> + 1;
    for (const light_shape& shape : light<A>) {
        const std::uint64_t tile =
            static_cast<std::uint64_t>(shape.warps * shape.rows * warp_lanes) * vector_items<A>;
        const std::uint64_t tiles =
            (items < shape.most_items ? items : shape.most_items) / tile + 1;
        if (tiles > most) most = tiles;
    }
    return most;
}

}  // namespace lookback::detail::device
