/// \file
/// The driver that makes summed-area tables walk by walk (table_walks.hpp), on GPUs of compute
/// capability 9.0 and later.
///
/// Blocks stay for the whole launch, with a ring of stages and warps with roles. Some claim walks
/// and load tiles. Some sum: a warp scans eight rows of its tile and sums them downward, adds what
/// the warps above have, and leaves the tile's own table in the stage; what lies to the left was
/// left in shared memory by the tile before. Some look for what lies above: which others publish
/// (walk_words), or, where a block has an image for itself, those who sum keep. Some add all this
/// up and store. The order of sums is that of table_order.hpp.
///
/// Those who sum wait for no other block but where a part of a row of tiles begins. If they waited
/// for what lies above, a tile's totals would be told a look-back later than those of the tile
/// above it, and a launch would take a look-back for each row of tiles.
///
/// Columns are told with what lies to the left already in them, a word for each. A tile reads up to
/// seven words a column of its own batch of eight rows of tiles, and one, what lies above the
/// batch; the last of a batch publishes its fold, the first reads up to eight folds and one word
/// more. A fold waits for nothing above its batch.
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
#include <type_traits>

#include "lookback/detail/device/asked_words.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/look_back.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/table_movers.hpp"
#include "lookback/detail/device/table_problem.hpp"
#include "lookback/detail/device/table_row.hpp"
#include "lookback/detail/device/table_walks.hpp"
#include "lookback/detail/device/tile_scan.hpp"
#include "lookback/detail/device/tile_status.hpp"
#include "lookback/detail/device/workspace.hpp"

namespace lookback::detail::device {

/// `in_words`: rows are copied by words, not item by item.
template <class Problem_, bool in_words_>
struct table_walker_shape {
    using Problem = Problem_;
    using A = typename Problem::value_type;
    static constexpr bool in_words = in_words_;
    // What lies in a stage: items as they are where they are copied, else as what is summed.
    using In = std::conditional_t<in_words, typename Problem::item_type, A>;
    static constexpr int columns = table_columns<A>;
    static constexpr int group_rows = static_cast<int>(table_group_rows);
    static constexpr int groups = table_rows_of_tile / group_rows;
    static constexpr int load_threads = 128;
    // A thread a column, for each of three tiles, by turns.
    static constexpr int look_turns = 3;
    static constexpr int look_threads = look_turns * 128;
    static_assert(columns <= look_threads / look_turns);
    static constexpr int sum_threads = groups * warp_lanes;
    static constexpr int store_threads = 128;
    static constexpr int first_to_look = load_threads;
    static constexpr int first_to_sum = first_to_look + look_threads;
    static constexpr int first_to_store = first_to_sum + sum_threads;
    static constexpr int threads = first_to_store + store_threads;
    // The tile's own table lies where its items lay, if these are as large, or behind them.
    static constexpr int item_bytes = table_rows_of_tile * columns * static_cast<int>(sizeof(In));
    static constexpr int table_at = sizeof(In) == sizeof(A) ? 0 : item_bytes;
    static constexpr int stage_bytes =
        table_at + table_rows_of_tile * columns * static_cast<int>(sizeof(A));
    static constexpr int most = (sizeof(A) > 16    ? 160
                                 : sizeof(A) == 16 ? 192
                                                   : 200) *
                                1024 / stage_bytes;
    static constexpr int stages = most < 6 ? most : 6;
    static constexpr int shared_bytes = stages * stage_bytes;
};

/// A tile on its way through a block.
struct walked_tile {
    table_tile at;     ///< without rows: an end
    bool begins_part;  ///< of a row of tiles, and not the first
    bool ends_part;    ///< and not the last
};

/// Goes along a walk.
struct table_step {
    std::uint32_t image, down, across;

