/// \file
/// Folds that may be empty: operators need no identity, so the fold of nothing has no value.
#pragma once

#include "lookback/detail/device/hardware.hpp"

namespace lookback::strategies {

/// The fold of what lies before something, if anything does.
template <class T>
struct prefix {
    bool exists;
    T value;

    template <class Op>
    __device__ T then(const T& x, const Op& op) const {
        return exists ? static_cast<T>(op(value, x)) : x;
    }
    /// The fold of this and of what follows it.
    template <class Op>
    __device__ prefix then(const prefix& next, const Op& op) const {
        return next.exists ? prefix{true, then(next.value, op)} : *this;
    }
};

/// A warp's inclusive scan by Kogge & Stone's network, with shuffles ("warpscan", Merrill & Garland
/// 2016, section 2): 5 operators a lane, no barrier.
template <class T, class Op>
__device__ T scan_warp(T x, const Op& op) {
    using namespace detail::device;
#pragma unroll
    for (int distance = 1; distance < warp_lanes; distance *= 2) {
        const T before = from_lane_below(x, distance);
        if (lane() >= distance) x = op(before, x);
    }
    return x;
}

/// The fold of a warp's values in the order of its lanes; lane 0 gets it.
template <class T, class Op>
__device__ T fold_warp(T x, const Op& op) {
    using namespace detail::device;
#pragma unroll
    for (int distance = 1; distance < warp_lanes; distance *= 2) {
        const T after = from_lane_above(x, distance);
        if (lane() + distance < warp_lanes) x = op(x, after);
    }
    return x;
}

}  // namespace lookback::strategies
