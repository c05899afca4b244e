/// \file
/// Scans and reductions of a warp, for use in your own kernels: one value for each lane, in
/// registers.
///
///     const int place = lookback::warp::exclusive_scan(length, first, lookback::plus{});
///
/// All 32 lanes call together, in a one-dimensional block of whole warps. The operator is any
/// associative function of two values, commutative or not. It is applied in order, and only to the
/// values of the first `lanes` lanes. Values are trivially copyable; no shared memory is used. The
/// grouping of the values depends on `lanes` and the direction alone.
///
/// Cost: five steps. In each step every lane makes one shuffle for each 4 bytes of a value, and
/// applies the operator once. (Kogge-Stone; Merrill & Garland 2016, section 3.1, explains why it
/// suits warps.) For flags and for numbers of a few bits, see binary.hpp.
#pragma once

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback {

/// The direction of a scan: forward from the first lane or thread, or backward from the last one.
/// The operator's left operand is what comes first in that direction, as in a scan by reverse
/// iterators.
enum class direction { forward, backward };

namespace warp {

inline constexpr int lanes_of_warp = detail::device::warp_lanes;

/// The fold of the values up to and including this lane's. Lanes after the first `lanes` get their
/// own value.
template <direction way = direction::forward, class A, class Op>
__device__ A inclusive_scan(const A& value, const Op& op, int lanes = lanes_of_warp) {
    return detail::device::scan_lanes<lanes_of_warp, way == direction::backward>(value, lanes, op);
}

/// The fold of `init` and the values before this lane's. Lanes after the first `lanes` get no
/// useful value. Costs one more shuffle and one more application of the operator.
template <direction way = direction::forward, class A, class Op>
__device__ A exclusive_scan(const A& value, const A& init, const Op& op,
                            int lanes = lanes_of_warp) {
    using namespace detail::device;
    constexpr bool backward = way == direction::backward;
    const A inclusive = scan_lanes<lanes_of_warp, backward>(value, lanes, op);
    const A before = backward ? from_lane_above(inclusive, 1) : from_lane_below(inclusive, 1);
    const bool some = backward ? lane() + 1 < lanes : lane() > 0 && lane() < lanes;
    return some ? static_cast<A>(op(init, before)) : init;
}

/// The fold of the values of the first `lanes` > 0 lanes, neighbours first; every lane gets it.
template <class A, class Op>
__device__ A reduce(const A& value, const Op& op, int lanes = lanes_of_warp) {
    using namespace detail::device;
    return from_lane(fold_lanes(value, static_cast<std::uint32_t>(lanes), op), 0);
}

}  // namespace warp
}  // namespace lookback
