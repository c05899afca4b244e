/// \file
/// Those who sum a tile, of a block that makes summed-area tables walk by walk (table_walker.hpp).
///
/// A warp scans eight rows of its tile and sums them downward, adds what the warps above have, and
/// leaves the tile's own table in the stage; what lies to the left was left in shared memory by the
/// tile before. Columns are told with what lies to the left already in them.
#pragma once

#include <cstdint>

#include "lookback/detail/device/asked_words.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/table_movers.hpp"
#include "lookback/detail/device/table_walker_role.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

template <class Shape>
class table_walker_sum : table_walker_role<Shape> {
    using role = table_walker_role<Shape>;
    using typename role::A;
    using typename role::edge_of_tile;
    using typename role::entries;
    using typename role::row_of_lanes;
    static constexpr int rows = Shape::group_rows;
    using role::arrive;
    using role::columns;
    using role::ends_batch;
    using role::lanes;
    using role::own_table;
    using role::plus;
    using role::problem_;
    using role::ring_;
    using role::shared_;
    using role::stages;
    using role::statuses;
    using role::walks_;
    using role::words_;

 public:
    using role::role;

    __device__ void run(int thread) {
        const int group = thread / warp_lanes;
        for (std::uint32_t k = 0;; ++k) {
            shared_.loaded[k % stages].wait(k / stages);
            const walked_tile tile = shared_.tile[k % stages];
            const table_tile& here = tile.at;
            if (here.rows == 0) break;
            auto& edge = shared_.edges[k % stages];

            // 1. The tile's own table: rows, down a group, down the tile.
            entries sum[rows];
            take_table_rows<Shape::in_words>(ring_ + k % stages * Shape::stage_bytes, problem_,
                                             here, group * rows, sum);
            row_of_lanes::scan(sum, shared_.rows + group * rows);
#pragma unroll
            for (int i = 1; i < rows; ++i) sum[i] = row_of_lanes::added(sum[i - 1], sum[i]);
            shared_.down[group][lane()] = sum[rows - 1];
            sync_threads<2, Shape::sum_threads>();
            if (group > 0) {
                entries above = shared_.down[0][lane()];
#pragma unroll
                for (int g = 1; g < Shape::groups - 1; ++g) {
                    if (g < group) above = row_of_lanes::added(above, shared_.down[g][lane()]);
                }
#pragma unroll
                for (int i = 0; i < rows; ++i) sum[i] = row_of_lanes::added(above, sum[i]);
            }
            if (lane() < lanes) {
                entries* const own = own_table(k) + group * rows * lanes + lane();
#pragma unroll
                for (int i = 0; i < rows; ++i) own[i * lanes] = sum[i];
                if (group == Shape::groups - 1) {
                    reinterpret_cast<entries*>(shared_.own)[lane()] = sum[rows - 1];
                }
            }

            // 2. What lies to the left.
            if (group * warp_lanes < table_rows_of_tile) {
                find_left(tile, group * warp_lanes + lane(), edge);
            }
            sync_threads<2, Shape::sum_threads>();

            // 3. What is told to those below, or kept for them.
            if (thread < here.columns) {
                if (walks_.whole > 0) {
                    keep_above(here, thread, edge);
                } else if (here.down + 1 < walks_.down) {
                    statuses().publish(words_.column(here, here.down, thread), shared_.epoch,
                                       total_of(here, thread, edge));
                }
            }
            arrive(shared_.summed[k % stages]);
        }
        arrive(shared_.folded);
    }

 private:
    // Of a row: the sum of what lies to the left of it and of the rows above it in its half of the
    // tile; and what lies to the left of the next tile.
    __device__ void find_left(const walked_tile& tile, int row, edge_of_tile& edge) {
        const table_tile& here = tile.at;
        const std::uint32_t in_batch = here.across % table_batch;
        const std::uint32_t batch = here.across / table_batch % table_batch;
        maybe<A> stretches{A{}, here.across >= table_stretch};
        maybe<A> batches{A{}, batch > 0}, tiles{A{}, in_batch > 0};
        if (tile.begins_part) {
            const auto told = [&](maybe<A>& value, int which) {
                asked_words<A, 1> word(statuses(), shared_.epoch,
                                       words_.left(here, walks_, which, row), 0, 1, value.some);
                word.wait_long();
                value.value = word.value[0];
            };
            told(stretches, 0);
            told(batches, 1);
            told(tiles, 2);
        } else {
            if (stretches.some) stretches.value = shared_.lefts[0][row];
            if (batches.some) batches.value = shared_.lefts[1][row];
            if (tiles.some) tiles.value = shared_.lefts[2][row];
        }
        const maybe<A> left = combine(combine(stretches, batches, plus), tiles, plus);

        tiles = append(tiles, shared_.rows[row], plus);
        if (in_batch + 1 == table_batch) {
            batches = append(batches, tiles.value, plus);
            tiles.some = false;
            if (batch + 1 == table_batch) {
                stretches = append(stretches, batches.value, plus);
                batches.some = false;
            }
        }
        if (here.across + 1 < walks_.across) {
            if (stretches.some) shared_.lefts[0][row] = stretches.value;
            if (batches.some) shared_.lefts[1][row] = batches.value;
            if (tiles.some) shared_.lefts[2][row] = tiles.value;
        }
        if (tile.ends_part) {
            table_tile next = here;
            ++next.across;
            const auto tell = [&](const maybe<A>& value, int which) {
                if (!value.some) return;
                statuses().publish(words_.left(next, walks_, which, row), shared_.epoch,
                                   value.value);
            };
            tell(stretches, 0);
            tell(batches, 1);
            tell(tiles, 2);
        }
        if (here.across == 0) return;
        const A sum = scan_lanes(left.value, warp_lanes, plus);
        edge.before[row] = sum;
        if (lane() == warp_lanes - 1) edge.sums[row / warp_lanes] = sum;
    }

    // A column's total, what lies to the left of it added.
    __device__ A total_of(const table_tile& here, int column, const edge_of_tile& edge) const {
        const A own = shared_.own[column];
        return here.across == 0 ? own : plus(own, plus(edge.sums[0], edge.sums[1]));
    }
    // The same, of an image that this block has for itself.
    __device__ void keep_above(const table_tile& here, int column, edge_of_tile& edge) {
        if (walks_.down == 1) return;
        const int at = static_cast<int>(here.across) * columns + column;
        maybe<A> fold{A{}, here.down % table_batch > 0}, top{A{}, here.down >= table_batch};
        if (fold.some) fold.value = shared_.folds[at];
        if (top.some) top.value = shared_.tops[at];
        edge.tops[column] = top.value;
        edge.folds[column] = fold.value;
        fold = append(fold, total_of(here, column, edge), plus);
        shared_.folds[at] = fold.value;
        if (ends_batch(here)) shared_.tops[at] = append(top, fold.value, plus).value;
    }
};

#endif

}  // namespace lookback::detail::device
