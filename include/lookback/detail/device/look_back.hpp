/// \file
/// The look-back on the GPU: warps fold the aggregates of all earlier tiles, 32 at a time.
///
/// The protocol is that of detail/cpu/look_back.hpp without state P: tiles publish aggregates only.
/// Each block folds all aggregates itself, forward, and continues from the place that its last tile
/// reached. A batch is 32 consecutive tiles, counted from the tile at which folds begin (the first
/// one, except in scans of rows); a warp folds it by one tree, neighbours first. Batches are folded
/// from left to right. The remaining tiles are folded last, by the same tree. So the bits depend on
/// the numbers of the tiles only: not on timing, and not on which block has which tile. There is
/// also no chain of prefixes along which every tile waits for the tile before it. (The paper's
/// section 4.4 looks back by a warp as well, but stops at the first prefix that it meets, wherever
/// that is.)
///
/// It finishes where tiles are claimed in order: a tile waits for earlier tiles only, and each of
/// those is held by a running block.
///
/// Cost: each block reads every status word once, or twice where two warps take turns: with b
/// blocks and t tiles, b·t or 2·b·t words, from L2; and some of them again while it waits.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/tile_status.hpp"

namespace lookback::detail::device {

/// A value that may be missing, as the fold of no items is.
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

/// The fold of `before`, which may be missing, and one more aggregate. A prefix may be wider than
/// the aggregates: the counts of a tile fit in 32 bits, but the counts of an array may not.
template <class Prefix, class A, class Op>
__device__ maybe<Prefix> append(const maybe<Prefix>& before, const A& aggregate, const Op& op) {
    if (!before.some) return {static_cast<Prefix>(aggregate), true};
    return {static_cast<Prefix>(op(before.value, aggregate)), true};
}

/// The fold of the values of the first `lanes` lanes, or of all 32 if `lanes` is larger. Lane 0 has
/// the result. Neighbours are folded first.
template <class A, class Op>
__device__ A fold_lanes(A value, std::uint32_t lanes, const Op& op) {
#pragma unroll
    for (int distance = 1; distance < warp_lanes; distance *= 2) {
        const A above = from_lane_above(value, distance);
        const int other = lane() + distance;
        if (other < warp_lanes && static_cast<std::uint32_t>(other) < lanes) {
            value = static_cast<A>(op(value, above));
        }
    }
    return value;
}

/// The same for several batches at once. value[b] belongs to batch b; in that batch the first
/// `lanes` - b · 32 lanes hold values. Lane b has the fold of batch b. While a lane has two values,
/// neighbours share the work: one of them folds the first of the two batches, the other the second.
template <int distance, int batches, class A, class Op>
__device__ A fold_batches(const A (&value)[batches], std::int32_t lanes, const Op& op) {
    const bool high = (lane() & distance) != 0;
    // The first lane of the higher of the two stretches that are folded here.
    const int upper = (lane() & -distance & ~distance) + distance;
    if constexpr (distance == warp_lanes) {
        return value[0];
    } else {
        constexpr bool shared = batches > 1;
        A next[shared ? batches / 2 : 1];
#pragma unroll
        for (int b = 0; b < batches; b += 2) {
            const A mine = shared && high ? A(value[b + 1]) : A(value[b]);
            const A given = shared && !high ? A(value[b + 1]) : A(value[b]);
            const A got = from_lane_across(given, distance);
            const int of_mine = lanes - (shared ? b + (high ? 1 : 0) : 0) * distance * warp_lanes;
            A fold = high ? A(got) : A(mine);
            if (upper < of_mine) fold = static_cast<A>(op(fold, high ? A(mine) : A(got)));
            next[b / 2] = fold;
        }
        const int next_lanes = lanes - (shared && high ? distance * warp_lanes : 0);
        return fold_batches<2 * distance>(next, next_lanes, op);
    }
}

/// Which words a look-back reads again while it waits.
enum class rereading {
    of_a_batch,  ///< the missing ones of one batch, then those of the next: the fewest reads
    of_all       ///< the missing ones of all batches: the fewest waits
};

/// How a look-back reads. The bits are the same.
struct look_back_way {
    int batches;  ///< the most batches that are read, and folded, together
    rereading again;
    bool operator==(const look_back_way&) const = default;
};

/// The least time for one look-back over many tiles.
inline constexpr look_back_way few_waits = {8, rereading::of_all};

/// The look-back of one warp, for its block or in turns with another warp. All lanes call its
/// functions together. `Held`: how the operator is stored; by reference where the operator outlives
/// this object.
template <class A, class Op, class Prefix, look_back_way way, class Held = const Op&>
class look_back {
    // Of wide values, fewer batches fit in the registers.
    static constexpr int most_batches = sizeof(A) <= 8 ? 8 : sizeof(A) <= 16 ? 4 : 1;
    static constexpr int at_once = way.batches < most_batches ? way.batches : most_batches;
    static_assert((at_once & (at_once - 1)) == 0, "fold_batches folds them in pairs");

