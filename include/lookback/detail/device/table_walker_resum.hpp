/// \file
/// The role of the storing warps in a block that makes summed-area tables walk by walk
/// (table_walker.hpp), where sums are the same in any order: they sum a tile's items again, with
/// what lies to the left and above, and store entries. Each warp of a team has a strip of rows.
#pragma once

#include <cstdint>

#include "lookback/detail/device/table_exact.hpp"
#include "lookback/detail/device/table_walker_role.hpp"

namespace lookback::detail::device {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

template <class Shape>
class table_walker_resum : table_walker_role<Shape> {
    using role = table_walker_role<Shape>;
    using typename role::A;
    using typename role::Above;
    using typename role::edge_of_tile;
    using typename role::entries;
    using typename role::Problem;
    using typename role::row_of_lanes;
    static constexpr int of_lane = row_of_lanes::of_lane, at_once = 4;
    static constexpr int rows = Shape::strip_rows;
    static_assert(warp_lanes % rows == 0 && rows % at_once == 0);
    using exact = exact_rows<A>;
    using In = typename Shape::In;
    using role::lanes;
    using role::plus;
    using role::problem_;
    using role::ring_;
    using role::shared_;
    using role::stages;

 public:
    using role::role;

    __device__ void run(int thread) const {
        const int warp = thread / warp_lanes, first = warp % Shape::warps_of_team * rows;
        role::store_tiles(warp / Shape::warps_of_team,
                          [&](const table_tile& here, std::uint32_t k) {
                              if (role::is_whole(here)) {
                                  store<true>(here, k, first, warp);
                              } else if (first < here.rows) {
                                  store<false>(here, k, first, warp);
                              }
                          });
    }

 private:
    template <bool whole>
    __device__ void store(const table_tile& here, std::uint32_t k, int begin, int warp) const {
        const edge_of_tile& edge = shared_.edges[k % stages];
        const unsigned char* const stage = ring_ + k % stages * Shape::stage_bytes;
        entries above = above_row(here, k, begin, edge);
        A below_above{};  // the sum of what the lanes below have from row `begin` on
#pragma unroll 1
        for (int first = begin; first < begin + rows; first += at_once) {
            packed_items<In, of_lane> items[at_once];
            read_rows(stage, problem_, here, first, items);
            entries sum[at_once];
            A before[at_once];
#pragma unroll
            for (int j = 0; j < at_once; ++j) {
                before[j] = exact::add_row(above, items[j],
                                           role::template used_items<whole>(here, first + j),
                                           Problem::value);
                sum[j] = above;
            }
            exact::template scan_lanes_below<In>(before, below_above);
#pragma unroll
            for (int j = 0; j < at_once; ++j) {
                before[j] = plus(before[j], edge.before[first + j]);
#pragma unroll
                for (A& entry : sum[j].entry) entry = plus(entry, before[j]);
            }
            store_rows<whole>(here, first, sum, shared_.stored[warp]);
        }
    }

    // The table's row above a row that begins a strip, but for what lies to the left of the tile in
    // the same half of it.
    __device__ entries above_row(const table_tile& here, std::uint32_t k, int row,
                                 const edge_of_tile& edge) const {
        const bool has_fold = here.down % table_batch > 0;
        const bool has_top = here.down >= table_batch || !is_absent<Above>;
        entries above{};
#pragma unroll
        for (int c = 0; c < of_lane; ++c) {
            const int column = lane() % lanes * of_lane + c;
            if (has_fold) above.entry[c] = edge.folds[column].get();
            if (has_top) above.entry[c] = plus(above.entry[c], edge.tops[column].get());
            if (row >= warp_lanes) above.entry[c] = plus(above.entry[c], edge.sums[0]);
        }
#pragma unroll
        for (int g = 0; g < Shape::strips - 1; ++g) {
            if (g < row / rows) {
                above = row_of_lanes::added(above, shared_.down[k % stages][g][lane() % lanes]);
            }
        }
        return above;
    }

    template <bool whole>
    __device__ void store_rows(const table_tile& here, int first, const entries (&sum)[at_once],
                               entries* by_way_of) const {
        const std::uint64_t pitch = problem_.tiles.out_pitch;
        const std::uint64_t at = here.out + static_cast<unsigned>(first) * pitch;
        const auto is_stored = [&](int j) { return whole || first + j < here.rows; };
        if constexpr (Problem::writes_vectors) {
            if (problem_.aligned_vectors) {
                A* to = problem_.out + at + lane() * of_lane;
                const bool used = whole || lane() * of_lane < here.columns;
#pragma unroll
                for (int j = 0; j < at_once; ++j) {
                    vector16<A> vector;
#pragma unroll
                    for (int c = 0; c < of_lane; ++c) vector.item[c] = sum[j].entry[c];
                    if (used && is_stored(j)) store_global_vector16(to, vector);
                    to += pitch;
                }
                return;
            }
        }
#pragma unroll
        for (int j = 0; j < at_once; ++j) {
            if (!is_stored(j)) break;
            store_row(here, at + static_cast<unsigned>(j) * pitch, sum[j], by_way_of);
        }
    }
    // Stores one row, entry by entry, in the order of memory. Its entries change lanes by way of
    // shared memory.
    __device__ void store_row(const table_tile& here, std::uint64_t at, const entries& sum,
                              entries* by_way_of) const {
        if constexpr (of_lane == 1) {
            if (lane() < here.columns) {
                problem_.store(at + static_cast<unsigned>(lane()), sum.entry[0]);
            }
            return;
        }
        sync_warp();  // what was there has been read
        if (lane() < lanes) by_way_of[lane()] = sum;
        role::store_in_order(here, at, by_way_of);
    }
};

#endif

}  // namespace lookback::detail::device
