/// \file
/// How tiles move between global memory and the stages in shared memory. One thread may start bulk
/// copies (here for arrays on 16-byte boundaries; skewed_row.hpp has those that begin anywhere). Or
/// many threads move the tile item by item, which works for any iterator, type and alignment.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_copies.hpp"

namespace lookback::detail::device {

/// An array on a 16-byte boundary. Bulk copies move a tile, which begins at item `first`, except
/// the few items after its last whole vector of 16 bytes.
template <class Pointer>
struct bulk_array {
    using T = std::remove_pointer_t<Pointer>;

    Pointer array;

    __device__ static std::uint32_t bytes_to_copy(int items) {
        return static_cast<std::uint32_t>(in_whole_vectors(items)) * sizeof(T);
    }
    /// Loads the items that bulk copies do not move.
    __device__ void load_rest(unsigned char* stage, std::uint64_t first, int items) const {
        for (int i = in_whole_vectors(items); i < items; ++i)
            at(stage, i) = array[first + static_cast<std::uint64_t>(i)];
    }
    /// Starts the copy of bytes_to_copy(items) bytes. They must have been announced to `loaded`.
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

/// Up to `most` items that `threads` threads move to a stage, with all loads in flight at once.
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
    /// The same from an array, for `items` > 0. No load has a condition: there are few predicates,
    /// and under many conditions the compiler stores each item before it loads the next. Threads
    /// without an item load the last one.
    template <class From>
    __device__ void start_all(const From* array, int items, int thread) {
#pragma unroll
        for (int i = 0; i < per_thread; ++i) {
            const int at = thread + i * threads;
            item[i] = T(array[at < items ? at : items - 1]);
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

/// Loads `items` items into a stage with `threads` threads, of which this is number `thread`.
template <int threads, class T, class Load>
__device__ void load_each(T* stage, int items, int thread, const Load& load) {
    // The number of loads in flight: a tile of 8-byte items has 17 times 320 of them.
    constexpr int at_once = sizeof(T) <= 8 ? 17 : sizeof(T) <= 16 ? 9 : 2;
    for (int begin = 0; begin < items; begin += at_once * threads) {
        items_in_flight<threads, at_once * threads, T> some;
        some.start(items - begin, thread, [&](int i) -> T { return load(begin + i); });
        some.land(stage + begin, items - begin, thread);
    }
}

/// Stores `items` items of a stage with `threads` threads. Item `skew`, and every 32nd item after
/// it, lies on the boundary of a cache line, and is best stored by the first lane of a warp.
/// `most`: an upper bound of `items`, or 0 if none is known.
template <int threads, int most = 0, class T, class Store>
__device__ void store_each(const T* stage, int items, int thread, const Store& store,
                           int skew = 0) {
    // All loads of a round come before its stores: the compiler does not know that source and
    // target do not overlap.
    constexpr int many = sizeof(T) <= 8 ? 16 : sizeof(T) <= 16 ? 4 : 1;
    constexpr int for_all = most == 0 ? many : (most + warp_lanes + threads - 1) / threads;
    constexpr int at_once = for_all < many ? for_all : many;
    static_assert(threads >= warp_lanes);  // so only the first item may lie before the stage
    for (int begin = thread - (skew > 0 ? warp_lanes - skew : 0); begin < items;
         begin += at_once * threads) {
        T item[at_once];
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
            const int at = begin + i * threads;
            if ((i > 0 || at >= 0) && at < items) item[i] = stage[at];
        }
#pragma unroll
        for (int i = 0; i < at_once; ++i) {
            const int at = begin + i * threads;
            if ((i > 0 || at >= 0) && at < items) store(at, item[i]);
        }
    }
}

/// The first item of an output, counted from item `at`, that begins a group of 32 items aligned to
/// a multiple of 32 items; 0 where that cannot be known.
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