 public:
    __device__ look_back(const tile_statuses<A>& statuses, std::uint32_t epoch,
                         const maybe<Prefix>& init, const Op& op)
        : statuses_(statuses), epoch_(epoch), op_(op), batches_(init) {}

    /// From now on, folds begin at tile `first`, without an initial value.
    __device__ void begin_at(std::uint32_t first) {
        batches_ = {Prefix{}, false};
        folded_ = first;
    }

    /// The fold of `init` and of all tiles before `tile`, or of those from the tile of begin_at on.
    /// Lane 0 has it. Calls must ask for tiles in increasing order.
    __device__ maybe<Prefix> before(std::uint32_t tile) {
        for (;;) {
            const std::uint32_t first = folded_;
            const std::uint32_t tiles = tile - first;
            A aggregate[at_once] = {};
            bool ready[at_once];
            const auto mine_of = [](int b) {
                return static_cast<std::uint32_t>(b * warp_lanes + lane());
            };
#pragma unroll
            for (int b = 0; b < at_once; ++b) {
                const std::uint32_t mine = mine_of(b);
                ready[b] = mine >= tiles || statuses_.read(first + mine, epoch_, aggregate[b]);
            }
            // A word of this epoch does not change any more, so it may be read again.
            if constexpr (way.again == rereading::of_all) {
                const auto all_ready = [&] {
                    bool all = true;
#pragma unroll
                    for (int b = 0; b < at_once; ++b) all = all && ready[b];
                    return in_all_lanes(all);
                };
                while (!all_ready()) {
#pragma unroll
                    for (int b = 0; b < at_once; ++b) {
                        statuses_.read_missing(first + mine_of(b), epoch_, aggregate[b], ready[b]);
                    }
                }
            } else {
#pragma unroll
                for (int b = 0; b < at_once; ++b) {
                    while (!in_all_lanes(ready[b])) {
                        if (!ready[b]) {
                            ready[b] = statuses_.read(first + mine_of(b), epoch_, aggregate[b]);
                        }
                    }
                }
            }
            constexpr std::uint32_t most = at_once * warp_lanes;
            A folds{};
            // (A single batch is often empty. To skip several costs more than it saves.)
            if constexpr (at_once == 1) {
                if (tiles > 0) folds = fold_lanes(aggregate[0], tiles, op_);
            } else {
                folds = fold_batches<1>(
                    aggregate, static_cast<std::int32_t>(tiles < most ? tiles : most), op_);
            }
#pragma unroll
            for (int b = 0; b < at_once; ++b) {
                const auto first_of_batch = static_cast<std::uint32_t>(b * warp_lanes);
                if (tiles <= first_of_batch) return batches_;
                const maybe<Prefix> all = append(batches_, from_lane(folds, b), op_);
                if (tiles - first_of_batch < warp_lanes) return all;
                batches_ = all;
                folded_ += warp_lanes;
            }
        }
    }

 private:
    tile_statuses<A> statuses_;
    std::uint32_t epoch_;
    Held op_;
    maybe<Prefix> batches_;     // lane 0: the fold of init and of all tiles before folded_
    std::uint32_t folded_ = 0;  // a multiple of 32 behind the tile at which folds begin
};

}  // namespace lookback::detail::device