    __device__ explicit table_step(const table_walk& way)
        : image(way.image), down(way.down), across(way.across), way_(way) {}
    /// Whether that was the last tile; `across` is the next one's, also behind it.
    __device__ bool next() {
        if (++across < way_.across_end) return false;
        if (down + 1 == way_.down_end && image + 1 == way_.image_end) return true;
        across = way_.across;
        if (++down < way_.down_end) return false;
        down = way_.down;
        ++image;
        return false;
    }

 private:
    const table_walk& way_;
};

template <class Shape>
struct table_walker_memory {
    using A = typename Shape::A;

    /// Of a tile, beside its own table.
    struct alignas(16) edge {
        A tops[Shape::columns];        // what lies above the batch
        A folds[Shape::columns];       // what lies above in the batch
        A before[table_rows_of_tile];  // what lies to the left, and of the rows above
        A sums[2];                     // of that, in the upper half and in the lower
    };

    phase_barrier claimed[Shape::stages];  // which tile is loaded is known
    phase_barrier loaded[Shape::stages];
    phase_barrier found[Shape::stages];  // what lies above
    phase_barrier
        summed[Shape::stages];  // the tile's own table is there, and what lies to the left
    phase_barrier freed[Shape::stages];
    phase_barrier folded;  // no word is looked at any more
    walked_tile tile[Shape::stages];
    claim claims[2];
    std::uint32_t epoch;
    edge edges[Shape::stages];
    // Of those who sum.
    typename table_row<A>::entries down[Shape::groups][warp_lanes];  // totals of groups
    A own[Shape::columns];                                           // totals of columns
    A rows[table_rows_of_tile];                                      // totals of rows
    // Of each warp that stores.
    typename table_row<A>::entries spare[Shape::store_threads / warp_lanes][warp_lanes];
    // To the left of the next tile in its row of tiles: of stretches, of batches, of tiles.
    A lefts[walk_words::lefts][table_rows_of_tile];
    // Of an image: what lies above in the batch, and above that.
    A folds[table_kept * Shape::columns], tops[table_kept * Shape::columns];
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

template <class Shape>
class table_walker {
    using Problem = typename Shape::Problem;
    using A = typename Shape::A;
    using In = typename Shape::In;
    using Above = typename Problem::Above;
    using memory = table_walker_memory<Shape>;
    using row_of_lanes = table_row<A>;
    using entries = typename row_of_lanes::entries;
    static constexpr int columns = Shape::columns;
    static constexpr int of_lane = row_of_lanes::of_lane, lanes = row_of_lanes::lanes;
    static constexpr int rows = Shape::group_rows;
    static constexpr std::uint32_t stages = Shape::stages;
    static constexpr std::uint32_t ends = Shape::look_turns;  // those who look take turns
    static_assert(stages >= ends);
    static constexpr int batch_tiles = static_cast<int>(table_batch);
    static constexpr int load_warps = Shape::load_threads / warp_lanes;
    static constexpr int store_warps = Shape::store_threads / warp_lanes;
    static constexpr int look_warps =
        Shape::look_threads / Shape::look_turns / warp_lanes;  // of a tile

 public:
    __device__ table_walker(const Problem& problem, const table_walks& walks,
                            const workspace_view<A>& workspace, unsigned char* ring, memory& shared)
        : problem_(problem),
          walks_(walks),
          words_(problem.tiles, walks),
          workspace_(workspace),
          ring_(ring),
          shared_(shared) {}

    __device__ void run() {
        if (thread_in_block() == 0) init();
        wait_for_previous_kernel();
        sync_block();
        const int thread = thread_in_block();
        if (thread < Shape::first_to_look) {
            load(thread);
        } else if (thread < Shape::first_to_sum) {
            look(thread - Shape::first_to_look);
        } else if (thread < Shape::first_to_store) {
            sum_tiles(thread - Shape::first_to_sum);
        } else {
            store_tiles(thread - Shape::first_to_store);
        }
    }

