/// \file
/// Those who look for what lies above a tile, of a block that makes summed-area tables walk by walk
/// (table_walker.hpp), as soon as the tile is loaded: those beside have come as far then, mostly.
///
/// A tile reads up to seven words a column of its own batch of eight rows of tiles, and one, what
/// lies above the batch; the last of a batch publishes its fold, the first reads up to eight folds
/// and one word more. A fold waits for nothing above its batch.
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
    static constexpr int of_tile = Shape::look_threads / Shape::look_turns;  // threads
    using role::arrive;
    using role::columns;
    using role::ends_batch;
    using role::plus;
    using role::problem_;
    using role::shared_;
    using role::stages;
    using role::statuses;
    using role::walks_;
    using role::words_;

 public:
    using role::role;

    // Some tiles ahead of those who sum, by turns.
    __device__ void run(int thread) {
        for (std::uint32_t k = static_cast<std::uint32_t>(thread / of_tile); walks_.whole == 0;
             k += Shape::look_turns) {
            // A phase of `loaded` is waited for when the one before is over: it is where the tile
            // has been claimed, since that stage was free then.
            shared_.claimed[k % stages].wait(k / stages);
            shared_.loaded[k % stages].wait(k / stages);
            const table_tile here = shared_.tile[k % stages].at;
            if (here.rows == 0) break;
            find_above(here, k, thread % of_tile);
            arrive(shared_.found[k % stages]);
        }
        arrive(shared_.folded);
    }

 private:
    // Above a column: in the batch, from the totals that its tiles have told; above that, from what
    // the batch's first tile has told, which finds it from folds.
    __device__ void find_above(const table_tile& here, std::uint32_t k, int column) const {
        auto& edge = shared_.edges[k % stages];
        const bool used = column < here.columns;
        const std::uint32_t batch = here.down / table_batch;
        const int in_batch = static_cast<int>(here.down % table_batch);
        // From how many batches above on folds are added.
        const std::uint32_t count = batch < table_folds ? batch : table_folds;
        const bool begins = in_batch == 0;
        // Then its fold is told, which waits for nothing above the batch.
        const bool ends = ends_batch(here) && here.down + 1 < walks_.down;
        const bool told = begins ? batch > table_folds : batch > 0;
        asked_words<A, 1> start(statuses(), shared_.epoch,
                                words_.top(here, begins ? batch - count : batch, column), 0, 1,
                                used && told);
        asked_words<A, table_folds> words(
            statuses(), shared_.epoch,
            begins ? words_.fold(here, batch - count, column)
                   : words_.column(here, here.down - static_cast<unsigned>(in_batch), column),
            words_.to_below(), begins ? static_cast<int>(count) : in_batch + (ends ? 1 : 0), used);
        maybe<A> fold{A{}, false};
        if (!begins) {
            words.wait_long();
            fold = words.fold(fold, in_batch, plus);
            if (ends && used) {
                statuses().publish(words_.fold(here, batch, column), shared_.epoch,
                                   plus(fold.value, words.value[table_batch - 1]));
            }
        }
        start.wait_long();
        maybe<A> top{start.value[0], told};
        if constexpr (!is_absent<Above>) {
            if (!told && (begins || batch == 0)) {
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
        if (begins) {
            words.wait_long();
            top = words.fold(top, static_cast<int>(count), plus);
        }
        if (!used) return;
        edge.tops[column] = top.value;
        edge.folds[column] = fold.value;
        if (begins && batch > 0) {
            statuses().publish(words_.top(here, batch, column), shared_.epoch, top.value);
        }
    }
};

#endif

}  // namespace lookback::detail::device
