/// \file
/// How a problem of few items is launched: the tiles of the small driver, and which driver runs
/// them.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/paired_tile.hpp"
#include "lookback/detail/device/small.hpp"
#include "lookback/detail/device/staged.hpp"
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

/// Runs a problem with an agent of small tiles, and returns whether it did: by the small driver, if
/// all of its blocks run at once. `same_tiles`: the tiles are part of a tree, so few items must
/// have them everywhere. Where not all blocks run at once, the staged driver runs them: the bits
/// are the same.
template <class Agent, bool same_tiles>
bool launch_small(gpu& where, const typename Agent::problem_type& problem) {
    const std::uint64_t tiles =
        std::max<std::uint64_t>(1, tiles_for(problem.count.at_most, Agent::tile_items));
    if (tiles > most_small_tiles<Agent> || !access::uses_small(where)) return false;
    constexpr auto kernel = small_kernel<Agent>;
    const auto& known = access::facts<kernel>(where, Agent::threads, 0);
    const std::uint64_t blocks = access::blocks(where, tiles, known);
    const auto workspace = access::region<typename Agent::value_type>(where, tiles);
    const bool together = blocks == tiles && (tiles == 1 || access::starts_together(where));
    if (together && start_together<kernel>(where, known, tiles > 1, blocks, Agent::threads, problem,
                                           workspace)) {
        return true;
    }
    if constexpr (same_tiles) {
        constexpr auto staged = staged_kernel<Agent>;
        const auto& of_staged = access::facts<staged>(where, Agent::threads, 0);
        start<staged>(where, of_staged, access::blocks(where, tiles, of_staged), Agent::threads, 0,
                      problem, workspace);
    }
    return same_tiles;
}

}  // namespace lookback::detail::device
