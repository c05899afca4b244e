/// \file
/// Clusters: blocks that begin at once, come to each other's shared memory, and have a barrier.
/// Every block is in one, most alone.
///
/// That a block has begun before others come to its memory, and ends after, is no more than an
/// order of accesses: its beginning and its end each count as a write of all that the launch has
/// asked for, by an actor of their own. Its own threads know of its beginning; its end knows what
/// its threads know.
#pragma once

#include <memory>

#include "simulator/gpu.hpp"

namespace lookback::trial {

struct cluster_state {
    std::vector<gpu_block*> blocks;  ///< by their number in it; nullptr when they have ended
    unsigned threads = 0;            ///< that have not ended
    unsigned missing = 0;            ///< those of them that have not arrived in this phase
    std::uint64_t phase = 0;
    std::vector<stamp> known;
    clock_ptr phase_known;  ///< of the last complete phase
    std::vector<gpu_thread*> waiting;
};

std::shared_ptr<cluster_state> new_cluster(const launch& l);
void enter_cluster(gpu_block& b);
void end_in_cluster(const gpu_thread& t);
void leave_cluster(gpu_block& b);

}  // namespace lookback::trial
