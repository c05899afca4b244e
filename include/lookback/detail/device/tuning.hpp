/// \file
/// The tuned numbers of scans on a GPU, by the size of an accumulator. (docs/tuning_log.md says
/// what was measured; other families have theirs beside their agents and in sort_shapes.hpp.)
/// Tiles, and the sizes at which the driver changes, are part of the tree of a float sum: they
/// depend on the type and the number of items only, never on the GPU.
#pragma once

#include <cstdint>

#include "lookback/detail/device/light.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

/// Large arrays. `warps`: warps that compute a tile together. `stages`: stages of one tile each.
/// `lead`: how many tiles are reduced ahead of the scan. `look_back_warps`: warps that look back in
/// turn. `teams`: groups of `warps` warps that compute in turn.
struct large_shape {
    int warps;
    int stages;
    int lead;
    int look_back_warps;
    int teams;
};
// Five stages of 17 warps fill the shared memory; while two tiles are reduced ahead, the look-back
// of a tile is hidden.
template <std::size_t size>
inline constexpr large_shape large = {17, 5, 2, 1, 1};

/// The most bytes of an item or a result that a stage may hold. They may be wider than their
/// accumulators; a tile then has fewer of them.
template <class A>
inline constexpr std::size_t widest_staged = sizeof(A) > 8   ? sizeof(A)
                                             : sizeof(A) > 1 ? 8
                                                             : 4;

/// Narrower items and results in a stage count as this many bytes, because a thread has registers
/// for 160 bytes of accumulators. (An accumulator of less than 4 bytes takes a register, too.)
template <class A>
inline constexpr std::size_t narrowest_staged = sizeof(A) < 4 ? sizeof(A) : sizeof(A) / 2;

/// Items of a tile. `size`: of an item or a result in a stage (scan_problem::staged_size).
template <class A, std::size_t size = sizeof(A)>
inline constexpr std::uint64_t large_tile_items =
    large<sizeof(A)>.warps * warp_lanes * chunk_items<size>;

/// Small arrays. `warps`: warps of a block. `rows`: rows of vectors that each warp holds.
/// `most_items`: the most items that this shape is used for.
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
/// From the smallest shape to the largest. (The largest tiles of narrow items by 8 warps: with 16
/// they take 5 to 11 % longer. Those of wider items have so many rows then that their code is twice
/// as large.)
template <class A>
inline constexpr light_shape light[] = {
    light_shape_of<A>(8, 16, 1),
    light_shape_of<A>(32, 16, 1),
    light_shape_of<A>(4, 64, 64),
    sizeof(A) < 4 ? light_shape_of<A>(8, 128, 128) : light_shape_of<A>(16, 64, 128),
};

/// The fewest items of a tile of compactions and runs, for items of up to 8 bytes
/// with values of up to 8 bytes.
inline constexpr std::uint64_t least_compaction_tile = 2240;

/// The fewest items of a tile, whatever items and results lie in its stage. (Tiles of items of 6
/// bytes, which are whole vectors, are smaller than those of 8 bytes.)
template <class A, std::size_t size = widest_staged<A>>
constexpr std::uint64_t least_large_tile() {
    if constexpr (size == 1) {
        return large_tile_items<A, 1>;
    } else {
        constexpr std::uint64_t least = least_large_tile<A, size - 1>();
        return large_tile_items<A, size> < least ? large_tile_items<A, size> : least;
    }
}

/// The most tiles that a scan of up to `items` items may have, with any driver.
template <class A>
constexpr std::uint64_t most_tiles(std::uint64_t items) {
    std::uint64_t most = items / least_large_tile<A>() + 1;
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
