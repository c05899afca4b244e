/// \file
/// Reduce-then-scan. The array is cut into G parts, whatever its length, one for each of as many
/// blocks as run at once. Each block reduces its part, tile after tile. One block scans the G
/// folds. Then each block scans its part, seeded with the fold of all parts before it (Merrill &
/// Garland 2016, section 3.2 and fig. 3). About 3n: 2n items read, n written.
///
/// With `elides`, after Ha & Han 2013: the first block scans at once, as nothing lies before its
/// part, and the last block's fold is not needed. So each launch has one block less to run.
#pragma once

#include <algorithm>

#include "block/thread_tile.cuh"
#include "device.cuh"
#include "machine.cuh"

namespace lookback::strategies {

/// The parts of the array. They consist of whole tiles, except for the very last tile.
struct parts {
    std::uint64_t items;
    std::uint64_t tiles;
    std::uint64_t count;

    __device__ std::uint64_t first_tile(std::uint64_t part) const { return tiles * part / count; }
};

template <class Tile, class T, class Op>
__device__ T reduce_part(const T* in, const parts& all, std::uint64_t part,
                         typename Tile::storage& storage, Op op) {
    prefix<T> fold{};  // in thread 0
    const std::uint64_t end = all.first_tile(part + 1);
    for (std::uint64_t t = all.first_tile(part); t < end; ++t) {
        const std::uint64_t first = t * Tile::tile_items;
        const std::uint64_t left = all.items - first;
        Tile tile(storage);
        tile.load(in + first, left < Tile::tile_items ? static_cast<int>(left) : Tile::tile_items);
        fold = {true, fold.then(tile.reduce(op), op)};
        sync_block();
    }
    return fold.value;
}

/// Returns the fold of the part and of what lies before it.
template <class Tile, class T, class Op>
__device__ T scan_part(const T* in, T* out, const parts& all, std::uint64_t part, prefix<T> before,
                       typename Tile::storage& storage, Op op) {
    const std::uint64_t end = all.first_tile(part + 1);
    for (std::uint64_t t = all.first_tile(part); t < end; ++t) {
        const std::uint64_t first = t * Tile::tile_items;
        const std::uint64_t left = all.items - first;
        const int count = left < Tile::tile_items ? static_cast<int>(left) : Tile::tile_items;
        Tile tile(storage);
        tile.load(in + first, count);
        const T total = tile.scan(op);
        tile.store(out + first, count, before, op);
        before = {true, before.then(total, op)};
        sync_block();
    }
    return before.value;
}

/// The upsweep: the fold of each part. If the very last tile is not full, the fold of its part is
/// wrong, but no block uses it.
template <class Tile, bool elides, class T, class Op>
__global__ void __launch_bounds__(Tile::threads)
    reduce_parts_kernel(const T* in, T* out, parts all, T* folds, Op op) {
    auto& storage = shared_memory<typename Tile::storage>();
    T fold;
    if (elides && block_in_grid() == 0) {
        fold = scan_part<Tile>(in, out, all, 0, prefix<T>{}, storage, op);
    } else {
        fold = reduce_part<Tile>(in, all, block_in_grid(), storage, op);
    }
    if (thread_in_block() == 0) folds[block_in_grid()] = fold;
}

/// The root: one block scans the folds.
template <class Tile, class T, class Op>
__global__ void __launch_bounds__(Tile::threads) scan_folds_kernel(T* folds, parts all, Op op) {
    auto& storage = shared_memory<typename Tile::storage>();
    scan_part<Tile>(folds, folds, all, 0, prefix<T>{}, storage, op);
}

/// The downsweep.
template <class Tile, bool elides, class T, class Op>
__global__ void __launch_bounds__(Tile::threads)
    scan_parts_kernel(const T* in, T* out, parts all, const T* folds, Op op) {
    auto& storage = shared_memory<typename Tile::storage>();
    const std::uint64_t part = block_in_grid() + (elides ? 1 : 0);
    prefix<T> before{};
    if (part > 0) before = {true, folds[part - 1]};
    scan_part<Tile>(in, out, all, part, before, storage, op);
}

template <bool elides, template <class> class Tile = usual_tile>
struct reduce_then_scan {
    template <class T>
    static constexpr int tile_items = Tile<T>::tile_items;

    /// Sets out[i] = in[0] · ... · in[i]. The arrays are the same or do not overlap.
    template <class T, class Op>
    static void run(device& gpu, const T* in, T* out, std::uint64_t n, Op op) {
        using tile = Tile<T>;
        if (n == 0) return;
        const std::uint64_t tiles = ceil_div(n, tile::tile_items);
        const parts all{n, tiles, std::min(tiles, resident_blocks<tile, T, Op>(gpu))};
        const auto g = static_cast<unsigned>(all.count);
        T* const folds = carver(gpu.memory(carver_bytes<T>(g))).template take<T>(g);
        const auto run_blocks = [&](auto kernel, unsigned blocks, const auto&... arguments) {
            if (blocks > 0) start(gpu, kernel, blocks, tile::threads, arguments...);
        };
        // A single part has nothing before it. Then only the downsweep runs, or, with `elides`,
        // only the upsweep, which scans the first part.
        const unsigned reducing = g == 1 ? elides : g - (elides ? 1 : 0);
        run_blocks(reduce_parts_kernel<tile, elides, T, Op>, reducing, in, out, all, folds, op);
        if (g > 1) {
            const parts root{reducing, ceil_div(reducing, tile::tile_items), 1};
            run_blocks(scan_folds_kernel<tile, T, Op>, 1, folds, root, op);
        }
        run_blocks(scan_parts_kernel<tile, elides, T, Op>, g - (elides ? 1 : 0), in, out, all,
                   static_cast<const T*>(folds), op);
    }

 private:
    template <class T>
    static std::size_t carver_bytes(std::uint64_t items) {
        carver plan;
        plan.take<T>(items);
        return plan.bytes();
    }

    /// How many blocks of the downsweep run at once. CUDA is asked once.
    template <class Tile_of_T, class T, class Op>
    static std::uint64_t resident_blocks(const device& gpu) {
        static const int a_multiprocessor = [] {
            int blocks = 0;
            check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                      &blocks, scan_parts_kernel<Tile_of_T, elides, T, Op>, Tile_of_T::threads, 0),
                  "asking how many blocks run at once");
            return std::max(1, blocks);  // if none fits, the launch says why
        }();
        return static_cast<std::uint64_t>(gpu.multiprocessors()) *
               static_cast<std::uint64_t>(a_multiprocessor);
    }
};

}  // namespace lookback::strategies
