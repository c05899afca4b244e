/// \file
/// Agents say what a block does with a tile of a problem. Here is what the drivers ask of an agent,
/// and what the agents of most problems have in common: a tile publishes one value, by one thread,
/// and learns one value, the fold of everything before it. (Tiles of columns publish a row of
/// values: column_agent.hpp.)
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/tile_status.hpp"

namespace lookback::detail::device {

/// What the drivers ask of an agent, as a concept, so that the compiler names what is missing. An
/// agent has the member functions of scan_agent.hpp.
template <class Agent>
concept tile_agent = requires {
    typename Agent::problem_type;
    typename Agent::value_type;   // what a tile publishes
    typename Agent::prefix_type;  // the fold of what comes before a tile
    typename Agent::memory;       // what a thread keeps from reduce to store
    requires Agent::warps > 0 && Agent::threads == Agent::warps* warp_lanes;
    requires Agent::tile_items > 0 && Agent::stage_bytes > 0;
    requires Agent::totals > 0 && Agent::look_parts > 0;
    requires Agent::loads_in_bulk || !Agent::loads_in_bulk;
    requires Agent::stores_in_bulk || !Agent::stores_in_bulk;
    requires Agent::copies_later || !Agent::copies_later;
    requires Agent::emits || !Agent::emits;  // results lie in the stage, and storers copy it
    // If results may lie over the items of other tiles, as in_place() says, a separate word tells
    // that a tile has been read (tiles_read.hpp); tiles_under_results() says over which tiles.
    requires Agent::tells_of_reads || !Agent::tells_of_reads;
};

/// With `warps_` warps. `folds_early_`: whether the look-back over many tiles folds each batch as
/// soon as it is complete, or all of them together, later and in less time.
template <class Problem, class Prefix, int warps_, bool folds_early_>
class one_value_agent {
 public:
    using problem_type = Problem;
    using value_type = typename Problem::value_type;  ///< what a tile publishes
    using prefix_type = Prefix;                       ///< the fold of what comes before a tile
    using op_type = decltype(Problem::op);
    static constexpr int warps = warps_;
    static constexpr int threads = warps * warp_lanes;
    static constexpr bool folds_early = folds_early_;
    /// The number of values in shared memory that `reduce` uses.
    static constexpr int totals = warps;
    /// Whether many threads call `start_load`, to start copies that land later.
    static constexpr bool copies_later = false;
    /// The number of parts that a prefix has; each is found by a warp of its own.
    static constexpr std::uint32_t look_parts = 1;
    /// Whether tiles tell that they have been read, because results may overwrite the items of
    /// other tiles.
    static constexpr bool tells_of_reads = false;
    __device__ static constexpr bool in_place() { return false; }

    __device__ explicit one_value_agent(const Problem& problem) : problem_(problem) {}

    /// The threads that have reduced the tile call it together.
    __device__ void publish(const tile_statuses<value_type>& statuses, std::uint32_t tile,
                            std::uint32_t epoch, const value_type& aggregate) const {
        if (static_cast<unsigned>(thread_in_block()) % threads == 0)
            statuses.publish(tile, epoch, aggregate);
    }

    /// The state of a look-back warp.
    template <folding way, rereading again = rereading::two_batches>
    __device__ look_back<value_type, op_type, Prefix, way, again> start_look_back(
        const tile_statuses<value_type>& statuses, std::uint32_t epoch) const {
        return {statuses, epoch, problem_.init.get(), problem_.op};
    }
    /// The fold of what comes before `tile`; lane 0 has it.
    template <class LookBack>
    __device__ maybe<Prefix> before(LookBack& fold, std::uint32_t tile, unsigned char* /*stage*/,
                                    std::uint32_t /*part*/) const {
        return fold.before(tile);
    }

 protected:
    const Problem& problem_;
};

}  // namespace lookback::detail::device
