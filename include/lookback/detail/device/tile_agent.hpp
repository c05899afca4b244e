/// \file
/// Agents say what a block does with a tile of a problem. Here is what the drivers ask of an agent,
/// and what the agents of most problems have in common: a tile publishes one value, by one thread,
/// and learns one value, the fold of everything before it. (Tiles of columns publish a row of
/// values: column_agent.hpp.)
#pragma once

#include <concepts>
#include <cstdint>
#include <utility>

#include "lookback/detail/call.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/tile_status.hpp"

namespace lookback::detail::device {

// What the drivers ask, as concepts. Each is small, because nvcc names the concept that is not
// satisfied, not the member that is missing.

/// What drivers ask of a problem: the number of items; whether bulk copies can move arrays of these
/// types, and whether they can move these. The rest is between the problem and its agent.
template <class P>
concept tiled_problem = requires(const P& problem) {
    { problem.count } -> std::same_as<const item_count&>;
    requires P::can_be_aligned || !P::can_be_aligned;
    { problem.aligned } -> std::convertible_to<bool>;
};

/// What a tile publishes; the fold of what comes before a tile; and what a thread keeps from
/// `reduce` to `emit`.
template <class Agent>
concept agent_types = requires {
    typename Agent::value_type;
    typename Agent::prefix_type;
    typename Agent::memory;
} && tiled_problem<typename Agent::problem_type>;

/// `totals`: the number of values in shared memory that `reduce` uses. `look_parts`: the number of
/// parts of a prefix, which warps may look for separately. `staged_blocks`: the number of blocks of
/// the staged driver that a multiprocessor should hold. `emits`: whether items become results in
/// `emit`, not in `reduce`.
template <class Agent>
concept agent_sizes = requires {
    requires Agent::warps > 0 && Agent::threads == Agent::warps* warp_lanes;
    requires Agent::tile_items > 0 && Agent::stage_bytes > 0;
    requires Agent::totals > 0 && Agent::look_parts > 0 && Agent::staged_blocks > 0;
    requires Agent::emits || !Agent::emits;
};

/// `load` brings the `items` items from item `first` on into the stage.
template <class Agent>
concept agent_loads =
    requires(const Agent& agent, unsigned char* stage, std::uint64_t first, int items, int thread) {
        agent.template load<Agent::threads>(stage, first, items, thread);
    };

/// Stands for a function that a driver passes to an agent.
struct function_of_driver {
    template <class... A>
    __device__ void operator()(const A&...) const;
};

/// All computing threads call `reduce` together. It calls `publish` with the tile's aggregate, as
/// soon as this is known and the tile's items have been read, unless no tile needs the aggregate.
/// In that call, all threads call the agent's own publish(statuses, tile, epoch, aggregate).
template <class Agent>
concept agent_reduces =
    requires(const Agent& agent, unsigned char* stage, std::uint64_t first, int items,
             typename Agent::memory& mine, typename Agent::value_type* totals,
             const function_of_driver& barrier, const function_of_driver& publish) {
        agent.reduce(stage, first, items, mine, totals, barrier, publish);
        &Agent::publish;
    };

/// The state of a look-back warp. (nvcc drops the bodies of an agent's functions from the code for
/// the host, so their result types cannot be deduced.)
template <class Agent>
using look_back_of = decltype(std::declval<const Agent&>().template start_look_back<few_waits>(
    std::declval<const tile_statuses<typename Agent::value_type>&>(), 0U));

/// All lanes of a look-back warp call `before`; lane 0 has the prefix of `tile`, or `part` of it is
/// in the stage. `in_place`: whether results may overwrite the items of other tiles.
template <class Agent>
concept agent_looks_back = requires(const Agent& agent, look_back_of<Agent>& warp,
                                    std::uint32_t tile, unsigned char* stage, std::uint32_t part) {
    agent.before(warp, tile, stage, part);
    { agent.in_place() } -> std::convertible_to<bool>;
};

/// `emit` turns the items in the stage into results, with the threads that have reduced the tile.
template <class Agent>
concept agent_emits =
    requires(const Agent& agent, unsigned char* stage, int items,
             const maybe<typename Agent::prefix_type>& prefix, const typename Agent::memory& mine) {
        requires !Agent::emits || requires { agent.emit(stage, items, prefix, mine); };
    };

/// `store` brings results from the stage to their places, if `emit` has left them there. If there
/// are no tiles at all, one thread calls `emit_nothing`.
template <class Agent>
concept agent_stores =
    requires(const Agent& agent, unsigned char* stage, std::uint64_t first, int items,
             const maybe<typename Agent::prefix_type>& prefix, bool last_tile, int thread) {
        agent.template store<Agent::threads>(stage, first, items, prefix, last_tile, thread);
        agent.emit_nothing();
    };

/// What all drivers ask of an agent. (The pipelined and the small driver ask for more:
/// pipeline_shape.hpp, small.hpp.)
template <class Agent>
concept tile_agent =
    agent_types<Agent> && agent_sizes<Agent> && agent_loads<Agent> && agent_reduces<Agent> &&
    agent_looks_back<Agent> && agent_emits<Agent> && agent_stores<Agent>;

/// What most agents answer.
struct agent_defaults {
    static constexpr bool copies_later = false;
    static constexpr bool loads_one_by_one = false;
    static constexpr std::uint32_t few_tiles = 0;  // there is one way only
    static constexpr look_back_way way_of_few_tiles = few_waits;
    static constexpr look_back_way way_of_many_tiles = few_waits;
    static constexpr std::uint32_t look_parts = 1;
    static constexpr int staged_blocks = 1;
    static constexpr bool tells_of_reads = false;
    static constexpr bool rest_is_behind = false;
    __device__ static constexpr bool in_place() { return false; }
};

/// With `warps_` warps.
template <class Problem, class Prefix, int warps_>
class one_value_agent : public agent_defaults {
 public:
    using problem_type = Problem;
    using value_type = typename Problem::value_type;
    using prefix_type = Prefix;
    using op_type = decltype(Problem::op);
    static constexpr int warps = warps_;
    static constexpr int threads = warps * warp_lanes;
    static constexpr int totals = warps;

    __device__ explicit one_value_agent(const Problem& problem) : problem_(problem) {}

    __device__ void publish(const tile_statuses<value_type>& statuses, std::uint32_t tile,
                            std::uint32_t epoch, const value_type& aggregate) const {
        if (static_cast<unsigned>(thread_in_block()) % threads == 0)
            statuses.publish(tile, epoch, aggregate);
    }

    template <look_back_way way>
    using look_back_type = look_back<value_type, op_type, Prefix, way>;
    template <look_back_way way>
    __device__ look_back_type<way> start_look_back(const tile_statuses<value_type>& statuses,
                                                   std::uint32_t epoch) const {
        return {statuses, epoch, problem_.init.get(), problem_.op};
    }
    template <class LookBack>
    __device__ maybe<Prefix> before(LookBack& fold, std::uint32_t tile, unsigned char* /*stage*/,
                                    std::uint32_t /*part*/) const {
        return fold.before(tile);
    }

 protected:
    const Problem& problem_;
};

}  // namespace lookback::detail::device
