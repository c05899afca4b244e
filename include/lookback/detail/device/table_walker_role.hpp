/// \file
/// What the warps of a block share when it makes summed-area tables walk by walk
/// (table_walker.hpp): the ring of stages, the shared memory beside it, and what each role knows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/table_movers.hpp"
#include "lookback/detail/device/table_problem.hpp"
#include "lookback/detail/device/table_row.hpp"
#include "lookback/detail/device/table_walks.hpp"
#include "lookback/detail/device/tile_status.hpp"
#include "lookback/detail/device/workspace.hpp"

namespace lookback::detail::device {

/// A value that another block of the cluster sends, in pieces.
template <class A>
class sent_value {
    static constexpr int of_piece = sizeof(A) % 16 == 0 ? 16 : sizeof(A) % 8 == 0 ? 8 : 4;
    static constexpr int pieces = (static_cast<int>(sizeof(A)) + of_piece - 1) / of_piece;
    struct alignas(of_piece) piece {
        unsigned char byte[of_piece];
    };

 public:
    __device__ A get() const {
        A value;
        std::memcpy(static_cast<void*>(&value), piece_, sizeof(A));
        return value;
    }
    __device__ void set(const A& value) {
        std::memcpy(static_cast<void*>(piece_), &value, sizeof(A));
    }
    /// Sends a value to the place of this one in another block's memory.
    __device__ void send(unsigned block, const A& value, phase_barrier& there) {
        piece all[pieces] = {};
        std::memcpy(static_cast<void*>(all), &value, sizeof(A));
#pragma unroll
        for (int i = 0; i < pieces; ++i) send_to_block(piece_ + i, block, all[i], there);
    }

 private:
    piece piece_[pieces];
};

/// `in_words`: rows are copied in words, not item by item.
template <class Problem_, bool in_words_>
struct table_walker_shape {
    using Problem = Problem_;
    using A = typename Problem::value_type;
    static constexpr bool in_words = in_words_;
    // What lies in a stage: the items as they are if they are copied, otherwise already converted
    // to the type that is summed.
    using In = std::conditional_t<in_words, typename Problem::item_type, A>;
    static constexpr int columns = table_columns<A>;
    // Integers are summed twice: before what lies around the tile is known, only for totals. So a
    // stage has a tile's items, and not its own table, which is larger.
    static constexpr bool sums_twice = adds_exactly<A> && sizeof(In) < sizeof(A);
    // The rows of a tile that one summing warp sums: a group of table_order.hpp, or twice as many.
    static constexpr int strip_rows = static_cast<int>(table_group_rows) * (sums_twice ? 2 : 1);
    static constexpr int strips = table_rows_of_tile / strip_rows;
    static constexpr int load_threads = 128;
    // Storing warps form teams that take tiles in turn.
    static constexpr int store_teams = sums_twice ? 3 : 1;
    static constexpr int warps_of_team = sums_twice ? strips : 8;
    // If items are as large as entries, the tile's own table takes the place of its items;
    // otherwise it lies behind them.
    static constexpr int item_bytes = table_item_bytes<columns, In>;
    static constexpr int table_at = sizeof(In) == sizeof(A) ? 0 : item_bytes;
    static constexpr int table_bytes = table_rows_of_tile * columns * static_cast<int>(sizeof(A));
    static constexpr int stage_bytes = sums_twice     ? item_bytes
                                       : table_at > 0 ? table_at + table_bytes
                                                      : std::max(item_bytes, table_bytes);
    // About so many bytes of shared memory lie beside the stages: for each stage, and once for all.
    static constexpr int row_bytes = columns * static_cast<int>(sizeof(A));
    static constexpr int other_of_stage =
        3 * columns * static_cast<int>(sizeof(sent_value<A>)) +
        (2 * table_rows_of_tile + 2) * static_cast<int>(sizeof(A)) + 200 +
        (sums_twice ? strips * row_bytes : 0);
    // The last term: `stored` of table_walker_memory if rows are summed twice, otherwise `down`.
    static constexpr int other_bytes = 2 * static_cast<int>(table_kept) * row_bytes + 1024 +
                                       (sums_twice ? store_teams : 1) * strips * row_bytes;
    static constexpr int most =
        (hopper_shared_bytes - other_bytes) / (stage_bytes + other_of_stage);
    static constexpr int stages = std::min(most, sums_twice ? 16 : 6);
    // Warps take turns in looking above a tile.
    static constexpr int look_turns = std::min(stages, sums_twice ? 8 : 4);
    static constexpr int sum_threads = strips * warp_lanes;
    static constexpr int edge_threads = 128;
    static_assert(columns <= edge_threads && table_rows_of_tile <= edge_threads);
    static constexpr int store_threads = store_teams * warps_of_team * warp_lanes;
    static constexpr int first_to_look = load_threads;
    static constexpr int first_to_sum = first_to_look + look_turns * warp_lanes;
    static constexpr int first_at_edges = first_to_sum + sum_threads;
    static constexpr int first_to_store = first_at_edges + edge_threads;
    static constexpr int threads = first_to_store + store_threads;
    // A block finds what lies above some columns, for each tile of its cluster.
    static constexpr int cluster = static_cast<int>(table_batch);
    static constexpr int own_columns = columns / cluster;
};

/// A tile on its way through a block.
struct walked_tile {
    table_tile at;
    bool begins_part;  ///< the first tile of a part of a row of tiles, but not of the row
    bool ends_part;    ///< the last tile of a part, but not of the row
    bool is_end;       ///< no tile: the work ends
};

/// Goes along a walk.
struct table_step {
    std::uint32_t image, down, across;

