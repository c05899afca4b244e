/// \file
/// The scan of a tile by the threads of a block. Each thread owns a chunk of consecutive items in
/// shared memory. It folds the chunk, learns the fold of what comes before it, and walks through it
/// again.
///
/// For items whose size divides 16, and for those of 3, 5, 6 or 10 bytes, a chunk is an odd number
/// of 16-byte vectors. So the lanes of a warp, each at its own chunk, have no bank conflicts in
/// shared memory, without padding or transposition.
///
/// The tree: items of a chunk from left to right; chunks of a warp by Kogge-Stone; warps of the
/// tile by Kogge-Stone; and for each item op(prefix, op(warps before, chunks before)), then the
/// items of its chunk from left to right. The operator is applied to items only, never to padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/half.hpp"

namespace lookback::detail::device {

inline constexpr int chunk_bytes = 80;

/// The number of items of a chunk, for accumulators, or items and results in a stage, of this size.
/// Items that are not whole words of 4 bytes are read and written by vectors, not byte by byte, if
/// the fewest items that are whole vectors do not take more than a chunk.
template <std::size_t size>
inline constexpr int chunk_items = [] {
    constexpr std::size_t of_vectors = 16 / std::gcd(size, std::size_t{16});
    if (16 % size != 0 && size % 4 != 0 && of_vectors * size <= chunk_bytes) {
        return static_cast<int>(of_vectors);
    }
    return size < chunk_bytes ? static_cast<int>(chunk_bytes / size) : 1;
}();

/// The number of lanes of a warp that have items, if each lane has room for `per_lane` items and
/// `left` items are left from the warp's first item on. (Do not compare the result with 0 or 32: of
/// a clamped number that is compared with its bound, ptxas 13.0 makes one instruction with the
/// wrong predicate.)
__device__ inline int lanes_in_use(int left, int per_lane) {
    const int lanes = (left + per_lane - 1) / per_lane;
    return lanes < 0 ? 0 : lanes < warp_lanes ? lanes : warp_lanes;
}

/// Inclusive scan over the first `lanes` lanes, at most `most` (Kogge-Stone). Backward, the last of
/// these lanes comes first.
template <int most = warp_lanes, bool backward = false, class A, class Op>
__device__ A scan_lanes(A value, int lanes, const Op& op) {
#pragma unroll
    for (int distance = 1; distance < most; distance *= 2) {
        if constexpr (backward) {
            const A above = from_lane_above(value, distance);
            if (lane() + distance < lanes) value = static_cast<A>(op(above, value));
        } else {
            const A below = from_lane_below(value, distance);
            if (lane() >= distance && lane() < lanes) value = static_cast<A>(op(below, value));
        }
    }
    return value;
}

/// The place of a thread, or of a warp, in its tile.
template <class A>
struct place_in_tile {
    maybe<A> before;  ///< the fold of the tile's items before the thread's or warp's own
    A aggregate;      ///< the fold of the tile
};

/// From the fold of each warp's items, which lane `holder` has, to the warp's place in the tile.
/// The first `warps_in_use` warps of the block have items. `totals` is shared memory for one value
/// per warp; calls must alternate between two of them, as one call's values are still read when the
/// next call writes. `barrier` waits for all warps.
template <int warps, class A, class Op, class Barrier>
__device__ place_in_tile<A> place_warp(const A& warp_total, int holder, int warps_in_use, A* totals,
                                       const Op& op, const Barrier& barrier) {
    const int mine = warp() % warps;
    if (lane() == holder) totals[mine] = warp_total;
    barrier();
    A total = totals[lane() < warps_in_use ? lane() : 0];
    total = scan_lanes<warps>(total, warps_in_use, op);
    return {{from_lane(total, mine > 0 ? mine - 1 : 0), mine > 0},
            from_lane(total, warps_in_use - 1)};
}

/// From the fold of each thread's items to the thread's place in the tile. `lanes` lanes of this
/// warp have items.
template <int warps, class A, class Op, class Barrier>
__device__ place_in_tile<A> place_thread(const A& thread_total, int lanes, int warps_in_use,
                                         A* totals, const Op& op, const Barrier& barrier) {
    const A inclusive = scan_lanes(thread_total, lanes, op);
    const auto of_warp = place_warp<warps>(inclusive, lanes - 1, warps_in_use, totals, op, barrier);
    const maybe<A> lanes_before = {from_lane_below(inclusive, 1), lane() > 0 && lane() < lanes};
    return {combine(of_warp.before, lanes_before, op), of_warp.aggregate};
}

/// The same for `items` items in chunks of `per_thread`.
template <int warps, int per_thread, class A, class Op, class Barrier>
__device__ place_in_tile<A> place_chunk(const A& total, int items, A* totals, const Op& op,
                                        const Barrier& barrier) {
    constexpr int per_warp = warp_lanes * per_thread;
    return place_thread<warps>(total, lanes_in_use(items - warp() % warps * per_warp, per_thread),
                               (items + per_warp - 1) / per_warp, totals, op, barrier);
}

/// A thread's chunk: items of type `Item` in shared memory, accumulators in registers. Backward,
/// the chunk's first item has the highest address.
template <class A, class Item, bool backward, int items_ = chunk_items<sizeof(A)>>
class chunk {
    static_assert(sizeof(A) == sizeof(Item));

