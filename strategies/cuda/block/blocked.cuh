/// \file
/// A tile in registers, in which each thread has consecutive items. The items pass through shared
/// memory on their way from and to global memory, so that global memory is read and written with 16
/// bytes a thread, and neighbouring threads access neighbouring bytes.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstring>

#include "../machine.cuh"

namespace lookback::strategies {

__device__ inline bool on_vector_boundary(const void* at) {
    return reinterpret_cast<std::uintptr_t>(at) % sizeof(uint4) == 0;
}

template <class T, int threads, int items>
struct blocked {
    static constexpr int tile_items = threads * items;
    static constexpr int tile_bytes = tile_items * static_cast<int>(sizeof(T));
    static_assert(tile_bytes % sizeof(uint4) == 0);
    static constexpr int vectors = tile_bytes / static_cast<int>(sizeof(uint4));
    static constexpr int vectors_a_thread = (vectors + threads - 1) / threads;

    struct alignas(16) storage {
        unsigned char bytes[tile_bytes];
        __device__ T* items_at() { return reinterpret_cast<T*>(bytes); }
        __device__ uint4* vectors_at() { return reinterpret_cast<uint4*>(bytes); }
    };

    /// Reads `count` > 0 items. Missing items are copies of the last one. (No result of a scan
    /// depends on a later item, so they may be anything that the operator takes.)
    static __device__ void load(storage& s, const T* in, int count, T (&mine)[items]) {
        const int t = thread_in_block();
        if (count == tile_items && on_vector_boundary(in)) {
            uint4 held[vectors_a_thread];  // all loads are issued before the first is waited for
#pragma unroll
            for (int k = 0; k < vectors_a_thread; ++k) {
                const int v = k * threads + t;
                if (v < vectors) held[k] = reinterpret_cast<const uint4*>(in)[v];
            }
#pragma unroll
            for (int k = 0; k < vectors_a_thread; ++k) {
                const int v = k * threads + t;
                if (v < vectors) s.vectors_at()[v] = held[k];
            }
        } else {
            for (int i = t; i < tile_items; i += threads) {
                s.items_at()[i] = in[i < count ? i : count - 1];
            }
        }
        sync_block();
#pragma unroll
        for (int i = 0; i < items; ++i) mine[i] = s.items_at()[t * items + i];
    }

    /// Writes `count` items. There must have been a barrier since `load`, which every block scan
    /// has.
    static __device__ void store(storage& s, T* out, int count, const T (&mine)[items]) {
        const int t = thread_in_block();
#pragma unroll
        for (int i = 0; i < items; ++i) s.items_at()[t * items + i] = mine[i];
        sync_block();
        if (count == tile_items && on_vector_boundary(out)) {
#pragma unroll
            for (int k = 0; k < vectors_a_thread; ++k) {
                const int v = k * threads + t;
                if (v < vectors) reinterpret_cast<uint4*>(out)[v] = s.vectors_at()[v];
            }
        } else {
            for (int i = t; i < count; i += threads) out[i] = s.items_at()[i];
        }
    }
};

}  // namespace lookback::strategies
