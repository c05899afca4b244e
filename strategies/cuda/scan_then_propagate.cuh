/// \file
/// Scan-then-propagate: each tile is scanned by itself, the tiles' totals are scanned in the same
/// way, and every item takes the total of all tiles before its own (Merrill & Garland 2016, section
/// 3.2; CUDPP, Sengupta et al. 2008). There are as many levels as it takes. About 4n: the outermost
/// level reads and writes every item twice.
#pragma once

#include <vector>

#include "block/blocked.cuh"
#include "block/thread_tile.cuh"
#include "device.cuh"
#include "machine.cuh"

namespace lookback::strategies {

/// Scans the block's tile, or the `items` items that are left of it.
template <class Tile, class T, class Op>
__device__ void scan_tile(const T* in, T* out, std::uint64_t items, T* totals, const Op& op) {
    auto& storage = shared_memory<typename Tile::storage>();
    const int count = items < Tile::tile_items ? static_cast<int>(items) : Tile::tile_items;
    Tile tile(storage);
    tile.load(in, count);
    const T total = tile.scan(op);
    tile.store(out, count, prefix<T>{}, op);
    // The total of a last tile that is not full is wrong, but no later tile takes it.
    if (totals != nullptr && thread_in_block() == 0) totals[block_in_grid()] = total;
}

template <class Tile, class T, class Op>
__global__ void __launch_bounds__(Tile::threads)
    scan_tiles_kernel(const T* in, T* out, std::uint64_t n, T* totals, Op op) {
    const std::uint64_t first = std::uint64_t{block_in_grid()} * Tile::tile_items;
    scan_tile<Tile>(in + first, out + first, n - first, totals, op);
}

inline constexpr int propagating_threads = 256;

/// Adds `before` to the items of the block's tile, or to the `left` items that are left of it.
template <class T, class Op>
__device__ void propagate(T* items, std::uint64_t left, int tile_items, const T& before,
                          const Op& op) {
    const int count =
        left < static_cast<unsigned>(tile_items) ? static_cast<int>(left) : tile_items;
    int done = 0;
    if constexpr (sizeof(T) <= 16 && 16 % sizeof(T) == 0) {
        constexpr int width = 16 / static_cast<int>(sizeof(T));
        if (on_vector_boundary(items)) done = count / width * width;
        for (int i = thread_in_block() * width; i < done; i += propagating_threads * width) {
            auto x = detail::device::load_vector16<T>(items + i);
#pragma unroll
            for (T& item : x.item) item = op(before, item);
            detail::device::store_vector16(items + i, x);
        }
    }
    for (int i = done + thread_in_block(); i < count; i += propagating_threads) {
        items[i] = op(before, items[i]);
    }
}

/// Block b works on tile b + 1.
template <class T, class Op>
__global__ void __launch_bounds__(propagating_threads)
    propagate_kernel(T* out, std::uint64_t n, int tile_items, const T* totals, Op op) {
    const std::uint64_t first =
        (std::uint64_t{block_in_grid()} + 1) * static_cast<unsigned>(tile_items);
    propagate(out + first, n - first, tile_items, totals[block_in_grid()], op);
}

template <template <class> class Tile = usual_tile>
struct scan_then_propagate {
    template <class T>
    static constexpr int tile_items = Tile<T>::tile_items;

    /// Sets out[i] = in[0] · ... · in[i]. The arrays are the same or do not overlap.
    template <class T, class Op>
    static void run(device& gpu, const T* in, T* out, std::uint64_t n, Op op) {
        if (n == 0) return;
        const auto cut_levels = [n](carver memory) {
            std::vector<T*> totals;
            for (std::uint64_t tiles = tiles_of<T>(n); tiles > 1; tiles = tiles_of<T>(tiles)) {
                totals.push_back(memory.take<T>(tiles));
            }
            return std::pair(totals, memory.bytes());
        };
        const std::size_t bytes = cut_levels(carver{}).second;
        const auto totals = cut_levels(carver{gpu.memory(bytes)}).first;
        scan_level(gpu, in, out, n, totals.data(), op);
    }

 private:
    template <class T>
    static std::uint64_t tiles_of(std::uint64_t n) {
        return ceil_div(n, Tile<T>::tile_items);
    }

    template <class T, class Op>
    static void scan_level(device& gpu, const T* in, T* out, std::uint64_t n, T* const* totals,
                           Op op) {
        using tile = Tile<T>;
        const std::uint64_t tiles = tiles_of<T>(n);
        start(gpu, scan_tiles_kernel<tile, T, Op>, tiles, tile::threads, in, out, n,
              tiles > 1 ? *totals : nullptr, op);
        if (tiles == 1) return;
        scan_level(gpu, static_cast<const T*>(*totals), *totals, tiles, totals + 1, op);
        start(gpu, propagate_kernel<T, Op>, tiles - 1, propagating_threads, out, n,
              tile::tile_items, *totals, op);
    }
};

}  // namespace lookback::strategies
