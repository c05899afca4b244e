/// \file
/// Clusters: blocks that begin at once, access each other's shared memory, and have a barrier.
/// Every block is in a cluster, most of them alone.
///
/// Other blocks may access a block's memory only after the block has begun and before it ends. The
/// simulation checks that as an order of accesses: a block's beginning and its end each count as a
/// write to all of its dynamic shared memory, by a separate actor. The block's threads know of its
/// beginning; its end knows what the block's threads know.
#pragma once

#include <memory>

#include "simulator/gpu.hpp"

namespace lookback::trial {

struct cluster_state {
    std::vector<gpu_block*> blocks;  ///< by their number in the cluster; nullptr after their end
    unsigned threads = 0;            ///< threads that have not ended
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
