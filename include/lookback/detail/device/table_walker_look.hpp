/// \file
/// Those who look for what lies above a tile, of a block that makes summed-area tables walk by walk
/// (table_walker.hpp). The blocks of a cluster have the eight tiles of a batch, and each of them
/// finds what lies above an eighth of the columns, for all.
///
/// It is sent the totals of these columns by each block, and tells other batches their fold, which
/// waits for nothing above the batch. What lies above the batch it finds from the folds of up to
/// sixteen batches above, and from what lies above those. What it has found it sends to each block.
///
/// What is sent lies where all has been read: who sends totals has a stage free again, of a tile
/// above which all blocks have found what they look for; who sends what it has found has totals of
/// a tile that the receiver has that stage for.
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
    // Of a warp, some lanes have the same column, and some of the folds above it each.
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

        // In the batch.
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