 public:
    static constexpr int items = items_;
    static constexpr int bytes = items * static_cast<int>(sizeof(A));

    /// The item that is i-th in the order of the scan.
    __device__ const A& operator[](int i) const { return item[i]; }
    __device__ A& operator[](int i) { return item[i]; }

    __device__ void load(const unsigned char* at) {
        if constexpr (in_vectors) {
#pragma unroll
            for (int v = 0; v < items / vector16<Item>::items; ++v) {
                const auto vector = load_vector16<Item>(at + 16 * v);
#pragma unroll
                for (int i = 0; i < vector16<Item>::items; ++i) {
                    item[index(v * vector16<Item>::items + i)] = static_cast<A>(vector.item[i]);
                }
            }
        } else {
#pragma unroll
            for (int i = 0; i < items; ++i) {
                item[index(i)] = static_cast<A>(reinterpret_cast<const Item*>(at)[i]);
            }
        }
    }

    template <class To>
    __device__ void store(unsigned char* at) const {
        static_assert(sizeof(A) == sizeof(To));
        if constexpr (in_vectors) {
#pragma unroll
            for (int v = 0; v < items / vector16<To>::items; ++v) {
                vector16<To> vector;
#pragma unroll
                for (int i = 0; i < vector16<To>::items; ++i) {
                    vector.item[i] = static_cast<To>(item[index(v * vector16<To>::items + i)]);
                }
                store_vector16(at + 16 * v, vector);
            }
        } else {
#pragma unroll
            for (int i = 0; i < items; ++i) {
                reinterpret_cast<To*>(at)[i] = static_cast<To>(item[index(i)]);
            }
        }
    }

    /// Converts items, in the order of their memory, to accumulators, and back: the first `count`
    /// items in the order of the scan, or all of them if `full`. (What lies behind those is
    /// converted too, unless the conversion is a user's.)
    template <bool full, class From>
    __device__ void take(const From (&from)[items], int count) {
#pragma unroll
        for (int i = 0; i < items; ++i) {
            if (full || can_move<From, A> || i < count) item[i] = static_cast<A>(from[index(i)]);
        }
    }
    template <bool full, class To>
    __device__ void give(To (&to)[items], int count) const {
#pragma unroll
        for (int i = 0; i < items; ++i) {
            if (full || can_move<A, To> || i < count) to[index(i)] = static_cast<To>(item[i]);
        }
    }

    /// The fold of the first `count` > 0 items, or of all items if `full`.
    template <bool full, class Op>
    __device__ A fold(int count, const Op& op) const {
        A total = item[0];
#pragma unroll
        for (int i = 1; i < items; ++i) {
            if (full || i < count) total = static_cast<A>(op(total, item[i]));
        }
        return total;
    }

    /// Turns the first `count` items, or all of them if `full`, into their results. `before` is the
    /// fold of everything before them.
    template <bool is_exclusive, bool full, class Op>
    __device__ void scan(const maybe<A>& before, int count, const Op& op) {
        A running = before.value;
#pragma unroll
        for (int i = 0; i < items; ++i) {
            if (full || i < count) {
                const A next =
                    i > 0 || before.some ? static_cast<A>(op(running, item[i])) : item[i];
                item[i] = is_exclusive ? running : next;
                running = next;
            }
        }
    }

 private:
    static constexpr bool in_vectors = 16 % sizeof(Item) == 0 && bytes % 16 == 0;
    template <class From, class To>
    static constexpr bool can_move = std::is_same_v<From, To> || (is_number<From> && is_number<To>);
    __device__ static constexpr int index(int i) { return backward ? items - 1 - i : i; }

    A item[items];
};

}  // namespace lookback::detail::device