 private:
    __device__ tile_statuses<A> statuses() const { return workspace_.statuses(); }
    __device__ static A plus(const A& a, const A& b) { return lookback::plus<A>{}(a, b); }

    __device__ void init() {
        for (std::uint32_t s = 0; s < stages; ++s) {
            shared_.loaded[s].init(load_warps + (Shape::in_words ? Shape::load_threads : 0));
            shared_.claimed[s].init(1);
            shared_.found[s].init(look_warps);
            shared_.summed[s].init(Shape::groups);
            shared_.freed[s].init(store_warps);
        }
        shared_.folded.init(Shape::look_turns * look_warps + Shape::groups);
        publish_barriers();
    }

    // ---- loading

    // Position k of the block's work lies in stage k % stages, in that stage's phase k / stages.
    __device__ void load(int thread) {
        std::uint32_t k = 0;
        claim mine, next;
        if (thread == 0) {
            workspace_.enter();
            next = claim_next(workspace_.counter);
            shared_.epoch = next.epoch;
        }
        for (std::uint32_t walk = 0;; ++walk) {
            claim& claimed = shared_.claims[walk % 2];
            if (thread == 0) claimed = next;
            sync_threads<1, Shape::load_threads>();
            mine = claimed;
            if (mine.ticket >= walks_.count) break;
            const table_walk way = walks_.at(mine.ticket);
            table_step step(way);
            for (bool last = false; !last; ++k) {
                const table_tile here = problem_.tiles.tile(step.image, step.down, step.across);
                walked_tile tile{here, step.across == way.across && step.across > 0, false};
                last = step.next();
                tile.ends_part = last && step.across < walks_.across;
                // The answer takes as long as a read of memory.
                if (last && thread == 0) next = claim_next(workspace_.counter);
                wait_until_free(k);
                if (thread == 0) {
                    shared_.tile[k % stages] = tile;
                    shared_.claimed[k % stages].arrive();
                }
                load(here, k, thread);
            }
        }
        for (const std::uint32_t end = k + ends; k < end; ++k) {
            wait_until_free(k);
            if (thread == 0) {
                shared_.tile[k % stages].at.rows = 0;
                shared_.claimed[k % stages].arrive();
            }
            arrive_loaded(shared_.loaded[k % stages]);
        }
        if (thread == 0) workspace_.end_claims(mine, walks_.count);
        if (thread >= warp_lanes) return;
        shared_.folded.wait(0);
        workspace_.finish(mine.epoch);
        if (thread == 0) workspace_.leave();
    }
    __device__ void wait_until_free(std::uint32_t k) {
        if (k >= stages) shared_.freed[k % stages].wait(k / stages - 1);
    }
    __device__ void load(const table_tile& here, std::uint32_t k, int thread) {
        unsigned char* const stage = ring_ + k % stages * Shape::stage_bytes;
        if constexpr (Shape::in_words) {
            start_table_rows<Shape::load_threads, columns>(stage, problem_, here, thread);
        } else {
            load_table_items<Shape::load_threads, columns>(reinterpret_cast<A*>(stage), problem_,
                                                           here, thread);
        }
        arrive_loaded(shared_.loaded[k % stages]);
    }
    // What it copies has landed then, too.
    __device__ static void arrive_loaded(phase_barrier& loaded) {
        arrive(loaded);
        if constexpr (Shape::in_words) loaded.arrive_after_copies();
    }
    // Of a warp, once: a barrier counts one arrival after the other, and those of all threads, some
    // 700 a tile, took as long as everything else.
    __device__ static void arrive(phase_barrier& barrier) {
        sync_warp();
        if (lane() == 0) barrier.arrive();
    }

    // ---- looking for what lies above

