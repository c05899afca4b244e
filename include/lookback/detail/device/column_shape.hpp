/// \file
/// How the columns of an array of (outer, length, inner) extents are cut into tiles on the GPU.
///
/// A tile takes 40 KiB in a stage (more, of items that are wider than accumulators; less, of items
/// that are narrower than a quarter of one). It is some rows of a strip of columns, in one block of
/// the array; or, where blocks are small, several whole blocks. The tiles of a strip, one below the
/// other, are a chain. These aims are balanced:
///
/// - Rows of a tile that are pieces of the array's rows should be long, and whole vectors of 16
///   bytes where that is possible. Neighbouring strips should be moved at about the same time,
///   because they share sectors and pages of memory. So tiles are numbered along rows of tiles:
///   tile t belongs to chain t modulo the number of chains, and the tiles above it have lower
///   numbers.
/// - The tiles of a chain should publish few words. So strips are about 64 bytes wide while there
///   are fewer than some 16 chains, and wider otherwise, up to 512 bytes (128 columns). Tiles of a
///   chain form batches (column_look_back.hpp), which are small where strips are wide. The words
///   take at most 10 % of the memory that the accumulators would take, or 17 % for accumulators of
///   13 to 16 bytes.
/// - If a strip of 256 bytes is at most one tile high, strips are as wide as tiles allow, and no
///   look-back is needed.
///
/// All this depends only on the extents and on the sizes of an item and of an accumulator; and so
/// does the tree of a float sum.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>

#include "lookback/counts.hpp"
#include "lookback/detail/device/divisor.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/tile_status.hpp"

namespace lookback::detail::device {

inline constexpr int column_warps = 16;
inline constexpr int column_threads = column_warps * warp_lanes;

/// What follows depends on `size`, the bytes of an item in a stage (column_problem::staged_size).

/// The number of items of a tile.
constexpr int column_tile_items(std::size_t size) { return 40 * 1024 / static_cast<int>(size); }
/// The narrowest and the widest strip, in columns, of a chain of several tiles.
constexpr int least_strip(std::size_t size) { return size < 32 ? 32 / static_cast<int>(size) : 1; }
constexpr int widest_strip(std::size_t size) {
    return least_strip(size) * std::min(16, 128 / least_strip(size));
}
/// The most rows of a tile of a strip that is narrower than the array. (Strips of equal width are
/// at least three quarters as wide as aimed at, which is twice the narrowest.)
constexpr int most_strip_rows(std::size_t size) {
    return column_tile_items(size) / (least_strip(size) + (least_strip(size) + 1) / 2);
}
/// The most stretches into which the columns of a tile are cut for the threads: at most one for
/// each thread, and as many as accumulators of `size` bytes fit in 4 KiB.
constexpr int most_stretches(std::size_t size) {
    return std::min(column_threads, 4096 / static_cast<int>(size));
}

/// `column_parts`: the number of parts in which the columns of a strip are looked back for.
/// `column_stretch`: the number of tiles of a batch that one lane folds.
inline constexpr int column_parts = 4;
inline constexpr int column_stretch = 4;

/// Where a tile lies in the array. (Aligned, because it is read from shared memory as vectors.)
struct alignas(16) column_tile {
    std::uint64_t first;  ///< its first item in the array
    int blocks;           ///< blocks of the array; several only if the tile has all of their items
    int rows;             ///< rows of each block
    int columns;
    std::uint32_t chain;
    std::uint32_t down;  ///< the number of tiles above it in its chain
    bool bottom;         ///< no tile of its chain is below it

    __device__ int items() const { return blocks * rows * columns; }
};

struct column_shape {
    std::uint64_t outer, length, inner;
    std::uint32_t blocks;  ///< blocks of a tile
    std::uint32_t rows;    ///< rows of a tile, at most
    std::uint32_t width;   ///< columns of a tile, at most
    divisor32 strips;
    divisor32 chains;
    std::uint32_t tiles_down;
    /// The lanes that look back for a part, with a column each: a power of two.
    int lanes;
    /// The tiles of a chain that are one step of a look-back: a power of two.
    std::uint32_t batch;
    /// The stretches into which the rows of a tile are cut, for threads side by side.
    int groups;
    /// The rows of each stretch. Odd, so the threads of a warp have no bank conflicts.
    int group_rows;

    std::uint64_t tiles() const { return std::uint64_t{chains.value()} * tiles_down; }
    __host__ __device__ std::uint32_t batches() const { return (tiles_down - 1) / batch + 1; }
    /// Status words: for each column, one for each tile and two for each batch.
    std::uint64_t words() const {
        return tiles_down > 1 ? (tiles() + std::uint64_t{2} * batches() * chains.value()) * width
                              : 1;
    }
    /// Whether tiles are contiguous in memory.
    __host__ __device__ bool whole_rows() const { return width == inner; }

