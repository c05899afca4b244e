/// \file
/// How the threads of a block scan a value each: the three hybrids of Merrill & Garland 2016,
/// figure 2, which put warp scans into another network. Each gives a thread the fold of the threads
/// before it, and the fold of all.
#pragma once

#include "../machine.cuh"
#include "../prefix.cuh"

namespace lookback::strategies {

template <class T>
struct thread_scan {
    prefix<T> before{};
    T total;
};

/// Figure 2a: every warp scans, one warp scans the warps' totals, and every warp takes the total of
/// all warps before it (CUDPP: Sengupta et al. 2008). Two barriers.
template <class T, int threads>
struct warp_scans_in_brent_kung {
    static constexpr int warps = threads / detail::device::warp_lanes;
    static_assert(warps <= detail::device::warp_lanes);
    struct storage {
        T totals[warps];
    };

    template <class Op>
    static __device__ thread_scan<T> scan(storage& s, const T& mine, const Op& op) {
        using namespace detail::device;
        const T inclusive = scan_warp(mine, op);
        const T below = from_lane_below(inclusive, 1);
        if (lane() == warp_lanes - 1) s.totals[warp()] = inclusive;
        sync_block();
        if (warp() == 0) {
            // Lanes without a warp put in a value of their own, on which no other lane depends.
            // They must not read `totals`: behind its end there is other data.
            const T folded = scan_warp(lane() < warps ? s.totals[lane()] : inclusive, op);
            if (lane() < warps) s.totals[lane()] = folded;
        }
        sync_block();
        prefix<T> before{};
        if (warp() > 0) before = {true, s.totals[warp() - 1]};
        return {before.then(prefix<T>{lane() > 0, below}, op), s.totals[warps - 1]};
    }
};

/// Figure 2b: one warp does all the work. Each lane folds the values of threads/32 neighbours, the
/// lanes scan their folds, and each lane goes through its values again ("raking"; MatrixScan:
/// Dotsenko et al. 2008). Two barriers.
template <class T, int threads>
struct raking {
    static constexpr int rake = threads / detail::device::warp_lanes;
    // One place more for each lane, so that the lanes access different banks; with a power of two
    // they would not.
    static constexpr int pitch = rake + 1;
    struct storage {
        T value[detail::device::warp_lanes * pitch];
        __device__ T& of(int thread) { return value[thread / rake * pitch + thread % rake]; }
    };

    template <class Op>
    static __device__ thread_scan<T> scan(storage& s, const T& mine, const Op& op) {
        using namespace detail::device;
        const int t = thread_in_block();
        s.of(t) = mine;
        sync_block();
        if (warp() == 0) {
            T* const values = s.value + lane() * pitch;
            T held[rake];
            held[0] = values[0];
#pragma unroll
            for (int i = 1; i < rake; ++i) held[i] = op(held[i - 1], values[i]);
            const T inclusive = scan_warp(held[rake - 1], op);
            const prefix<T> before{lane() > 0, from_lane_below(inclusive, 1)};
#pragma unroll
            for (int i = 0; i < rake; ++i) values[i] = before.then(held[i], op);
        }
        sync_block();
        prefix<T> before{};
        if (t > 0) before = {true, s.of(t - 1)};
        return {before, s.of(threads - 1)};
    }
};

/// Figure 2c: every warp scans. Then groups of two, four, eight, ... warps are completed: their
/// second half takes the last value of the first half. As many barriers as the number of warps has
/// binary digits.
template <class T, int threads>
struct warp_scans_in_sklansky {
    static constexpr int warps = threads / detail::device::warp_lanes;
    struct storage {
        T last[warps][2];  // of each warp; steps take turns, so that one barrier a step is enough
    };

    template <class Op>
    static __device__ thread_scan<T> scan(storage& s, const T& mine, const Op& op) {
        using namespace detail::device;
        T inclusive = scan_warp(mine, op);
        int turn = 0;
#pragma unroll
        for (int half = 1; half < warps; half *= 2, turn ^= 1) {
            if (lane() == warp_lanes - 1) s.last[warp()][turn] = inclusive;
            sync_block();
            if (warp() & half) inclusive = op(s.last[warp() / half * half - 1][turn], inclusive);
        }
        if (lane() == warp_lanes - 1) s.last[warp()][turn] = inclusive;
        sync_block();
        prefix<T> before{lane() > 0, from_lane_below(inclusive, 1)};
        if (lane() == 0 && warp() > 0) before = {true, s.last[warp() - 1][turn]};
        return {before, s.last[warps - 1][turn]};
    }
};

}  // namespace lookback::strategies
