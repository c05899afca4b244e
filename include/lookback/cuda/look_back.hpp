/// \file
/// The look-back on the GPU: warps fold the aggregates of all earlier tiles, 32 at a time.
///
/// The protocol is that of core/look_back.hpp with state P left out: tiles publish aggregates only,
/// and each block folds them forward itself, from where its last tile ended. 32 tiles, from a
/// multiple of 32 on, are a batch, which a warp folds by one tree, neighbours first; batches are
/// folded from left to right, and then the rest, by the same tree. So the bits depend on nothing
/// but the tile's number: not on timing, nor on which block has which tile; and there is no chain
/// of prefixes along which every tile waits for the one before. (The paper's section 4.4 looks back
/// by a warp as well, but stops at the first prefix it meets, wherever that is.)
///
/// It finishes where tiles are claimed in order: a tile waits for earlier ones only, each held by a
/// block that runs.
///
/// Cost: each block reads every status word once: with b blocks and t tiles, b·t words, from L2.
#pragma once

#include <cstdint>

#include "lookback/cuda/hardware.hpp"
#include "lookback/cuda/tile_status.hpp"

namespace lookback::detail::gpu {

/// A value that may be missing: the fold of nothing.
template <class A>
struct maybe {
    A value;
    bool some;
};

template <class A, class Op>
__device__ maybe<A> combine(const maybe<A>& left, const maybe<A>& right, const Op& op) {
    if (!left.some) return right;
    if (!right.some) return left;
    return {static_cast<A>(op(left.value, right.value)), true};
}

/// The fold of everything before, and one aggregate more. A prefix may be wider than what a tile
/// publishes: counts of a tile fit in 32 bits, those of an array need not.
template <class Prefix, class A, class Op>
__device__ maybe<Prefix> append(const maybe<Prefix>& before, const A& aggregate, const Op& op) {
    if (!before.some) return {static_cast<Prefix>(aggregate), true};
    return {static_cast<Prefix>(op(before.value, aggregate)), true};
}

/// The folds of `batches` values of each lane, of the first `lanes` lanes or of all 32, in lane 0:
/// neighbours first. Several trees side by side hide each other's latency.
template <int batches, class A, class Op>
__device__ void fold_lanes(A (&value)[batches], std::uint32_t lanes, const Op& op) {
    if constexpr (requires { op.fold_warp(value[0]); }) {
#pragma unroll
        for (A& v : value) v = op.fold_warp(static_cast<std::uint32_t>(lane()) < lanes ? v : A{});
    } else {
#pragma unroll
        for (int distance = 1; distance < warp_lanes; distance *= 2) {
            const int other = lane() + distance;
            const bool both = other < warp_lanes && static_cast<std::uint32_t>(other) < lanes;
#pragma unroll
            for (A& v : value) {
                const A above = from_lane_above(v, distance);
                if (both) v = static_cast<A>(op(v, above));
            }
        }
    }
}
template <class A, class Op>
__device__ A fold_lanes(const A& value, std::uint32_t lanes, const Op& op) {
    A one[1] = {value};
    fold_lanes(one, lanes, op);
    return one[0];
}

/// The look-back of one block, by one warp: all its threads call it together.
template <class A, class Op, class Prefix = A>
class look_back {
    // Batches whose words are read together: of wide values, fewer fit in the registers.
    static constexpr int at_once = sizeof(A) <= 8 ? 8 : sizeof(A) <= 16 ? 4 : 1;
    static constexpr int together = at_once > 1 ? 2 : 1;  // folded

 public:
    __device__ look_back(const tile_statuses<A>& statuses, std::uint32_t epoch,
                         const maybe<Prefix>& init, const Op& op)
        : statuses_(statuses), epoch_(epoch), op_(op), batches_(init) {}

    /// The fold of `init` and of all tiles before `tile`, in lane 0. Tiles are asked for in growing
    /// order.
    __device__ maybe<Prefix> before(std::uint32_t tile) {
        for (;;) {
            const std::uint32_t first = folded_;
            const std::uint32_t tiles = tile - first;
            A aggregate[at_once];
            bool ready[at_once];
#pragma unroll
            for (int b = 0; b < at_once; ++b) {
                const std::uint32_t mine = b * warp_lanes + static_cast<std::uint32_t>(lane());
                ready[b] = mine >= tiles || statuses_.read(first + mine, epoch_, aggregate[b]);
            }
            const auto wait_for = [&](int b) {
                const std::uint32_t mine = b * warp_lanes + static_cast<std::uint32_t>(lane());
                while (!in_all_lanes(ready[b])) {
                    if (!ready[b]) ready[b] = statuses_.read(first + mine, epoch_, aggregate[b]);
                }
                return aggregate[b];
            };
            // Batches are folded as soon as they are there, two at a time: what comes last is
            // waited for with the least left to do.
#pragma unroll
            for (int b = 0; b < at_once; b += together) {
                if (tiles >= (b + together) * warp_lanes) {
                    A fold[together];
#pragma unroll
                    for (int i = 0; i < together; ++i) fold[i] = wait_for(b + i);
                    fold_lanes(fold, warp_lanes, op_);
#pragma unroll
                    for (int i = 0; i < together; ++i) {
                        if (lane() == 0) batches_ = append(batches_, fold[i], op_);
                    }
                    folded_ += together * warp_lanes;
                } else {
#pragma unroll
                    for (int i = 0; i < together; ++i) {
                        if (tiles <= (b + i) * warp_lanes) return batches_;
                        const std::uint32_t left = tiles - (b + i) * warp_lanes;
                        const A fold = fold_lanes(wait_for(b + i), left, op_);
                        maybe<Prefix> all = batches_;
                        if (lane() == 0) all = append(batches_, fold, op_);
                        if (left < warp_lanes) return all;
                        batches_ = all;
                        folded_ += warp_lanes;
                    }
                }
            }
        }
    }

 private:
    tile_statuses<A> statuses_;
    std::uint32_t epoch_;
    const Op& op_;
    maybe<Prefix> batches_;     // in lane 0: the fold of init and of all tiles before folded_
    std::uint32_t folded_ = 0;  // a multiple of 32
};

}  // namespace lookback::detail::gpu
