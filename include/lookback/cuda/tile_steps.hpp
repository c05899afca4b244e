/// \file
/// What the steps of most problems have in common: a tile tells the tiles after it one value, which
/// one thread publishes, and learns one value, the fold of all before it. (Columns tell a row of
/// values: column_steps.hpp.)
#pragma once

#include <cstdint>

#include "lookback/cuda/hardware.hpp"
#include "lookback/cuda/look_back.hpp"
#include "lookback/cuda/tile_status.hpp"

namespace lookback::detail::gpu {

/// By `warps_` warps; `folds_early`: whether the look-back folds each batch of tiles when it is
/// there, or all together, later and in less time.
template <class Problem, class Prefix, int warps_, bool folds_early>
class one_value_steps {
 public:
    using problem_type = Problem;
    using value_type = typename Problem::value_type;  ///< what a tile publishes
    using prefix_type = Prefix;                       ///< what comes before a tile
    using op_type = decltype(Problem::op);
    using look_back_type = look_back<value_type, op_type, Prefix, folds_early>;
    static constexpr int warps = warps_;
    static constexpr int threads = warps * warp_lanes;
    /// Values of shared memory that `reduce` works in.
    static constexpr int totals = warps;
    /// Whether many threads call `start_load`, to start copies that land later.
    static constexpr bool copies_later = false;
    /// Parts of what comes before a tile, each for a warp that looks back.
    static constexpr std::uint32_t look_parts = 1;

    __device__ explicit one_value_steps(const Problem& problem) : problem_(problem) {}

    /// The threads that have reduced the tile call it together.
    __device__ void publish(const tile_statuses<value_type>& statuses, std::uint32_t tile,
                            std::uint32_t epoch, const value_type& aggregate) const {
        if (threadIdx.x % threads == 0) statuses.publish(tile, epoch, aggregate);
    }

    /// What a warp that looks back keeps.
    __device__ look_back_type start_look_back(const tile_statuses<value_type>& statuses,
                                              std::uint32_t epoch) const {
        return {statuses, epoch, problem_.init.get(), problem_.op};
    }
    /// What comes before `tile`, in lane 0.
    __device__ maybe<Prefix> before(look_back_type& fold, std::uint32_t tile,
                                    unsigned char* /*stage*/, std::uint32_t /*part*/) const {
        return fold.before(tile);
    }

 protected:
    const Problem& problem_;
};

}  // namespace lookback::detail::gpu