    __device__ explicit table_step(const table_walk& way)
        : image(way.image), down(way.down), across(way.across), way_(way) {}
    /// Goes on to the next tile. Returns true at the end of the walk; then `across` is one beyond
    /// the last tile.
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
struct alignas(128) table_walker_memory {
    using A = typename Shape::A;

    /// What is known of a tile, beside its own table.
    struct alignas(16) edge {
        sent_value<A> tops[Shape::columns];   // what lies above the batch
        sent_value<A> folds[Shape::columns];  // what lies above the tile in the batch
        A rows[table_rows_of_tile];           // totals of rows
        // What lies to the left of a row and of the rows above it in its half.
        A before[table_rows_of_tile];
        // The last of `before` in the upper half and in the lower.
        A sums[2];
    };
    /// One more than the walks that blocks of a cluster can be apart. These are at most as many as
    /// there are stages, because each walk has at least one tile.
    static constexpr int claims_at_once = Shape::stages + 1;

    phase_barrier claimed[Shape::stages];  // it is known which tile is loaded
    phase_barrier loaded[Shape::stages];
    phase_barrier told[Shape::stages];    // all blocks have sent the totals of this block's columns
    phase_barrier found[Shape::stages];   // what lies above has arrived
    phase_barrier summed[Shape::stages];  // the tile's own table is there, or its totals
    phase_barrier edged[Shape::stages];   // and what lies to the left
    phase_barrier freed[Shape::stages];
    phase_barrier folded;  // this block reads no more words of other tiles
    phase_barrier claim_told[claims_at_once];
    alignas(8) claim claims[claims_at_once];
    walked_tile tile[Shape::stages];
    std::uint32_t epoch;
    sent_value<A> totals[Shape::stages][Shape::cluster][Shape::own_columns];
    edge edges[Shape::stages];
    // Totals of strips, column by column: of each stage, or of the tile that is summed.
    using row = typename table_row<A>::entries[table_row<A>::lanes];
    row down[Shape::sums_twice ? Shape::stages : 1][Shape::strips];
    // Where entries change lanes before they are stored.
    row stored[Shape::sums_twice ? Shape::store_threads / warp_lanes : 1];
    // For an image that the block has for itself: what lies above in the batch, and above the
    // batch.
    A folds[table_kept * Shape::columns], tops[table_kept * Shape::columns];
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

/// The base of all roles.
template <class Shape>
class table_walker_role {
 protected:
    using Problem = typename Shape::Problem;
    using A = typename Shape::A;
    using Above = typename Problem::Above;
    using memory = table_walker_memory<Shape>;
    using edge_of_tile = typename memory::edge;
    using row_of_lanes = table_row<A>;
    using entries = typename row_of_lanes::entries;
    static constexpr int columns = Shape::columns;
    static constexpr int lanes = row_of_lanes::lanes;
    static constexpr std::uint32_t stages = Shape::stages;

