/// \file
/// A tile in shared memory, on which a textbook's block scan works, with one or two items a thread.
#pragma once

#include "../machine.cuh"
#include "../prefix.cuh"

namespace lookback::strategies {

/// The work of a network that scans two items a thread in place: puts a block's n items in shared
/// memory, calls `steps` with the thread's number, and takes the items back. Returns the fold of
/// all. Each step begins with a barrier.
template <int n, class T, class Steps>
__device__ T scan_halves_in_place(T* x, T (&item)[2], const Steps& steps) {
    const int t = thread_in_block();
    x[t] = item[0];
    x[n / 2 + t] = item[1];
    steps(t);
    sync_block();
    item[0] = x[t];
    item[1] = x[n / 2 + t];
    return x[n - 1];
}

/// `Network` has `items_a_thread`; `places<n>`, the places that it needs for n items; and
/// scan<n>(x, item, op): thread t brings item t and, if it has two items, item n/2 + t. It gets
/// their inclusive scans back, and returns the fold of all items.
template <class T, class Network, int block_threads = 512>
class array_tile {
 public:
    static constexpr int threads = block_threads;
    static constexpr int items = Network::items_a_thread;
    static constexpr int tile_items = threads * items;
    struct storage {
        T x[Network::template places<tile_items>];
    };

    explicit __device__ array_tile(storage& s) : storage_(s) {}

    __device__ void load(const T* in, int count) {
#pragma unroll
        for (int k = 0; k < items; ++k) {  // missing items: copies, as in blocked.cuh
            const int i = k * threads + thread_in_block();
            mine_[k] = in[i < count ? i : count - 1];
        }
    }

    template <class Op>
    __device__ T scan(const Op& op) {
        return Network::template scan<tile_items>(storage_.x, mine_, op);
    }

    template <class Op>
    __device__ void store(T* out, int count, const prefix<T>& before_tile, const Op& op) {
#pragma unroll
        for (int k = 0; k < items; ++k) {
            const int i = k * threads + thread_in_block();
            if (i < count) out[i] = before_tile.then(mine_[k], op);
        }
    }

 private:
    storage& storage_;
    T mine_[items];
};

}  // namespace lookback::strategies