    // Some tiles ahead of the teams, by turns.
    __device__ void look(int thread) {
        constexpr int of_tile = look_warps * warp_lanes;
        for (std::uint32_t k = static_cast<std::uint32_t>(thread / of_tile); walks_.whole == 0;
             k += Shape::look_turns) {
            shared_.claimed[k % stages].wait(k / stages);
            const table_tile here = shared_.tile[k % stages].at;
            if (here.rows == 0) break;
            find_above(here, k, thread % of_tile);
            arrive(shared_.found[k % stages]);
        }
        arrive(shared_.folded);
    }

    // ---- summing

    __device__ void sum_tiles(int thread) {
        const int group = thread / warp_lanes;
        for (std::uint32_t k = 0;; ++k) {
            shared_.loaded[k % stages].wait(k / stages);
            const walked_tile tile = shared_.tile[k % stages];
            const table_tile& here = tile.at;
            if (here.rows == 0) break;
            auto& edge = shared_.edges[k % stages];

            // 1. The tile's own table: rows, down a group, down the tile.
            entries sum[rows];
            take_table_rows<A, In>(ring_ + k % stages * Shape::stage_bytes, here, group * rows, sum,
                                   [](const In& item) { return value_of(item); });
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
    __device__ entries* own_table(std::uint32_t k) const {
        return reinterpret_cast<entries*>(ring_ + k % stages * Shape::stage_bytes +
                                          Shape::table_at);
    }

    __device__ static A value_of(const In& item) {
        if constexpr (Shape::in_words) {
            return Problem::value(item);
        } else {
            return item;
        }
    }

    // Of a row: the sum of what lies to the left of it and of the rows above it in its half of the
    // tile; and what lies to the left of the next tile.
    __device__ void find_left(const walked_tile& tile, int row, typename memory::edge& edge) {
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
    __device__ A total_of(const table_tile& here, int column,
                          const typename memory::edge& edge) const {
        const A own = shared_.own[column];
        return here.across == 0 ? own : plus(own, plus(edge.sums[0], edge.sums[1]));
    }
    __device__ static bool ends_batch(const table_tile& here) {
        return here.down % table_batch + 1 == table_batch;
    }

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

    // The same, of an image that this block has for itself.
    __device__ void keep_above(const table_tile& here, int column, typename memory::edge& edge) {
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

    // ---- storing

    __device__ void store_tiles(int thread) const {
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
    // Every fourth row, or so.
    __device__ void store(const table_tile& here, int first, const entries* own,
                          const typename memory::edge& edge) const {
        const bool has_fold = here.down % table_batch > 0;
        const bool has_top = here.down >= table_batch || !is_absent<Above>;
        entries fold{}, top{};
        if (has_fold) fold = reinterpret_cast<const entries*>(edge.folds)[lane() % lanes];
        if (has_top) top = reinterpret_cast<const entries*>(edge.tops)[lane() % lanes];
        const A upper_half = edge.sums[0];
        const auto put = [&](int row) {
            entries entry = own[row * lanes];
            if (here.across > 0) {
                A left = edge.before[row];
                if (row >= warp_lanes) left = plus(upper_half, left);
#pragma unroll
                for (int c = 0; c < of_lane; ++c) entry.entry[c] = plus(entry.entry[c], left);
            }
            if (has_fold) entry = row_of_lanes::added(fold, entry);
            if (has_top) entry = row_of_lanes::added(top, entry);
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
                    store_vector16(problem_.out + at + lane() * of_lane, vector);
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

    const Problem& problem_;
    const table_walks& walks_;
    walk_words words_;
    workspace_view<A> workspace_;
    unsigned char* ring_;
    memory& shared_;
};

#endif

template <class Shape>
__global__ __launch_bounds__(Shape::threads) void table_walker_kernel(
    const __grid_constant__ typename Shape::Problem problem,
    const __grid_constant__ table_walks walks, workspace_view<typename Shape::A> workspace) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    table_walker<Shape>(problem, walks, workspace, dynamic_shared_memory(),
                        shared_memory<table_walker_memory<Shape>>())
        .run();
#endif
}

}  // namespace lookback::detail::device
