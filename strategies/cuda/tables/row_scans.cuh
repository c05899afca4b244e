/// \file
/// Scans of many rows side by side, by scan-then-propagate with eight items a thread (Harris,
/// Sengupta & Owens, GPU Gems 3, 39.2.5 and 39.3.2). Blocks are assigned to rows as in a grid of
/// two dimensions, in which each row of the grid is a row of items. The grid has one dimension,
/// because there may be more rows than a second dimension can have. 2n if a row fits in a tile of
/// 2048 items, otherwise 4n.
#pragma once

#include <vector>

#include "../block/vector_tile.cuh"
#include "../scan_then_propagate.cuh"

namespace lookback::strategies {

/// Block `tiles * r + t` scans tile t of row r.
template <class Tile, class T, class Op>
__global__ void __launch_bounds__(Tile::threads)
    scan_row_tiles_kernel(const T* in, T* out, std::uint64_t width, unsigned tiles, T* totals,
                          Op op) {
    const std::uint64_t row = block_in_grid() / tiles;
    const std::uint64_t first = std::uint64_t{block_in_grid() % tiles} * Tile::tile_items;
    const std::uint64_t at = row * width + first;
    scan_tile<Tile>(in + at, out + at, width - first, totals, op);
}

/// Block `(tiles - 1) * r + t` works on tile t + 1 of row r.
template <class T, class Op>
__global__ void __launch_bounds__(propagating_threads)
    propagate_in_rows_kernel(T* out, std::uint64_t width, unsigned tiles, int tile_items,
                             const T* totals, Op op) {
    const std::uint64_t row = block_in_grid() / (tiles - 1);
    const unsigned before = block_in_grid() % (tiles - 1);
    const std::uint64_t first = (std::uint64_t{before} + 1) * static_cast<unsigned>(tile_items);
    propagate(out + row * width + first, width - first, tile_items, totals[row * tiles + before],
              op);
}

/// A scan of `rows` rows of `width` items, which can be run any number of times.
template <class T>
class row_scans {
 public:
    /// Takes from `memory` what it needs between its kernels.
    row_scans(carver& memory, std::uint64_t rows, std::uint64_t width)
        : rows_(rows), width_(width) {
        for (std::uint64_t tiles = tiles_of(width); tiles > 1; tiles = tiles_of(tiles)) {
            totals_.push_back(memory.take<T>(rows * tiles));
        }
    }

    /// The arrays are the same or do not overlap.
    template <class Op>
    void run(const device& gpu, const T* in, T* out, Op op) const {
        scan_level(gpu, in, out, width_, 0, op);
    }

 private:
    using long_tile = vectors_tile<T, 256>;

    static std::uint64_t tiles_of(std::uint64_t width) {
        return ceil_div(width, long_tile::tile_items);
    }

    template <class Op>
    void scan_level(const device& gpu, const T* in, T* out, std::uint64_t width, std::size_t level,
                    Op op) const {
        // Short rows are scanned by no more threads than they have work for.
        if (width <= vectors_tile<T, 64>::tile_items) {
            scan_tiles<vectors_tile<T, 64>>(gpu, in, out, width, 1, nullptr, op);
        } else if (width <= vectors_tile<T, 128>::tile_items) {
            scan_tiles<vectors_tile<T, 128>>(gpu, in, out, width, 1, nullptr, op);
        } else if (width <= long_tile::tile_items) {
            scan_tiles<long_tile>(gpu, in, out, width, 1, nullptr, op);
        } else {
            const auto tiles = static_cast<unsigned>(tiles_of(width));
            T* const totals = totals_[level];
            scan_tiles<long_tile>(gpu, in, out, width, tiles, totals, op);
            scan_level(gpu, totals, totals, tiles, level + 1, op);
            start(gpu, propagate_in_rows_kernel<T, Op>, rows_ * (tiles - 1), propagating_threads,
                  out, width, tiles, int{long_tile::tile_items}, totals, op);
        }
    }

    template <class Tile, class Op>
    void scan_tiles(const device& gpu, const T* in, T* out, std::uint64_t width, unsigned tiles,
                    T* totals, Op op) const {
        start(gpu, scan_row_tiles_kernel<Tile, T, Op>, rows_ * tiles, Tile::threads, in, out, width,
              tiles, totals, op);
    }

    std::uint64_t rows_, width_;
    std::vector<T*> totals_;
};

}  // namespace lookback::strategies
