/// \file
/// The role of the edge warps in a block that makes summed-area tables walk by walk
/// (table_walker.hpp). A thread for each row keeps what lies to the left of the next tile. A thread
/// for each column adds what lies to the left to the column's total, and tells the total to the
/// cluster. Where the block has an image for itself, it keeps the total instead.
#pragma once

#include <cstdint>

#include "lookback/detail/device/asked_words.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/table_walker_role.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

template <class Shape>
class table_walker_edge : table_walker_role<Shape> {
    using role = table_walker_role<Shape>;
    using role::arrive;
    using role::columns;
    using role::ends_batch;
    using role::lanes;
    using role::own_table;
    using role::plus;
    using role::shared_;
    using role::stages;
    using role::statuses;
    using role::walks_;
    using role::words_;
    using typename role::A;
    using typename role::edge_of_tile;

 public:
    using role::role;

    __device__ void run(int thread) {
        for (std::uint32_t k = 0, ends = 0; ends < Shape::store_teams; ++k) {
            shared_.summed[k % stages].wait(k / stages);
            const walked_tile tile = shared_.tile[k % stages];
            if (!tile.is_end) {
                auto& edge = shared_.edges[k % stages];
                if (thread < table_rows_of_tile) find_left(tile, thread, edge);
                sync_threads<3, Shape::edge_threads>();
                if (thread < columns) tell_total(tile.at, thread, k, edge);
            }
            arrive(shared_.edged[k % stages]);
            if (tile.is_end) ++ends;
        }
        arrive(shared_.folded);
    }

 private:
    // For a row of the tile, finds the sum of what lies to the left of it and of the rows above it
    // in its half of the tile; then updates what lies to the left of the next tile.
    __device__ void find_left(const walked_tile& tile, int row, edge_of_tile& edge) {
        const table_tile& here = tile.at;
        const std::uint32_t in_batch = here.across % table_batch;
        const std::uint32_t batch = here.across / table_batch % table_batch;
        stretches_.some = here.across >= table_stretch;
        batches_.some = batch > 0;
        tiles_.some = in_batch > 0;
        if (tile.begins_part) {
            const auto asked = [&](bool wanted, int which) {
                return asked_words<A, 1>(statuses(), shared_.epoch,
                                         words_.left(here, walks_, which, row), 0, 1, wanted);
            };
            auto stretches = asked(stretches_.some, 0), batches = asked(batches_.some, 1),
                 tiles = asked(tiles_.some, 2);
            const auto hear = [](auto& word, maybe<A>& value) {
                word.wait_long();
                value.value = word.value[0];
            };
            hear(stretches, stretches_);
            hear(batches, batches_);
            hear(tiles, tiles_);
        }
        const maybe<A> left = combine(combine(stretches_, batches_, plus), tiles_, plus);

        tiles_ = append(tiles_, edge.rows[row], plus);
        if (in_batch + 1 == table_batch) {
            batches_ = append(batches_, tiles_.value, plus);
            tiles_.some = false;
            if (batch + 1 == table_batch) {
                stretches_ = append(stretches_, batches_.value, plus);
                batches_.some = false;
            }
        }
        if (tile.ends_part) {
            table_tile next = here;
            ++next.across;
            const auto tell = [&](const maybe<A>& value, int which) {
                if (!value.some) return;
                statuses().publish(words_.left(next, walks_, which, row), shared_.epoch,
                                   value.value);
            };
            tell(stretches_, 0);
            tell(batches_, 1);
            tell(tiles_, 2);
        }
        A sum{};
        if (here.across > 0) {
            sum = scan_lanes(left.value, warp_lanes, plus);
        } else if (!Shape::sums_twice) {
            return;
        }
        edge.before[row] = sum;
        if (lane() == warp_lanes - 1) edge.sums[row / warp_lanes] = sum;
    }

    // Tells a column's total, with what lies to the left of it.
    __device__ void tell_total(const table_tile& here, int column, std::uint32_t k,
                               edge_of_tile& edge) {
        A total = own_total(column, k);
        if (here.across > 0) total = plus(total, plus(edge.sums[0], edge.sums[1]));
        if (walks_.whole == 0) {
            shared_.totals[k % stages][block_in_cluster()][column % Shape::own_columns].send(
                static_cast<unsigned>(column / Shape::own_columns), total,
                shared_.told[k % stages]);
        } else if (walks_.down > 1 && column < here.columns) {
            keep_above(here, column, total, edge);
        }
    }
    __device__ A own_total(int column, std::uint32_t k) const {
        if constexpr (Shape::sums_twice) {
            const auto& down = shared_.down[k % stages];
            A total = reinterpret_cast<const A*>(down[0])[column];
#pragma unroll
            for (int g = 1; g < Shape::strips; ++g) {
                total = plus(total, reinterpret_cast<const A*>(down[g])[column]);
            }
            return total;
        } else {
            const auto* const last_row =
                reinterpret_cast<const A*>(own_table(k) + (table_rows_of_tile - 1) * lanes);
            return last_row[column];
        }
    }
    // Keeps what lies above, for an image that this block has for itself.
    __device__ void keep_above(const table_tile& here, int column, const A& total,
                               edge_of_tile& edge) {
        const int at = static_cast<int>(here.across) * columns + column;
        maybe<A> fold{A{}, here.down % table_batch > 0}, top{A{}, here.down >= table_batch};
        if (fold.some) fold.value = shared_.folds[at];
        if (top.some) top.value = shared_.tops[at];
        edge.tops[column].set(top.value);
        edge.folds[column].set(fold.value);
        fold = append(fold, total, plus);
        shared_.folds[at] = fold.value;
        if (ends_batch(here)) shared_.tops[at] = append(top, fold.value, plus).value;
    }

    // What lies to the left of the next tile in its row of tiles.
    maybe<A> stretches_{}, batches_{}, tiles_{};
};

#endif

}  // namespace lookback::detail::device