    __device__ column_tile at(std::uint32_t tile) const {
        const std::uint32_t down = chains.quotient(tile);
        const std::uint32_t chain = tile - down * chains.value();
        const std::uint32_t block = strips.quotient(chain);
        const std::uint64_t row = std::uint64_t{down} * rows;
        const std::uint64_t column = std::uint64_t{chain - block * strips.value()} * width;
        const std::uint64_t first_block = std::uint64_t{block} * blocks;
        return {(first_block * length + row) * inner + column,
                static_cast<int>(least(blocks, outer - first_block)),
                static_cast<int>(least(rows, length - row)),
                static_cast<int>(least(width, inner - column)),
                chain,
                down,
                down + 1 == tiles_down};
    }

 private:
    __device__ static std::uint64_t least(std::uint64_t a, std::uint64_t b) {
        return a < b ? a : b;
    }
};

/// The shape for these extents, items of `size` bytes in a stage, and accumulators of
/// `accumulator_size` bytes. No extent may be 0, and the number of items must be countable
/// (`checked_product`). Errors: std::invalid_argument if there are too many tiles.
inline column_shape shape_of_columns(const axis_extents& extents, std::size_t size,
                                     std::size_t accumulator_size) {
    const auto tile = static_cast<std::uint64_t>(column_tile_items(size));
    const auto narrow = static_cast<std::uint64_t>(least_strip(size));
    const auto wide = static_cast<std::uint64_t>(widest_strip(size));
    const auto in_parts = [](std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0); };
    const auto rounded = [&](std::uint64_t a, std::uint64_t b) { return in_parts(a, b) * b; };
    const auto [outer, length, inner] = extents;

    std::uint64_t blocks = 1, width = inner, rows = length, down = 1;
    if (length <= tile / inner) {
        // Bulk copies begin at multiples of 16 bytes.
        const std::uint64_t fit = tile / (length * inner);
        const std::uint64_t even = 16 / std::gcd(length * inner * size, std::uint64_t{16});
        blocks = std::min(outer, fit < even ? fit : fit / even * even);
    } else {
        const bool one_high = length <= tile / (wide / 2);
        if (one_high) {
            width = tile / length / narrow * narrow;
        } else if (inner <= wide && inner * size % 4 != 0) {
            width = inner;  // pieces of such rows would take more room in a stage (padded_rows.hpp)
        } else {
            width = std::min(std::max(in_parts(outer * inner, 16), 2 * narrow), wide);
        }
        // Strips of about that width, all equal, of whole vectors of 16 bytes where that is
        // possible.
        const std::uint64_t most = one_high ? width : wide;
        width = in_parts(inner, std::max(in_parts(inner, most), (inner + width / 2) / width));
        const std::uint64_t even = std::gcd(inner * size, std::uint64_t{16});
        if (even % size == 0) width = rounded(width, even / size);
        if (!one_high) {
            // Tiles that are one piece of memory begin at vectors.
            const std::uint64_t step = width == inner ? 16 : 1;
            const std::uint64_t fit = tile / width / step * step;
            rows = rounded(in_parts(length, in_parts(length, fit)), step);
            down = in_parts(length, rows);
        }
    }
    const std::uint64_t strips = in_parts(inner, width);
    const std::uint64_t fit = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(most_stretches(accumulator_size)) / (blocks * width));
    const std::uint64_t chains = in_parts(outer, blocks) * strips;
    if (chains > most_claimed_tiles / down) {
        throw std::invalid_argument(
            "lookback: the extents " + std::to_string(outer) + " x " + std::to_string(length) +
            " x " + std::to_string(inner) + " make " + std::to_string(chains * down) +
            " tiles; at most " + std::to_string(most_claimed_tiles) + " are possible in one call");
    }
    const std::uint64_t lanes =
        std::bit_ceil(std::max<std::uint64_t>(2, in_parts(std::min(width, wide), column_parts)));
    const std::uint64_t batch = warp_lanes / lanes * column_stretch;
    const std::uint64_t group_rows = fit == 1 ? rows : in_parts(rows, fit) | 1;
    return {outer,
            length,
            inner,
            static_cast<std::uint32_t>(blocks),
            static_cast<std::uint32_t>(rows),
            static_cast<std::uint32_t>(width),
            divisor32(static_cast<std::uint32_t>(strips)),
            divisor32(static_cast<std::uint32_t>(chains)),
            static_cast<std::uint32_t>(down),
            static_cast<int>(lanes),
            static_cast<std::uint32_t>(batch),
            static_cast<int>(in_parts(rows, group_rows)),
            static_cast<int>(group_rows)};
}

}  // namespace lookback::detail::device
