/// \file
/// The driver that makes summed-area tables walk by walk (table_walks.hpp), on GPUs of compute
/// capability 9.0 and later.
///
/// Blocks stay for the whole launch. Some warps claim walks and bring tiles into a ring of stages;
/// some look for what lies above tiles, as soon as these are claimed. Two teams of eight warps take
/// the tiles in turns, so that one works while the other waits. A warp scans eight rows of its tile
/// and sums them downward; then what the warps above have, what lies to the left, which the team
/// before has left in shared memory, and what lies above: which others publish (walk_words), or,
/// where a block has an image for itself, the team before. The order of sums is that of
/// table_order.hpp.
///
/// Columns are told with what lies to the left already in them, a word for each; the last tile of a
/// batch of eight rows of tiles publishes the batch's fold. A tile reads up to seven words a column
/// of its own batch, up to fifteen of batches, and what lies above those.
///
/// It finishes: walks are claimed in order by blocks that run, and a tile waits for tiles of
/// earlier walks, and for those before it in its block.
///
/// Memory order: each word carries its own value (tile_status.hpp). Within a block, barriers.
///
/// Cost: each item is read once, each entry written once; a word a column for each 64 rows, and of
/// those 18 are read, at most 23.
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
    static constexpr int team_threads = groups * warp_lanes;
    static_assert(columns <= team_threads / 2);
    static constexpr int teams = 2;
    static constexpr int load_threads = 128;
    // A thread for each column looks for what lies above in the batch, one for what lies above
    // that.
    static constexpr int look_threads = 2 * team_threads / 2;
    static constexpr int first_to_look = load_threads;
    static constexpr int first_to_sum = first_to_look + look_threads;
    static constexpr int threads = first_to_sum + teams * team_threads;
    static constexpr int stage_bytes = table_rows_of_tile * columns * static_cast<int>(sizeof(In));
    // Each team has stages of its own.
    static constexpr int stages = teams * (sizeof(A) > 8 ? 2 : 3);
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

    /// Of a team, for one tile.
    struct of_team {
        typename table_row<A>::entries down[Shape::groups][warp_lanes];  // totals of groups
        A own[Shape::columns];                                           // totals of columns
        A rows[table_rows_of_tile];                                      // totals of rows
        A before[table_rows_of_tile];  // what lies to the left, and of the rows above
        A sums[2];                     // of that, in the upper half and in the lower
    };

    /// What lies above a tile: in the batch, and all of it.
    struct alignas(16) edge {
        A folds[Shape::columns], tops[Shape::columns];
    };

    phase_barrier claimed[Shape::stages];  // which tile is loaded is known
    phase_barrier loaded[Shape::stages];
    phase_barrier folds_found[Shape::stages];  // what lies above in the batch is found
    phase_barrier found[Shape::stages];        // what lies above is found
    phase_barrier freed[Shape::stages];
    phase_barrier stored[Shape::stages];  // and its edges are free
    phase_barrier left[Shape::teams];     // what lies to the left of the next tile is known
    phase_barrier above[Shape::teams];    // and what lies above
    phase_barrier folded;                 // no word is looked at any more
    walked_tile tile[Shape::stages];
    claim claims[2];
    std::uint32_t epoch;
    of_team team[Shape::teams];
    edge edges[Shape::stages];
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
    static constexpr std::uint32_t teams = Shape::teams, stages = Shape::stages;
    static constexpr int batch_tiles = static_cast<int>(table_batch);
    static constexpr int load_warps = Shape::load_threads / warp_lanes;
    static constexpr int look_warps = Shape::look_threads / 2 / warp_lanes;  // of a tile

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
        } else {
            sum_tiles(
                static_cast<std::uint32_t>((thread - Shape::first_to_sum) / Shape::team_threads));
        }
    }

 private:
    __device__ tile_statuses<A> statuses() const { return workspace_.statuses(); }
    __device__ static A plus(const A& a, const A& b) { return lookback::plus<A>{}(a, b); }

    __device__ void init() {
        for (std::uint32_t s = 0; s < stages; ++s) {
            shared_.loaded[s].init(load_warps + (Shape::in_words ? Shape::load_threads : 0));
            shared_.freed[s].init(Shape::groups + (walks_.whole > 0 ? 0 : look_warps));
            shared_.stored[s].init(Shape::groups);
            shared_.claimed[s].init(1);
            shared_.folds_found[s].init(look_warps);
            shared_.found[s].init(look_warps);
        }
        for (std::uint32_t t = 0; t < teams; ++t) {
            shared_.left[t].init(table_rows_of_tile / warp_lanes);
            shared_.above[t].init(Shape::groups / 2);
        }
        shared_.folded.init(Shape::teams * Shape::groups + Shape::look_threads / warp_lanes);
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
        for (const std::uint32_t end = k + teams; k < end; ++k) {  // one for each team
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
        constexpr int half = Shape::look_threads / 2;
        static_assert(stages % 2 == 0);
        for (std::uint32_t k = static_cast<std::uint32_t>(thread / half); walks_.whole == 0;
             k += 2) {
            shared_.claimed[k % stages].wait(k / stages);
            const table_tile here = shared_.tile[k % stages].at;
            if (here.rows == 0) break;
            arrive(shared_.freed[k % stages]);
            if (k >= stages) shared_.stored[k % stages].wait(k / stages - 1);
            find_above(here, k, thread % half);
            arrive(shared_.found[k % stages]);
        }
        arrive(shared_.folded);
    }

    // ---- summing

    __device__ static int thread_of_team() {
        return (thread_in_block() - Shape::first_to_sum) % Shape::team_threads;
    }
    __device__ static void sync_team(std::uint32_t team) {
        static_assert(teams == 2);
        if (team == 0) {
            sync_threads<2, Shape::team_threads>();
        } else {
            sync_threads<3, Shape::team_threads>();
        }
    }
    // Before position k is summed: what position k - 1 has left.
    __device__ static void wait_for(phase_barrier (&known)[teams], std::uint32_t k) {
        if (k > 0) known[(k - 1) % teams].wait((k - 1) / teams);
    }

    __device__ void sum_tiles(std::uint32_t team) {
        auto& mine = shared_.team[team];
        for (std::uint32_t k = team;; k += teams) {
            shared_.loaded[k % stages].wait(k / stages);
            const walked_tile tile = shared_.tile[k % stages];
            const table_tile& here = tile.at;
            if (here.rows == 0) break;
            auto& edge = shared_.edges[k % stages];

            // 1. The tile's own table: rows, down a group, down the tile.
            const int group = thread_of_team() / warp_lanes;
            entries sum[rows];
            take_table_rows<A, In>(ring_ + k % stages * Shape::stage_bytes, here, group * rows, sum,
                                   [](const In& item) { return value_of(item); });
            arrive(shared_.freed[k % stages]);
            row_of_lanes::scan(sum, mine.rows + group * rows);
#pragma unroll
            for (int i = 1; i < rows; ++i) sum[i] = row_of_lanes::added(sum[i - 1], sum[i]);
            mine.down[group][lane()] = sum[rows - 1];
            sync_team(team);
            if (group > 0) {
                entries above = mine.down[0][lane()];
#pragma unroll
                for (int g = 1; g < Shape::groups - 1; ++g) {
                    if (g < group) above = row_of_lanes::added(above, mine.down[g][lane()]);
                }
#pragma unroll
                for (int i = 0; i < rows; ++i) sum[i] = row_of_lanes::added(above, sum[i]);
            }
            if (group == Shape::groups - 1 && lane() < lanes) {
#pragma unroll
                for (int c = 0; c < of_lane; ++c) {
                    mine.own[lane() * of_lane + c] = sum[rows - 1].entry[c];
                }
            }

            // 2. What lies to the left.
            if (group * warp_lanes < table_rows_of_tile) {
                find_left(tile, k, group * warp_lanes + lane(), mine);
            }
            sync_team(team);

            // 3. What lies above, and what is told to those below.
            const int column = thread_of_team();
            if (walks_.whole > 0) {
                if (column < Shape::team_threads / 2) keep_above(here, k, column, mine, edge);
                sync_team(team);
            } else {
                const bool tells = column < here.columns && here.down + 1 < walks_.down;
                A total{};
                if (tells) {
                    total = total_of(here, column, mine);
                    statuses().publish(words_.column(here, here.down, column), shared_.epoch,
                                       total);
                }
                // A batch's fold waits for nothing above the batch.
                if (ends_batch(here)) {
                    shared_.folds_found[k % stages].wait(k / stages);
                    if (tells) {
                        statuses().publish(words_.fold(here, here.down / table_batch, column),
                                           shared_.epoch, plus(edge.folds[column], total));
                    }
                }
                shared_.found[k % stages].wait(k / stages);
            }

            // 4. Entries.
            store(here, group, sum, mine, edge);
            arrive(shared_.stored[k % stages]);
        }
        arrive(shared_.folded);
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
    __device__ void find_left(const walked_tile& tile, std::uint32_t k, int row,
                              typename memory::of_team& mine) {
        const table_tile& here = tile.at;
        const std::uint32_t in_batch = here.across % table_batch;
        const std::uint32_t batch = here.across / table_batch % table_batch;
        maybe<A> stretches{A{}, here.across >= table_stretch};
        maybe<A> batches{A{}, batch > 0}, tiles{A{}, in_batch > 0};
        if (walks_.across > 1 || walks_.whole == 0) wait_for(shared_.left, k);
        if (tile.begins_part) {
            const auto told = [&](maybe<A>& value, int which) {
                asked_words<A, 1> word(statuses(), shared_.epoch,
                                       words_.left(here, walks_, which, row), 0, 1, value.some);
                word.wait();
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

        tiles = append(tiles, mine.rows[row], plus);
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
        arrive(shared_.left[k % teams]);
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
        mine.before[row] = sum;
        if (lane() == warp_lanes - 1) mine.sums[row / warp_lanes] = sum;
    }

    // A column's total, what lies to the left of it added.
    __device__ static A total_of(const table_tile& here, int column,
                                 const typename memory::of_team& mine) {
        const A own = mine.own[column];
        return here.across == 0 ? own : plus(own, plus(mine.sums[0], mine.sums[1]));
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
        const bool told = begins ? batch > table_folds : batch > 0;
        asked_words<A, 1> start(statuses(), shared_.epoch,
                                words_.top(here, begins ? batch - count : batch, column), 0, 1,
                                used && told);
        asked_words<A, table_folds> words(
            statuses(), shared_.epoch,
            begins ? words_.fold(here, batch - count, column)
                   : words_.column(here, here.down - static_cast<unsigned>(in_batch), column),
            words_.to_below(), begins ? static_cast<int>(count) : in_batch, used);
        maybe<A> fold{A{}, false};
        if (!begins) {
            words.wait();
            fold = words.fold(fold, in_batch, plus);
            if (used) edge.folds[column] = fold.value;
        }
        arrive(shared_.folds_found[k % stages]);
        start.wait();
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
            words.wait();
            top = words.fold(top, static_cast<int>(count), plus);
        }
        if (!used) return;
        edge.tops[column] = combine(top, fold, plus).value;
        if (begins && batch > 0) {
            statuses().publish(words_.top(here, batch, column), shared_.epoch, top.value);
        }
    }

    // The same, of an image that this block has for itself.
    __device__ void keep_above(const table_tile& here, std::uint32_t k, int column,
                               const typename memory::of_team& mine, typename memory::edge& edge) {
        if (walks_.down == 1) return;
        wait_for(shared_.above, k);
        if (column < here.columns) {
            const int at = static_cast<int>(here.across) * columns + column;
            maybe<A> fold{A{}, here.down % table_batch > 0}, top{A{}, here.down >= table_batch};
            if (fold.some) fold.value = shared_.folds[at];
            if (top.some) top.value = shared_.tops[at];
            edge.tops[column] = combine(top, fold, plus).value;
            fold = append(fold, total_of(here, column, mine), plus);
            shared_.folds[at] = fold.value;
            if (ends_batch(here)) shared_.tops[at] = append(top, fold.value, plus).value;
        }
        arrive(shared_.above[k % teams]);
    }

    __device__ void store(const table_tile& here, int group, const entries (&sum)[rows],
                          typename memory::of_team& mine, const typename memory::edge& edge) const {
        const bool has_top = here.down > 0 || !is_absent<Above>;
        entries top{};
        if (has_top) top = reinterpret_cast<const entries*>(edge.tops)[lane() % lanes];
        const bool lower = group * rows >= warp_lanes;
        const A upper_half = mine.sums[0];
        const auto put = [&](int i) {
            const int row = group * rows + i;
            entries entry = sum[i];
            if (here.across > 0) {
                A left = mine.before[row];
                if (lower) left = plus(upper_half, left);
#pragma unroll
                for (int c = 0; c < of_lane; ++c) entry.entry[c] = plus(entry.entry[c], left);
            }
            if (has_top) entry = row_of_lanes::added(top, entry);
            store_row(here, row, entry, mine.down[group]);
        };
        if (here.rows == table_rows_of_tile) {
#pragma unroll
            for (int i = 0; i < rows; ++i) put(i);
        } else {
            for (int i = 0; i < rows && group * rows + i < here.rows; ++i) put(i);
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
