/// \file
/// The role of the storing warps in a block that makes summed-area tables walk by walk
/// (table_walker.hpp), where the stage has a tile's own table: they add what lies to the left and
/// above, and store entries.
#pragma once

#include <cstdint>

#include "lookback/detail/device/table_walker_role.hpp"

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
    static constexpr int store_warps = Shape::warps_of_team;
    using role::lanes;
    using role::own_table;
    using role::plus;
    using role::problem_;
    using role::shared_;
    using role::stages;

 public:
    using role::role;

    __device__ void run(int thread) const {
        role::store_tiles(0, [&](const table_tile& here, std::uint32_t k) {
            store(here, thread / warp_lanes, own_table(k), shared_.edges[k % stages]);
        });
    }

 private:
    // What is added to a lane's entries of each row. Integers may be added in any order, so first
    // what all rows share.
    static constexpr bool in_any_order = adds_exactly<A>;
    struct addends {
        bool has_left, has_fold, has_top;
        entries fold, top;
        A upper_half;
    };

    // `all`: none of the addends is missing.
    template <bool all>
    __device__ static entries added(entries entry, const A& left, const addends& more) {
        const bool has_left = all || more.has_left;
        const bool has_fold = all || more.has_fold, has_top = all || more.has_top;
#pragma unroll
        for (int c = 0; c < of_lane; ++c) {
            A& sum = entry.entry[c];
            if constexpr (in_any_order) {
                sum = plus(plus(sum, more.top.entry[c]), left);
            } else {
                if (has_left) sum = plus(sum, left);
                if (has_fold) sum = plus(more.fold.entry[c], sum);
                if (has_top) sum = plus(more.top.entry[c], sum);
            }
        }
        return entry;
    }
    template <bool all>
    __device__ static A left_of(const edge_of_tile& edge, int row, const addends& more) {
        A left{};
        if (all || more.has_left) {
            left = edge.before[row];
            if (row >= warp_lanes) left = plus(more.upper_half, left);
        }
        return left;
    }

    // A warp stores every eighth row (every store_warps-th), from row `first` on.
    __device__ void store(const table_tile& here, int first, entries* own,
                          const edge_of_tile& edge) const {
        addends more{here.across > 0,
                     here.down % table_batch > 0,
                     here.down >= table_batch || !is_absent<Above>,
                     {},
                     {},
                     edge.sums[0]};
#pragma unroll
        for (int c = 0; c < of_lane; ++c) {
            const int column = lane() % lanes * of_lane + c;
            if (more.has_fold) more.fold.entry[c] = edge.folds[column].get();
            if (more.has_top) more.top.entry[c] = edge.tops[column].get();
            if constexpr (in_any_order) {
                more.top.entry[c] = plus(more.top.entry[c], more.fold.entry[c]);
            }
        }
        if constexpr (Problem::writes_vectors) {
            if (problem_.aligned_vectors && here.rows == table_rows_of_tile) {
                const bool has_all =
                    more.has_left && (in_any_order || (more.has_fold && more.has_top));
                if (has_all) return store_vectors<true>(here, first, own, edge, more);
                return store_vectors<false>(here, first, own, edge, more);
            }
        }
        for (int row = first; row < here.rows; row += store_warps) {
            store_row(here, row, own + row * lanes, edge, more);
        }
    }
    // Stores all rows of a whole tile. Several rows are read before the first is written, because a
    // read of shared memory does not move ahead of a write to global memory by itself.
    template <bool all>
    __device__ void store_vectors(const table_tile& here, int first, const entries* own,
                                  const edge_of_tile& edge, const addends& more) const {
        constexpr int rows = table_rows_of_tile / store_warps, at_once = 4;
        const bool used = lane() * of_lane < here.columns;
        const std::uint64_t pitch = problem_.tiles.out_pitch;
        A* to = problem_.out + here.out + static_cast<unsigned>(first) * pitch + lane() * of_lane;
#pragma unroll
        for (int i = 0; i < rows; i += at_once) {
            vector16<A> sum[at_once];
#pragma unroll
            for (int j = 0; j < at_once; ++j) {
                const int row = (i + j) * store_warps + first;
                const entries entry = added<all>(own[row * lanes + lane() % lanes],
                                                 left_of<all>(edge, row, more), more);
#pragma unroll
                for (int c = 0; c < of_lane; ++c) sum[j].item[c] = entry.entry[c];
            }
#pragma unroll
            for (int j = 0; j < at_once; ++j) {
                if (used) store_global_vector16(to, sum[j]);
                to += store_warps * pitch;
            }
        }
    }
    // Stores one row, entry by entry, in the order of memory. The entries change lanes by way of
    // the row's place in the stage.
    __device__ void store_row(const table_tile& here, int row, entries* own,
                              const edge_of_tile& edge, const addends& more) const {
        const std::uint64_t at = here.out + static_cast<unsigned>(row) * problem_.tiles.out_pitch;
        if (lane() < lanes) {
            own[lane()] = added<false>(own[lane()], left_of<false>(edge, row, more), more);
        }
        role::store_in_order(here, at, own);
    }
};

#endif

}  // namespace lookback::detail::device
