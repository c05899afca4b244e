/// \file
/// Moves the items of a tile to the threads of a block and back, for use in your own kernels.
///
///     using tile = lookback::block::tile_io<float, 256, 9>;
///     __shared__ tile::memory memory;
///     float item[9];
///     tile(memory).load_blocked(in + first, item, left);    // thread t: items 9·t to 9·t + 8
///
/// Striped: thread t holds items t, t + threads, t + 2·threads, ... of the tile, so neighbouring
/// threads access neighbouring items. Blocked: thread t holds per_thread consecutive items, as
/// scans need them. Blocked items travel through shared memory, so that global memory is accessed
/// as in the striped case.
///
/// `items` is the number of valid items of the tile, which are its first ones. The other items are
/// neither read nor written, and a thread's registers for them have no useful values. `in` and
/// `out` are pointers or any iterators with [], to the tile's first item.
///
/// Cost: each item is read or written once in global memory; in the blocked case also once in
/// shared memory. Shared memory has no bank conflicts if the items of a thread are an odd number of
/// vectors of 16 bytes; or if they are not whole vectors, and are an odd number of 4-byte words.
#pragma once

#include <cstddef>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/movers.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::block {

template <class T, int threads, int per_thread>
class tile_io {
    using chunk = detail::device::chunk<T, T, false, per_thread>;

 public:
    static constexpr int items_of_tile = threads * per_thread;

    /// Shared memory for blocked items. Between two uses of it the whole block must call
    /// __syncthreads().
    struct memory {
        alignas(16) unsigned char bytes[items_of_tile * sizeof(T)];
    };
    static_assert(alignof(T) <= 16, "items on the GPU are aligned to at most 16 bytes");

    __device__ explicit tile_io(memory& shared) : stage_(shared.bytes) {}

    template <class In>
    __device__ static void load_striped(const In& in, T (&item)[per_thread],
                                        int items = items_of_tile) {
#pragma unroll
        for (int i = 0; i < per_thread; ++i) {
            const int at = thread() + i * threads;
            if (at < items) item[i] = in[at];
        }
    }

    template <class Out>
    __device__ static void store_striped(const T (&item)[per_thread], const Out& out,
                                         int items = items_of_tile) {
#pragma unroll
        for (int i = 0; i < per_thread; ++i) {
            const int at = thread() + i * threads;
            if (at < items) out[at] = item[i];
        }
    }

    /// All threads call together. One barrier.
    template <class In>
    __device__ void load_blocked(const In& in, T (&item)[per_thread],
                                 int items = items_of_tile) const {
        detail::device::load_each<threads>(stage(), items, thread(),
                                           [&](int i) -> T { return in[i]; });
        detail::device::sync_block();
        chunk mine;
        mine.load(chunk_of_thread());
#pragma unroll
        for (int i = 0; i < per_thread; ++i) item[i] = mine[i];
    }

    /// All threads call together. One barrier.
    template <class Out>
    __device__ void store_blocked(const T (&item)[per_thread], const Out& out,
                                  int items = items_of_tile) const {
        chunk mine;
#pragma unroll
        for (int i = 0; i < per_thread; ++i) mine[i] = item[i];
        mine.template store<T>(chunk_of_thread());
        detail::device::sync_block();
        detail::device::store_each<threads>(stage(), items, thread(),
                                            [&](int i, const T& x) { out[i] = x; });
    }

 private:
    __device__ static int thread() { return detail::device::thread_in_block(); }
    __device__ T* stage() const { return reinterpret_cast<T*>(stage_); }
    __device__ unsigned char* chunk_of_thread() const { return stage_ + thread() * chunk::bytes; }

    unsigned char* stage_;
};

}  // namespace lookback::block
