/// \file
/// Three ways to scan a value of each thread of a block, after Merrill & Garland 2016, figure 2. A
/// network turns the threads' values into their places: the fold of the values before, and of all.
///
/// `items` is the number of the first threads that hold a value; the operator meets no other.
/// `shared` has `slots` places for values; between two uses of it stands a barrier of the block.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

/// Of this warp's lanes, and of the block's warps, those that hold a value.
__device__ inline int lanes_with_value(int items) {
    return lanes_in_use(items - warp() * warp_lanes, 1);
}
__device__ inline int warps_with_value(int items) { return (items + warp_lanes - 1) / warp_lanes; }

/// (a) Each warp scans its values; then the totals of all warps are scanned, by every warp for
/// itself, so that no warp waits for their scan: one barrier, and more shuffles than if one did.
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

/// (b) "Raking": one warp does it all, each of its lanes along a stretch of the values, in shared
/// memory, which it reduces, and scans once the lanes before are known. The fewest applications of
/// the operator; two barriers, between which the other warps wait.
template <class A, int warps>
class raking_network {
    // From one lane's stretch to the next: odd, so that lanes meet in no bank.
    static constexpr int stride = warps | 1;
    static constexpr int at_once = sizeof(A) <= 8 ? 16 : 2;  // steps that are unrolled

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

/// (c) Sklansky: each warp scans its values; then stretches of 1, 2, 4, ... warps are joined in
/// pairs: the total of the left one goes to each warp of the right one. As many barriers as the
/// number of warps has binary digits, of little work each.
template <class A, int warps>
struct sklansky_network {
    static constexpr int slots = warps + 1;

    template <class Op>
    __device__ static place_in_tile<A> place(const A& value, int items, A* shared, const Op& op) {
        const int lanes = lanes_with_value(items);
        const int used = warps_with_value(items);
        const int mine = warp();
        const A inclusive = scan_lanes(value, lanes, op);
        const A total = from_lane(inclusive, warp_lanes - 1);  // of a whole warp
        maybe<A> before = {total, false};
        // A warp whose number ends in exactly `step` ones is the last of a left stretch of 2^step
        // warps in that step, and in no other: each warp's slot is written once.
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

    /// The last output of the network.
    template <class Op>
    __device__ static A fold(const A& value, int items, A* shared, const Op& op) {
        return place(value, items, shared, op).aggregate;
    }
};

}  // namespace lookback::detail::device
