/// \file
/// The look-back warps of the pipelined driver (pipelined.hpp): they find the prefix of each tile
/// of their block, so that the other warps need not wait for earlier tiles.
///
/// The warps take turns: of n warps, warp 0 finds the prefixes of the block's tiles 0, n, 2n, ...,
/// warp 1 those of the tiles 1, n + 1, ... Where a prefix has parts (`Agent::look_parts`), as many
/// warps share each turn, one for each part. Warp 0 also ends the block's work: it waits until the
/// whole block has folded its tiles, and then finishes the workspace.
///
/// Cost: that of the look-backs (look_back.hpp). No item is read or written.
#pragma once

#include <cstdint>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/pipeline_ring.hpp"
#include "lookback/detail/device/tile_status.hpp"
#include "lookback/detail/device/tiles_read.hpp"
#include "lookback/detail/device/workspace.hpp"

namespace lookback::detail::device {

/// `Pipeline`: the driver's shape (pipeline_shape.hpp). `ring`: the block's stages. `tiles`: the
/// number of tiles of the whole array.
template <class Pipeline>
class pipeline_look_back {
    using Agent = typename Pipeline::Agent;
    using A = typename Agent::value_type;
    using Prefix = typename Agent::prefix_type;
    using state_type = pipeline_state<Pipeline>;

 public:
    __device__ pipeline_look_back(Agent& agent, const workspace_view<A>& workspace,
                                  unsigned char* ring, state_type& state, std::uint32_t tiles)
        : agent_(agent), workspace_(workspace), ring_(ring), state_(state), tiles_(tiles) {}

    /// 4. What look-back warp number `look_back_warp` does. Every thread of the warp calls it once.
    __device__ void run(std::uint32_t look_back_warp) {
        const std::uint32_t look_back_warps =
            agent_.in_place() ? Pipeline::look_back_warps_in_place : Pipeline::look_back_warps;
        if (Pipeline::look_back_warps_in_place != Pipeline::look_back_warps &&
            look_back_warp >= look_back_warps) {
            state_.folded.arrive();
            return;
        }
        if (look_back_warp == 0 && lane() == 0) workspace_.enter();
        const std::uint32_t part = look_back_warp % Agent::look_parts;
        const std::uint32_t first = look_back_warp / Agent::look_parts;
        // Then the epoch is known, and the stage has a tile or an end.
        state_.loaded[state_type::stage(first)].wait(0);
        const std::uint32_t epoch = state_.epoch;
        const std::uint32_t turns = look_back_warps / Agent::look_parts;
        bool few = true;
        if constexpr (Agent::way_of_few_tiles != Agent::way_of_many_tiles) {
            few = tiles_ <= Agent::few_tiles;
            if (!few) find_prefixes<Agent::way_of_many_tiles>(part, first, turns, epoch);
        }
        if (few) find_prefixes<Agent::way_of_few_tiles>(part, first, turns, epoch);
        state_.folded.arrive();
        if (look_back_warp != 0) return;
        state_.folded.wait(0);
        if (tiles_ == 0 && block_in_grid() == 0 && lane() == 0) agent_.emit_nothing();
        workspace_.finish(epoch);
        if (lane() == 0) workspace_.leave();
    }

 private:
    // One part of the prefixes of this block's tiles first, first + turns, ...
    template <look_back_way way>
    __device__ void find_prefixes(std::uint32_t part, std::uint32_t first, std::uint32_t turns,
                                  std::uint32_t epoch) {
        auto fold = agent_.template start_look_back<way>(workspace_.statuses(), epoch);
        tiles_read<A> others(workspace_.statuses(), epoch, tiles_);
        for (std::uint32_t k = first;; k += turns) {
            state_.template wait_until_loaded<(Pipeline::look_back_turns > 1)>(k);
            const int stage = state_type::stage(k);
            const std::uint32_t tile = state_.tile[stage];
            if (tile == state_type::none) break;
            unsigned char* const items = ring_ + stage * Agent::stage_bytes;
            const maybe<Prefix> prefix = agent_.before(fold, tile, items, part);
            if constexpr (Agent::tells_of_reads) {
                if (tells_by_words(agent_)) {
                    others.wait_for(from_lane(agent_.tiles_under_results(prefix, tile), 0));
                }
            }
            if (agent_.in_place() && !tells_by_words(agent_)) {
                fence();  // pairs with the fence before each publication
            }
            if (lane() == 0 && part == 0) state_.prefix[stage] = prefix;
            state_.prefixed[stage].arrive();
        }
    }

    Agent& agent_;
    const workspace_view<A>& workspace_;
    unsigned char* ring_;
    state_type& state_;
    std::uint32_t tiles_;
};

}  // namespace lookback::detail::device
