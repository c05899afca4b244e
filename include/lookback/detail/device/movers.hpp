/// \file
/// How tiles travel between global memory and the stages of shared memory: by bulk copies, started
/// by one thread (of arrays on boundaries; skewed_row.hpp has those that begin anywhere), or item
/// by item, by many, which takes any iterator, type and alignment.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_copies.hpp"

namespace lookback::detail::device {

/// An array on a 16-byte boundary: bulk copies move all of a tile, which begins at item `first`,
/// but for the few items after the last whole vector of 16 bytes.
template <class Pointer>
struct bulk_array {
    using T = std::remove_pointer_t<Pointer>;

    Pointer array;

    __device__ static std::uint32_t bytes_to_copy(int items) {
        return static_cast<std::uint32_t>(in_whole_vectors(items)) * sizeof(T);
    }
    /// Loads the items that bulk copies leave over.
    __device__ void load_rest(unsigned char* stage, std::uint64_t first, int items) const {
        for (int i = in_whole_vectors(items); i < items; ++i)
            at(stage, i) = array[first + static_cast<std::uint64_t>(i)];
    }
    /// Starts the copy, of bytes_to_copy(items) bytes, which `loaded` expects already.
    __device__ void start_load(unsigned char* stage, std::uint64_t first, int items,
                               phase_barrier& loaded) const {
        if (const std::uint32_t bytes = bytes_to_copy(items); bytes > 0) {
            bulk_load(stage, array + first, bytes, loaded);
        }
    }
    __device__ void store(unsigned char* stage, std::uint64_t first, int items) const {
        if (const std::uint32_t bytes = bytes_to_copy(items); bytes > 0) {
            bulk_store(array + first, stage, bytes);
        }
        for (int i = in_whole_vectors(items); i < items; ++i)
            array[first + static_cast<std::uint64_t>(i)] = at(stage, i);
    }

 private:
    __device__ static int in_whole_vectors(int items) {
        return items - items % static_cast<int>(16 / sizeof(T));
    }
    __device__ static std::remove_cv_t<T>& at(unsigned char* stage, int item) {
        return reinterpret_cast<std::remove_cv_t<T>*>(stage)[item];
    }
};

/// Up to `most` items on their way to a stage by `threads` threads, all at once.
template <int threads, int most, class T>
struct items_in_flight {
    static constexpr int per_thread = (most + threads - 1) / threads;
    T item[per_thread];

    template <class Load>
    __device__ void start(int items, int thread, const Load& load) {
#pragma unroll
        for (int i = 0; i < per_thread; ++i) {
            const int at = thread + i * threads;
            if (at < items) item[i] = load(at);
        }
    }
    __device__ void land(T* stage, int items, int thread) const {
#pragma unroll
        for (int i = 0; i < per_thread; ++i) {
            const int at = thread + i * threads;
            if (at < items) stage[at] = item[i];
        }
    }
};

/// Loads `items` items to a stage by `threads` threads, of which this is number `thread`.
template <int threads, class T, class Load>
__device__ void load_each(T* stage, int items, int thread, const Load& load) {
    // Loads in flight: 17 times 320 items of 8 bytes are a tile.
    constexpr int at_once = sizeof(T) <= 8 ? 17 : sizeof(T) <= 16 ? 9 : 2;
    for (int begin = 0; begin < items; begin += at_once * threads) {
        items_in_flight<threads, at_once * threads, T> some;
        some.start(items - begin, thread, [&](int i) -> T { return load(begin + i); });
        some.land(stage + begin, items - begin, thread);
    }
}

/// Stores `items` items of a stage by `threads` threads; item `skew` and every 32nd after it are
/// best stored by the first lane of a warp, because they lie on the boundary of a cache line.
/// `most`: no more items than that, if it is said.
template <int threads, int most = 0, class T, class Store>
__device__ void store_each(const T* stage, int items, int thread, const Store& store,
                           int skew = 0) {
    // Loads of a round come before its stores: the compiler does not know that they are apart.
    constexpr int many = sizeof(T) <= 8 ? 16 : sizeof(T) <= 16 ? 4 : 1;
    constexpr int for_all = most == 0 ? many : (most + warp_lanes + threads - 1) / threads;
    constexpr int at_once = for_all < many ? for_all : many;
    for (int begin = thread - (skew > 0 ? warp_lanes - skew : 0); begin < items;
         begin += at_once * threads) {
        T item[at_once];
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
            const int at = begin + i * threads;
            if (at >= 0 && at < items) item[i] = stage[at];
        }
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
            const int at = begin + i * threads;
            if (at >= 0 && at < items) store(at, item[i]);
        }
    }
}

/// The first item of an output that begins a run of 32 items from a multiple of 32 items on, where
/// that can be known.
template <class Out>
__device__ int skew_of(const Out& /*out*/, std::int64_t /*at*/) {
    return 0;
}
template <class T>
__device__ int skew_of(T* out, std::int64_t at) {
    const auto items = reinterpret_cast<std::uintptr_t>(out + at) / sizeof(T);
    return static_cast<int>((warp_lanes - items % warp_lanes) % warp_lanes);
}
template <class T>
__device__ int skew_of(const downward<T*>& out, std::int64_t at) {
    const auto items = reinterpret_cast<std::uintptr_t>(out.last - at) / sizeof(T);
    return static_cast<int>((items + 1) % warp_lanes);
}

}  // namespace lookback::detail::device
