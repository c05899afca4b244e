/// \file
/// The driver that makes summed-area tables walk by walk (table_walks.hpp), on GPUs of compute
/// capability 9.0 and later.
///
/// Blocks stay for the whole launch, with a ring of stages and warps with roles. Some claim walks
/// and load tiles (table_walker_load.hpp). Some sum a tile, and know what lies to the left of it
/// (table_walker_sum.hpp). Some look for what lies above (table_walker_look.hpp): others publish it
/// (walk_words), or, where a block has an image for itself, those who sum keep it. Some add all
/// this up and store. The order of sums is that of table_order.hpp.
///
/// Those who sum wait for no other block but where a part of a row of tiles begins. If they waited
/// for what lies above, a tile's totals would be told a look-back later than those of the tile
/// above it, and a launch would take a look-back for each row of tiles.
///
/// It finishes: walks are claimed in order by blocks that run, and a tile waits for tiles of
/// earlier walks, and for those before it in its block.
///
/// Memory order: each word carries its own value (tile_status.hpp). Within a block, barriers.
///
/// Cost: each item is read once, each entry written once; a word a column for each 64 rows is
/// written, five are read.
///
/// Source: Kasagi, Nakano & Ito 2014; Merrill & Garland 2016.
#pragma once

#include <cstdint>

#include "lookback/detail/device/table_walker_load.hpp"
#include "lookback/detail/device/table_walker_look.hpp"
#include "lookback/detail/device/table_walker_role.hpp"
#include "lookback/detail/device/table_walker_sum.hpp"

namespace lookback::detail::device {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

template <class Shape>
class table_walker_store : table_walker_role<Shape> {
    using role = table_walker_role<Shape>;
    using typename role::A;
    using typename role::Above;
    using typename role::edge_of_tile;
    using typename role::entries;
    using typename role::Problem;
    using typename role::row_of_lanes;
    static constexpr int of_lane = row_of_lanes::of_lane;
    static constexpr int store_warps = Shape::store_threads / warp_lanes;
    using role::arrive;
    using role::lanes;
    using role::own_table;
    using role::plus;
    using role::problem_;
    using role::shared_;
    using role::stages;
    using role::walks_;

 public:
    using role::role;

    __device__ void run(int thread) const {
        for (std::uint32_t k = 0;; ++k) {
            shared_.loaded[k % stages].wait(k / stages);
            const table_tile here = shared_.tile[k % stages].at;
            if (here.rows == 0) break;
            shared_.summed[k % stages].wait(k / stages);
            if (walks_.whole == 0) shared_.found[k % stages].wait(k / stages);
            store(here, thread / warp_lanes, own_table(k) + lane() % lanes,
                  shared_.edges[k % stages]);
            arrive(shared_.freed[k % stages]);
        }
    }

 private:
    // Every fourth row, or so.
    __device__ void store(const table_tile& here, int first, const entries* own,
                          const edge_of_tile& edge) const {
        const bool has_fold = here.down % table_batch > 0;
        const bool has_top = here.down >= table_batch || !is_absent<Above>;
        entries fold{}, top{};
        if (has_fold) fold = reinterpret_cast<const entries*>(edge.folds)[lane() % lanes];
        if (has_top) top = reinterpret_cast<const entries*>(edge.tops)[lane() % lanes];
        const A upper_half = edge.sums[0];
        // Integers may be added in any order: what is the same for all rows first.
        constexpr bool in_any_order = adds_exactly<A>;
        const entries over = has_fold && has_top ? row_of_lanes::added(top, fold)
                             : has_fold          ? fold
                                                 : top;
        const auto put = [&](int row) {
            entries entry = own[row * lanes];
            A left{};
            if (here.across > 0) {
                left = edge.before[row];
                if (row >= warp_lanes) left = plus(upper_half, left);
            }
            if constexpr (in_any_order) {
#pragma unroll
                for (int c = 0; c < of_lane; ++c) {
                    entry.entry[c] = plus(plus(entry.entry[c], over.entry[c]), left);
                }
            } else {
                if (here.across > 0) {
#pragma unroll
                    for (int c = 0; c < of_lane; ++c) entry.entry[c] = plus(entry.entry[c], left);
                }
                if (has_fold) entry = row_of_lanes::added(fold, entry);
                if (has_top) entry = row_of_lanes::added(top, entry);
            }
            store_row(here, row, entry, shared_.spare[first]);
        };
        if (here.rows == table_rows_of_tile) {
#pragma unroll 8
            for (int i = 0; i < table_rows_of_tile; i += store_warps) put(i + first);
        } else {
            for (int row = first; row < here.rows; row += store_warps) put(row);
        }
    }
    // `spare`: of this warp.
    __device__ void store_row(const table_tile& here, int row, const entries& entry,
                              entries (&spare)[warp_lanes]) const {
        const std::uint64_t at = here.out + static_cast<unsigned>(row) * problem_.tiles.out_pitch;
        if constexpr (Problem::writes_vectors) {
            if (problem_.aligned_vectors) {
                vector16<A> vector;
#pragma unroll
                for (int c = 0; c < of_lane; ++c) vector.item[c] = entry.entry[c];
                if (lane() * of_lane < here.columns) {
                    store_global_vector16(problem_.out + at + lane() * of_lane, vector);
                }
                return;
            }
        }
        spare[lane()] = entry;
        sync_warp();
        const A* const of_row = reinterpret_cast<const A*>(spare);
#pragma unroll
        for (int c = 0; c < of_lane; ++c) {
            const int column = c * lanes + lane();
            if (lane() < lanes && column < here.columns) {
                problem_.store(at + static_cast<unsigned>(column), of_row[column]);
            }
        }
        sync_warp();
    }
};

template <class Shape>
__device__ void start_barriers(table_walker_memory<Shape>& shared) {
    for (int s = 0; s < Shape::stages; ++s) {
        shared.loaded[s].init(Shape::load_threads / warp_lanes +
                              (Shape::in_words ? Shape::load_threads : 0));
        shared.claimed[s].init(1);
        shared.found[s].init(Shape::look_threads / Shape::look_turns / warp_lanes);
        shared.summed[s].init(Shape::groups);
        shared.freed[s].init(Shape::store_threads / warp_lanes);
    }
    shared.folded.init(Shape::look_threads / warp_lanes + Shape::groups);
    publish_barriers();
}

#endif

template <class Shape>
__global__ __launch_bounds__(Shape::threads) void table_walker_kernel(
    const __grid_constant__ typename Shape::Problem problem,
    const __grid_constant__ table_walks walks, workspace_view<typename Shape::A> workspace) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    auto& shared = shared_memory<table_walker_memory<Shape>>();
    unsigned char* const ring = dynamic_shared_memory();
    const int thread = thread_in_block();
    if (thread == 0) start_barriers<Shape>(shared);
    wait_for_previous_kernel();
    sync_block();
    const auto run = [&](auto role, int first) { role.run(thread - first); };
    if (thread < Shape::first_to_look) {
        run(table_walker_load<Shape>(problem, walks, workspace, ring, shared), 0);
    } else if (thread < Shape::first_to_sum) {
        run(table_walker_look<Shape>(problem, walks, workspace, ring, shared),
            Shape::first_to_look);
    } else if (thread < Shape::first_to_store) {
        run(table_walker_sum<Shape>(problem, walks, workspace, ring, shared), Shape::first_to_sum);
    } else {
        run(table_walker_store<Shape>(problem, walks, workspace, ring, shared),
            Shape::first_to_store);
    }
#endif
}

}  // namespace lookback::detail::device
