/// \file
/// The role of the warps that look for what lies above a tile, in a block that makes summed-area
/// tables walk by walk (table_walker.hpp). The blocks of a cluster have the eight tiles of a batch.
/// Each block finds what lies above an eighth of the columns, for all eight tiles.
///
/// Every block of the cluster sends it the totals of these columns. It publishes their fold to
/// other batches; this fold waits for nothing above the batch. It finds what lies above the batch
/// from the folds of up to sixteen batches above, and from what lies above these. It sends what it
/// has found to every block.
///
/// A block may overwrite another block's memory only after that block has read it. This holds for
/// totals: a block sends totals when it has freed the same stage of an earlier tile; before that,
/// every block had sent it what lies above that tile, and so had read all totals of that stage. It
/// also holds for what a block has found: it sends this after it has received the totals of all
/// blocks, and each block sends its totals only when the stage is free for this tile.
#pragma once

#include <cstdint>

#include "lookback/detail/device/asked_words.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/table_walker_role.hpp"
#include "lookback/detail/device/tile_scan.hpp"

namespace lookback::detail::device {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

template <class Shape>
class table_walker_look : table_walker_role<Shape> {
    using role = table_walker_role<Shape>;
    using typename role::A;
    using typename role::Above;
    static constexpr int own_columns = Shape::own_columns;
    static constexpr int blocks = Shape::cluster;
    // Several lanes of a warp have the same column, and each of them reads a share of the folds
    // above it.
    static constexpr int shares = warp_lanes / own_columns;
    static constexpr int most_folds = 2 * table_folds;
    static constexpr int of_share = most_folds / shares;
    static_assert(of_share * shares == most_folds);
    using role::announce;
    using role::arrive;
    using role::columns;
    using role::plus;
    using role::problem_;
    using role::shared_;
    using role::stages;
    using role::statuses;
    using role::walks_;
    using role::words_;

 public:
    using role::role;

    __device__ void run(int thread) {
        for (auto k = static_cast<std::uint32_t>(thread / warp_lanes); walks_.whole == 0;
             k += Shape::look_turns) {
            shared_.claimed[k % stages].wait(k / stages);
            if (shared_.tile[k % stages].is_end) break;
            const table_tile here = shared_.tile[k % stages].at;
            if (lane() == 0) {
                announce(shared_.told[k % stages], sizeof(shared_.totals[0]));
                announce(shared_.found[k % stages],
                         sizeof(shared_.edges[0].tops) + sizeof(shared_.edges[0].folds));
            }
            shared_.told[k % stages].wait_for_others(k / stages);
            find_above(here, k);
        }
        arrive(shared_.folded);
    }

 private:
    __device__ void find_above(const table_tile& here, std::uint32_t k) {
        const int share = lane() / own_columns, in_share = lane() % own_columns;
        const int column = static_cast<int>(block_in_cluster()) * own_columns + in_share;
        const bool used = column < here.columns;
        const std::uint32_t batch = here.down / table_batch;

        // What lies above in the batch.
        A total[blocks];
#pragma unroll
        for (int b = 0; b < blocks; ++b) total[b] = shared_.totals[k % stages][b][in_share].get();
        A fold = total[0];
#pragma unroll
        for (int b = 1; b < blocks; ++b) fold = plus(fold, total[b]);
        if (share == 0 && used && batch + 1 < walks_.batches) {
            statuses().publish(words_.fold(here, batch, column), shared_.epoch, fold);
        }
        const maybe<A> top = above_batch(here, batch, column, share, used);
        if (share == 0 && used && batch > 0) {
            statuses().publish(words_.top(here, batch, column), shared_.epoch, top.value);
        }

        sync_warp();  // all lanes have read the totals
        auto& edge = shared_.edges[k % stages];
        const auto high = static_cast<int>(walks_.rows_together());
        A above{};
        bool is_first = true;
#pragma unroll
        for (int b = 0; b < blocks; ++b) {
            if (b % shares == share) {
                const auto block = static_cast<unsigned>(b);
                edge.folds[column].send(block, above, shared_.found[k % stages]);
                edge.tops[column].send(block, top.value, shared_.found[k % stages]);
            }
            above = is_first ? total[b] : plus(above, total[b]);
            is_first = (b + 1) % high == 0;
        }
    }

    __device__ maybe<A> above_batch(const table_tile& here, std::uint32_t batch, int column,
                                    int share, bool used) const {
        const std::uint32_t begin = batch < most_folds ? 0 : batch - most_folds;
        const int folds = static_cast<int>(batch - begin);
        const int skipped = share * of_share;
        const int asked = folds < skipped              ? 0
                          : folds - skipped < of_share ? folds - skipped
                                                       : of_share;
        asked_words<A, of_share> words(
            statuses(), shared_.epoch,
            words_.fold(here, begin + static_cast<unsigned>(skipped), column), words_.to_below(),
            asked, used);
        asked_words<A, 1> start(statuses(), shared_.epoch, words_.top(here, begin, column), 0, 1,
                                used && begin > 0);
        maybe<A> top{A{}, begin > 0};
        if constexpr (!is_absent<Above>) {
            if (begin == 0) {
                top.some = true;
                if (used) {
                    const std::uint64_t at =
                        here.image * problem_.tiles.width +
                        std::uint64_t{here.across} * static_cast<unsigned>(columns) +
                        static_cast<unsigned>(column);
                    top.value = static_cast<A>(problem_.above[static_cast<std::int64_t>(at)]);
                }
            }
        }
        words.wait();
        start.wait();
        if (begin > 0) top.value = start.value[0];
#pragma unroll
        for (int s = 0; s < shares; ++s) {
#pragma unroll
            for (int i = 0; i < of_share; ++i) {
                const A value = from_lane(words.value[i], s * own_columns + lane() % own_columns);
                if (s * of_share + i < folds) top = append(top, value, plus);
            }
        }
        return top;
    }
};

#endif

}  // namespace lookback::detail::device
