/// \file
/// The driver that makes summed-area tables walk by walk (table_walks.hpp), on GPUs of compute
/// capability 9.0 and later.
///
/// Blocks stay for the whole launch. Each has a ring of stages, and warps with five roles:
///
///  load    claim walks, and load tiles (table_walker_load.hpp)
///  sum     sum a tile, or find its totals (table_walker_sum.hpp)
///  edge    know what lies to the left of a tile, and tell its totals to the cluster
///          (table_walker_edge.hpp); where a block has an image for itself, keep what lies above
///  look    find what lies above (table_walker_look.hpp)
///  store   add all this up, and store entries (table_walker_store.hpp); or sum a tile's items
///          again, from what lies around it on (table_walker_resum.hpp)
///
/// The order of sums is that of table_order.hpp.
///
/// Summing warps do not wait for other tiles. Edge warps wait for another block only where a part
/// of a row of tiles begins. If they waited for what lies above, a tile's totals would be told one
/// look-back later than the totals of the tile above it, and a launch would take a look-back for
/// each row of tiles.
///
/// It finishes: running clusters claim walks in order, and the blocks of a cluster run together. A
/// tile waits for tiles at the same place in its cluster's walks, for tiles of earlier walks, and
/// for the tiles before it in its block.
///
/// Memory order: each word carries its own value (tile_status.hpp). Within a cluster, barriers give
/// the order. A block does not end before everything that is sent to it has arrived, since it waits
/// for all of it.
///
/// Cost: each item is read once, each entry written once; for each 512 rows, two words a column are
/// written, and up to seventeen read.
///
/// Source: Kasagi, Nakano & Ito 2014; Merrill & Garland 2016.
#pragma once

#include <type_traits>

#include "lookback/detail/device/table_walker_edge.hpp"
#include "lookback/detail/device/table_walker_load.hpp"
#include "lookback/detail/device/table_walker_look.hpp"
#include "lookback/detail/device/table_walker_resum.hpp"
#include "lookback/detail/device/table_walker_role.hpp"
#include "lookback/detail/device/table_walker_store.hpp"
#include "lookback/detail/device/table_walker_sum.hpp"

namespace lookback::detail::device {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

template <class Shape>
__device__ void start_barriers(table_walker_memory<Shape>& shared) {
    for (int s = 0; s < Shape::stages; ++s) {
        shared.loaded[s].init(Shape::load_threads / warp_lanes +
                              (Shape::in_words ? Shape::load_threads : 0));
        shared.claimed[s].init(1);
        shared.told[s].init(1);
        shared.found[s].init(1);
        shared.summed[s].init(Shape::strips);
        shared.edged[s].init(Shape::edge_threads / warp_lanes);
        shared.freed[s].init(Shape::warps_of_team);
    }
    shared.folded.init(Shape::look_turns + Shape::edge_threads / warp_lanes);
    for (phase_barrier& told : shared.claim_told) told.init(1);
    publish_barriers();
}

#endif

template <class Shape>
__global__ __launch_bounds__(Shape::threads) void table_walker_kernel(
    const __grid_constant__ typename Shape::Problem problem,
    const __grid_constant__ table_walks walks, workspace_view<typename Shape::A> workspace) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    auto& shared = *reinterpret_cast<table_walker_memory<Shape>*>(dynamic_shared_memory());
    unsigned char* const ring = dynamic_shared_memory() + sizeof(table_walker_memory<Shape>);
    const int thread = thread_in_block();
    if (thread == 0) start_barriers<Shape>(shared);
    arrive_in_cluster();
    wait_for_previous_kernel();
    wait_for_cluster();
    if (problem.count.get() == 0) return;
    const auto run = [&](auto role, int first) { role.run(thread - first); };
    if (thread < Shape::first_to_look) {
        run(table_walker_load<Shape>(problem, walks, workspace, ring, shared), 0);
    } else if (thread < Shape::first_to_sum) {
        run(table_walker_look<Shape>(problem, walks, workspace, ring, shared),
            Shape::first_to_look);
    } else if (thread < Shape::first_at_edges) {
        run(table_walker_sum<Shape>(problem, walks, workspace, ring, shared), Shape::first_to_sum);
    } else if (thread < Shape::first_to_store) {
        run(table_walker_edge<Shape>(problem, walks, workspace, ring, shared),
            Shape::first_at_edges);
    } else {
        using storing = std::conditional_t<Shape::sums_twice, table_walker_resum<Shape>,
                                           table_walker_store<Shape>>;
        run(storing(problem, walks, workspace, ring, shared), Shape::first_to_store);
    }
#endif
}

}  // namespace lookback::detail::device
