/// \file
/// What the warps of a block share that makes summed-area tables walk by walk (table_walker.hpp):
/// the ring of stages, the memory beside it, and what each role knows.
#pragma once

#include <algorithm>
#include <cstdint>
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
    // The tile's own table lies where its items lay, if these are as large, or behind them.
    static constexpr int item_bytes = table_item_bytes<columns, In>;
    static constexpr int table_at = sizeof(In) == sizeof(A) ? 0 : item_bytes;
    static constexpr int table_bytes = table_rows_of_tile * columns * static_cast<int>(sizeof(A));
    static constexpr int stage_bytes = table_at > 0 ? table_at + table_bytes
                                                    : std::max(item_bytes, table_bytes);
    static constexpr int most = (sizeof(A) > 16    ? 160
                                 : sizeof(A) == 16 ? 192
                                                   : 203) *
                                1024 / stage_bytes;
    static constexpr int stages = most < 6 ? most : 6;
    // A thread a column, for each of three tiles, by turns; of two where items are so wide that
    // there is room for two stages only.
    static constexpr int look_turns = stages < 3 ? stages : 3;
    static constexpr int look_threads = look_turns * 128;
    static_assert(columns <= look_threads / look_turns);
    static constexpr int sum_threads = groups * warp_lanes;
    static constexpr int store_threads = 128;
    static constexpr int first_to_look = load_threads;
    static constexpr int first_to_sum = first_to_look + look_threads;
    static constexpr int first_to_store = first_to_sum + sum_threads;
    static constexpr int threads = first_to_store + store_threads;
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
    // Of a warp, once: a barrier counts one arrival after the other, and those of all threads, some
    // 700 a tile, took as long as everything else.
    __device__ static void arrive(phase_barrier& barrier) {
        sync_warp();
        if (lane() == 0) barrier.arrive();
    }
    __device__ entries* own_table(std::uint32_t k) const {
        return reinterpret_cast<entries*>(ring_ + k % stages * Shape::stage_bytes +
                                          Shape::table_at);
    }
    __device__ static bool ends_batch(const table_tile& here) {
        return here.down % table_batch + 1 == table_batch;
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
