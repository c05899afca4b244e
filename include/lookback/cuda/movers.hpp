/// \file
/// How the pipelined driver moves tiles between global memory and its stages: by bulk copies,
/// started by one thread, or item by item, by a few warps, which takes any iterator, type and
/// alignment.
///
/// A mover says what its stages hold (`In` before the scan, `Out` after it, of the accumulators'
/// size; backward where the first item has the highest address), how many threads load and how many
/// store, and how often they arrive at the barrier for a stage.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/cuda/hardware.hpp"

namespace lookback::detail::gpu {

/// Arrays on 16-byte boundaries.
template <class Problem, int tile_items>
struct bulk_mover {
    using A = typename Problem::value_type;
    using In = std::remove_cvref_t<decltype(*Problem::in)>;
    using Out = std::remove_cvref_t<decltype(*Problem::out)>;
    static constexpr bool backward = Problem::step < 0;
    static constexpr int load_threads = 1;
    static constexpr int load_arrivals = 1;
    static constexpr int store_threads = 1;
    static constexpr int store_arrivals = 1;

    const Problem& problem;

    __device__ void load(unsigned char* stage, std::uint64_t first, int items, int /*thread*/,
                         phase_barrier& loaded) const {
        const int copied = in_whole_vectors(items);
        for (int i = copied; i < items; ++i) {
            at<In>(stage, i) = problem.in[Problem::step * static_cast<std::int64_t>(first + i)];
        }
        const auto bytes = static_cast<std::uint32_t>(copied) * sizeof(A);
        loaded.arrive_and_expect(bytes);
        if (bytes > 0)
            bulk_load(lowest(stage, copied), lowest(problem.in, first, copied), bytes, loaded);
    }

    __device__ void store(unsigned char* stage, std::uint64_t first, int items, int /*thread*/,
                          phase_barrier& freed) const {
        const int copied = in_whole_vectors(items);
        if (copied > 0) {
            bulk_store(lowest(problem.out, first, copied), lowest(stage, copied),
                       static_cast<std::uint32_t>(copied) * sizeof(A));
        }
        for (int i = copied; i < items; ++i) {
            problem.out[Problem::step * static_cast<std::int64_t>(first + i)] = at<Out>(stage, i);
        }
        wait_bulk_stores_read();
        freed.arrive();
    }

    __device__ void finish() const { wait_bulk_stores(); }

 private:
    // Bulk copies move multiples of 16 bytes; the few items after them go one by one.
    __device__ static int in_whole_vectors(int items) {
        return items - items % static_cast<int>(16 / sizeof(A));
    }
    // Where the first `items` items of a stage begin, and those of an array from item `first` on.
    __device__ static unsigned char* lowest(unsigned char* stage, int items) {
        return stage + (backward ? (tile_items - items) * static_cast<int>(sizeof(A)) : 0);
    }
    template <class P>
    __device__ static P lowest(P array, std::uint64_t first, int items) {
        return backward ? array - (first + static_cast<std::uint64_t>(items) - 1) : array + first;
    }
    template <class T>
    __device__ static T& at(unsigned char* stage, int item) {
        return reinterpret_cast<T*>(stage)[backward ? tile_items - 1 - item : item];
    }
};

/// Anything.
template <class Problem, int tile_items>
struct item_mover {
    using A = typename Problem::value_type;
    using In = A;
    using Out = A;
    static constexpr bool backward = false;
    // As many threads as a block of 17 warps that compute has room for.
    static constexpr int load_threads = 320;
    static constexpr int load_arrivals = load_threads / warp_lanes;
    static constexpr int store_threads = 128;
    static constexpr int store_arrivals = store_threads / warp_lanes;

    const Problem& problem;

    __device__ void load(unsigned char* stage, std::uint64_t first, int items, int thread,
                         phase_barrier& loaded) const {
        // Loads in flight, for whole rounds: 17 times 320 items of 8 bytes are a tile.
        constexpr int at_once = sizeof(A) <= 8 ? 17 : sizeof(A) <= 16 ? 9 : 2;
        A* const to = reinterpret_cast<A*>(stage);
        for (int begin = thread; begin < items; begin += at_once * load_threads) {
            A item[at_once];
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                const int at = begin + i * load_threads;
                if (at < items) item[i] = problem.load(first + static_cast<std::uint64_t>(at));
            }
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                const int at = begin + i * load_threads;
                if (at < items) to[at] = item[i];
            }
        }
        sync_warp();
        if (lane() == 0) loaded.arrive();
    }

    __device__ void store(unsigned char* stage, std::uint64_t first, int items, int thread,
                          phase_barrier& freed) const {
        const A* const from = reinterpret_cast<const A*>(stage);
#pragma unroll 8
        for (int at = thread; at < items; at += store_threads) {
            problem.store(first + static_cast<std::uint64_t>(at), from[at]);
        }
        sync_warp();
        if (lane() == 0) freed.arrive();
    }

    __device__ void finish() const {}
};

}  // namespace lookback::detail::gpu
