/// \file
/// How a problem of few items is launched: the tiles of the small driver, and whether all of its
/// blocks run at once.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/paired_tile.hpp"
#include "lookback/detail/device/small.hpp"
#include "lookback/gpu.hpp"

namespace lookback::detail::device {

/// 12 warps, or as many as fit in a block without dynamic shared memory. With more than 12, threads
/// would spill registers where two blocks share a multiprocessor.
template <class T, class Paired>
inline constexpr int small_warps = [] {
    constexpr int bytes_of_warp = warp_lanes * paired_chunk_items<T, Paired, small_chunk_bytes> *
                                  (staged_size<T> + staged_size<Paired>);
    return std::clamp(45 * 1024 / bytes_of_warp, 1, 12);
}();

/// The most tiles of the small driver: as many blocks as the multiprocessors of a Hopper run at
/// once. It depends on the type alone, because tiles are part of the tree of a fold.
template <class Agent>
inline constexpr std::uint64_t most_small_tiles = 128 * small_blocks<Agent>;

/// Runs a problem with an agent of small tiles, and returns whether it did. `same_tiles`: the small
/// driver must run whenever there are few items, because its tiles are part of a tree. Otherwise it
/// runs only if all blocks run at once.
template <class Agent, bool same_tiles>
bool launch_small(gpu& where, const typename Agent::problem_type& problem) {
    const std::uint64_t tiles =
        std::max<std::uint64_t>(1, tiles_for(problem.count.at_most, Agent::tile_items));
    if (tiles > most_small_tiles<Agent> || !access::uses_small(where)) return false;
    constexpr auto kernel = small_kernel<Agent, same_tiles>;
    const auto& known = access::facts<kernel>(where, Agent::threads, 0);
    const std::uint64_t blocks = access::blocks(where, tiles, known);
    const bool together = blocks == tiles && (tiles == 1 || access::starts_together(where));
    if (!together && !same_tiles) return false;
    const auto workspace = access::region<typename Agent::value_type>(where, tiles);
    const auto try_to_start = [&](bool at_once) {
        return start_together<kernel>(where, known, at_once && tiles > 1, blocks, Agent::threads,
                                      problem, workspace, at_once);
    };
    return try_to_start(together) || (same_tiles && try_to_start(false));
}

}  // namespace lookback::detail::device