 public:
    __device__ table_walker_role(const Problem& problem, const table_walks& walks,
                                 const workspace_view<A>& workspace, unsigned char* ring,
                                 memory& shared)
        : problem_(problem),
          walks_(walks),
          words_(problem.tiles, walks),
          workspace_(workspace),
          ring_(ring),
          shared_(shared) {}

 protected:
    __device__ tile_statuses<A> statuses() const { return workspace_.statuses(); }
    __device__ static A plus(const A& a, const A& b) { return lookback::plus<A>{}(a, b); }
    // Arrives once for the warp. A barrier counts one arrival after the other: the arrivals of all
    // threads, some 700 for a tile, took as long as everything else.
    __device__ static void arrive(phase_barrier& barrier) {
        sync_warp();
        if (lane() == 0) barrier.arrive();
    }
    __device__ entries* own_table(std::uint32_t k) const {
        return reinterpret_cast<entries*>(ring_ + k % stages * Shape::stage_bytes +
                                          Shape::table_at);
    }
    // Calls store(tile, k) for each tile of a team as soon as it is known what lies around it, and
    // frees the tile's stage.
    template <class Store>
    __device__ void store_tiles(int team, const Store& store) const {
        for (auto k = static_cast<std::uint32_t>(team);; k += Shape::store_teams) {
            shared_.edged[k % stages].wait(k / stages);
            if (shared_.tile[k % stages].is_end) break;
            if (walks_.whole == 0) shared_.found[k % stages].wait_for_others(k / stages);
            store(shared_.tile[k % stages].at, k);
            arrive(shared_.freed[k % stages]);
        }
    }
    // Stores a row whose entries the warp's lanes have just written to shared memory, in the order
    // of memory.
    __device__ void store_in_order(const table_tile& here, std::uint64_t at,
                                   const entries* row) const {
        sync_warp();
        const A* const of_row = reinterpret_cast<const A*>(row);
#pragma unroll
        for (int c = 0; c < row_of_lanes::of_lane; ++c) {
            const int column = c * lanes + lane();
            if (lane() < lanes && column < here.columns) {
                problem_.store(at + static_cast<unsigned>(column), of_row[column]);
            }
        }
    }
    __device__ static bool is_whole(const table_tile& here) {
        return here.columns == columns && here.rows == table_rows_of_tile;
    }
    // How many items of a row are the lane's own.
    template <bool whole>
    __device__ static int used_items(const table_tile& here, int row) {
        if constexpr (whole) return row_of_lanes::of_lane;
        return row < here.rows ? here.columns - lane() % lanes * row_of_lanes::of_lane : 0;
    }
    __device__ static bool ends_batch(const table_tile& here) {
        return here.down % table_batch + 1 == table_batch;
    }
    __device__ static void announce(phase_barrier& barrier, std::size_t bytes) {
        barrier.expect(static_cast<std::uint32_t>(bytes));
        barrier.arrive();
    }

    const Problem& problem_;
    const table_walks& walks_;
    walk_words words_;
    workspace_view<A> workspace_;
    unsigned char* ring_;
    memory& shared_;
};

#endif

}  // namespace lookback::detail::device
