/// \file
/// Three ways to scan one value of each thread of a block, after Merrill & Garland 2016, figure 2.
/// A network turns the threads' values into their places: the fold of the values before a thread's
/// own, and the fold of all values.
///
/// `items`: only the first `items` threads have a value, and the operator is applied to these
/// values only. `shared` has room for `slots` values; a barrier of the block must come between two
/// uses of it.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

/// The number of this warp's lanes that have a value, and the number of the block's warps that have
/// one.
__device__ inline int lanes_with_value(int items) {
    return lanes_in_use(items - warp() * warp_lanes, 1);
}
__device__ inline int warps_with_value(int items) { return (items + warp_lanes - 1) / warp_lanes; }

/// (a) Each warp scans its values. Then every warp scans the totals of all warps, so that no warp
/// waits for another one's scan of them. It takes one barrier, and more shuffles than if one warp
/// scanned the totals.
template <class A, int warps>
struct warp_scan_network {
    static constexpr int slots = warps;

    template <class Op>
    __device__ static place_in_tile<A> place(const A& value, int items, A* shared, const Op& op) {
        auto place = place_chunk<warps, 1>(value, items, shared, op, [] { sync_block(); });
        place.before.some = place.before.some && thread_in_block() < items;
        return place;
    }

    template <class Op>
    __device__ static A fold(const A& value, int items, A* shared, const Op& op) {
        const A total = fold_lanes(value, static_cast<std::uint32_t>(lanes_with_value(items)), op);
        if (lane() == 0) shared[warp()] = total;
        sync_block();
        const int used = warps_with_value(items);
        const A of_warp = shared[lane() < used ? lane() : 0];
        return from_lane(fold_lanes(of_warp, static_cast<std::uint32_t>(used), op), 0);
    }
};

/// (b) "Raking": one warp does all the work. Each of its lanes has a stretch of the values, in
/// shared memory: it reduces the stretch, and scans it once the fold of the lanes before is known.
/// This applies the operator the fewest times, and takes two barriers, between which the other
/// warps wait.
template <class A, int warps>
class raking_network {
    // The distance between the stretches of two lanes. It is odd, so lanes have no bank conflicts.
    static constexpr int stride = warps | 1;
    static constexpr int at_once = sizeof(A) <= 8 ? 16 : 2;  // steps that are unrolled together

 public:
    static constexpr int slots = warp_lanes * stride + 1;

    template <class Op>
    __device__ static place_in_tile<A> place(const A& value, int items, A* shared, const Op& op) {
        A* const mine = shared + slot_of_thread();
        *mine = value;
        sync_block();
        if (warp() == 0) {
            const int lanes = lanes_in_use(items, warps);
            const A inclusive = scan_lanes(fold_stretch(items, shared, op), lanes, op);
            if (lane() == lanes - 1) shared[slots - 1] = inclusive;
            maybe<A> before = {from_lane_below(inclusive, 1), lane() > 0};
            const int length = length_of_stretch(items);
#pragma unroll at_once
            for (int i = 0; i < warps; ++i) {
                A& item = shared[lane() * stride + i];
                const maybe<A> next = combine(before, {item, i < length}, op);
                item = before.value;
                before = next;
            }
        }
        sync_block();
        const int thread = thread_in_block();
        return {{*mine, thread > 0 && thread < items}, shared[slots - 1]};
    }

    template <class Op>
    __device__ static A fold(const A& value, int items, A* shared, const Op& op) {
        shared[slot_of_thread()] = value;
        sync_block();
        if (warp() == 0) {
            const A total = fold_lanes(fold_stretch(items, shared, op),
                                       static_cast<std::uint32_t>(lanes_in_use(items, warps)), op);
            if (lane() == 0) shared[slots - 1] = total;
        }
        sync_block();
        return shared[slots - 1];
    }

 private:
    __device__ static int slot_of_thread() {
        const int thread = thread_in_block();
        return thread / warps * stride + thread % warps;
    }
    __device__ static int length_of_stretch(int items) {
        const int left = items - lane() * warps;
        return left < warps ? left : warps;
    }
    template <class Op>
    __device__ static A fold_stretch(int items, const A* shared, const Op& op) {
        const A* const stretch = shared + lane() * stride;
        const int length = length_of_stretch(items);
        A total = stretch[0];
#pragma unroll at_once
        for (int i = 1; i < warps; ++i) {
            const A item = stretch[i];
            if (i < length) total = static_cast<A>(op(total, item));
        }
        return total;
    }
};

/// (c) Sklansky: each warp scans its values. Then stretches of 1, 2, 4, ... warps are joined in
/// pairs: each warp of the right stretch gets the total of the left stretch. It takes as many
/// barriers as the number of warps has binary digits, with little work between them.
template <class A, int warps>
struct sklansky_network {
    static constexpr int slots = warps + 1;

    template <class Op>
    __device__ static place_in_tile<A> place(const A& value, int items, A* shared, const Op& op) {
        const int lanes = lanes_with_value(items);
        const int used = warps_with_value(items);
        const int mine = warp();
        const A inclusive = scan_lanes(value, lanes, op);
        const A total = from_lane(inclusive, warp_lanes - 1);  // the total of a whole warp
        maybe<A> before = {total, false};
        // A warp whose number ends in exactly `step` ones is the last of a left stretch of 2^step
        // warps in that step, and in no other step. So each warp's slot is written once.
#pragma unroll
        for (int step = 0; 1 << step < warps; ++step) {
            const int width = 1 << step;
            const bool ends_left = (mine & (2 * width - 1)) == width - 1;
            if (lane() == 0 && ends_left && mine < used - 1) {
                shared[mine] = combine(before, {total, true}, op).value;
            }
            sync_block();
            if ((mine & width) != 0 && mine < used) {
                before = combine({shared[(mine & -width) - 1], true}, before, op);
            }
        }
        if (mine == used - 1 && lane() == lanes - 1) {
            shared[warps] = combine(before, {inclusive, true}, op).value;
        }
        sync_block();
        const maybe<A> lanes_before = {from_lane_below(inclusive, 1), lane() > 0 && lane() < lanes};
        return {combine(before, lanes_before, op), shared[warps]};
    }

    /// The fold of all values: the last output of the network.
    template <class Op>
    __device__ static A fold(const A& value, int items, A* shared, const Op& op) {
        return place(value, items, shared, op).aggregate;
    }
};

}  // namespace lookback::detail::device
