/// \file
/// A tile whose threads first scan their own items one after the other, and then scan one value
/// each across the block, by one of the hybrids: the "outer layer of serial intra-thread reductions
/// and scans" of Merrill & Garland 2016, section 3.1.
///
/// Every tile class has these members, and strategies take any tile class:
///   threads, tile_items: the block's shape, and how many items a tile has;
///   storage: what it needs of shared memory;
///   load(in, count): reads `count` items, from 1 to tile_items;
///   scan(op): scans them; returns the fold of a full tile, to each thread;
///   store(out, count, before, op): writes the scan, seeded with what lies before the tile.
/// There must be a barrier between two tiles of one block.
#pragma once

#include "../machine.cuh"
#include "../prefix.cuh"
#include "blocked.cuh"
#include "hybrids.cuh"

namespace lookback::strategies {

/// Items of a thread: about 92 bytes, and an odd number, so that lanes find items of 4 and 8 bytes
/// in different banks.
template <class T>
inline constexpr int thread_items = sizeof(T) > 92 ? 1 : (92 / static_cast<int>(sizeof(T)) - 1) | 1;

template <class T, template <class, int> class Hybrid>
class thread_tile {
 public:
    static constexpr int threads = 256;
    static constexpr int items = thread_items<T>;
    static constexpr int tile_items = threads * items;

 private:
    using array = blocked<T, threads, items>;
    using across = Hybrid<T, threads>;

 public:
    struct storage {
        typename array::storage items;
        typename across::storage across_threads;
    };

    explicit __device__ thread_tile(storage& s) : storage_(s) {}

    __device__ void load(const T* in, int count) { array::load(storage_.items, in, count, mine_); }

    template <class Op>
    __device__ T scan(const Op& op) {
#pragma unroll
        for (int i = 1; i < items; ++i) mine_[i] = op(mine_[i - 1], mine_[i]);
        const thread_scan<T> found = across::scan(storage_.across_threads, mine_[items - 1], op);
        before_ = found.before;
        return found.total;
    }

    /// The fold of all items, without a scan. Thread 0 gets it.
    template <class Op>
    __device__ T reduce(const Op& op) {
        using namespace detail::device;
        T fold = mine_[0];
#pragma unroll
        for (int i = 1; i < items; ++i) fold = op(fold, mine_[i]);
        T* const of_warps = storage_.items.items_at();
        sync_block();  // all threads have taken their items from there
        fold = fold_warp(fold, op);
        if (lane() == 0) of_warps[warp()] = fold;
        sync_block();
        if (thread_in_block() == 0) {
            for (int w = 1; w < threads / warp_lanes; ++w) fold = op(fold, of_warps[w]);
        }
        return fold;
    }

    template <class Op>
    __device__ void store(T* out, int count, const prefix<T>& before_tile, const Op& op) {
        const prefix<T> before = before_tile.then(before_, op);
        if (before.exists) {
#pragma unroll
            for (T& x : mine_) x = op(before.value, x);
        }
        array::store(storage_.items, out, count, mine_);
    }

 private:
    storage& storage_;
    T mine_[items];
    prefix<T> before_;
};

/// The tile that scans of whole arrays use unless told otherwise.
template <class T>
using usual_tile = thread_tile<T, warp_scans_in_brent_kung>;

}  // namespace lookback::strategies
