/// \file
/// What a block does with a tile of an image whose summed-area table is made (table_tiles.hpp).
///
/// Each of eight warps has eight rows. It scans them and sums them downward. When the totals of the
/// warps above are known, it leaves its rows of the tile's own table in the stage. The totals of
/// the tile's rows and columns are published at once. The look-back (table_look_back.hpp) leaves
/// what lies above the tile and to its left beside it in the stage. The storing threads add the
/// three and write entries from registers.
///
/// The order of sums is that of table_order.hpp. Items that are missing in tiles at the image's
/// edges count as A{}, which changes no sum that is written.
///
/// Cost: each item is read once, each entry written once; words of a tile: table_tiles.hpp.
///
/// Source: Crow 1984, "Summed-area tables for texture mapping"; Merrill & Garland 2016, applied
/// twice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/machine_copies.hpp"
#include "lookback/detail/device/table_look_back.hpp"
#include "lookback/detail/device/table_movers.hpp"
#include "lookback/detail/device/table_problem.hpp"
#include "lookback/detail/device/table_row.hpp"
#include "lookback/detail/device/table_tiles.hpp"
#include "lookback/detail/device/tile_agent.hpp"
#include "lookback/detail/device/tuning.hpp"

namespace lookback::detail::device {

inline constexpr int table_warps = static_cast<int>(table_tile_rows / table_group_rows);

/// `warps_`: the warps that work on a tile. `in_words`: rows are copied in words, not item by item.
template <class Problem, int warps_, bool in_words>
class table_agent : public agent_defaults {
    using A = typename Problem::value_type;
    // What lies in the stage: the items as they are if they are copied, otherwise already converted
    // to the type that is summed.
    using In = std::conditional_t<in_words, typename Problem::item_type, A>;
    static_assert(warps_ == table_warps);
    using row_of_lanes = table_row<A>;
    static constexpr int columns = table_columns<A>;
    static constexpr int of_lane = row_of_lanes::of_lane;
    static constexpr int lanes = row_of_lanes::lanes;
    static constexpr int rows_of_warp = static_cast<int>(table_group_rows);
    // If items are as large as entries, the tile's table takes the place of its items.
    static constexpr bool over_input = sizeof(In) == sizeof(A);
    static constexpr int table_bytes = table_rows_of_tile * columns * static_cast<int>(sizeof(A));
    static constexpr int item_bytes = table_item_bytes<columns, In>;
    static constexpr int edges_at =
        over_input ? std::max(table_bytes, item_bytes) : table_bytes + item_bytes;

    using entries = typename row_of_lanes::entries;

 public:
    using problem_type = Problem;
    using value_type = A;
    using prefix_type = A;
    using Above = typename Problem::Above;
    static constexpr int warps = warps_;
    static constexpr int threads = warps * warp_lanes;
    static constexpr int totals = warps * columns + table_rows_of_tile;
    static constexpr int tile_items = 1;
    static constexpr int stage_bytes =
        (edges_at + static_cast<int>(sizeof(table_edges<A>)) + 127) / 128 * 128;
    static constexpr bool loads_in_bulk = false;
    static constexpr bool stores_in_bulk = false;
    static constexpr bool copies_later = in_words;
    static constexpr std::uint32_t look_parts = table_parts;
    static constexpr bool emits = false;

    struct memory {};
    using edge_totals = table_totals<A>;

    __device__ explicit table_agent(const Problem& problem) : problem_(problem) {}

    template <int by>
    __device__ void load(unsigned char* stage, std::uint64_t number, int /*items*/,
                         int thread) const {
        load_table_items<by, columns>(reinterpret_cast<A*>(stage), problem_, at(number), thread);
    }
    template <int by>
    __device__ void start_load(unsigned char* stage, std::uint64_t number,
                               phase_barrier& /*loaded*/, int thread) const {
        start_table_rows<by, columns>(items_in(stage), problem_, at(number), thread);
    }

    template <class Barrier, class Publish>
    __device__ void reduce(unsigned char* stage, std::uint64_t number, int /*items*/,
                           memory& /*mine*/, A* totals_of_tile, const Barrier& barrier,
                           const Publish& publish) const {
        const table_tile here = at(number);
        const int group = thread() / warp_lanes;
        const int first = group * rows_of_warp;
        edge_totals edge{};
        edge.has_row = lane() < rows_of_warp && first + lane() < here.rows;
        entries sum[rows_of_warp];
        take_table_rows<in_words>(items_in(stage), problem_, here, first, sum);
        A* const totals_of_rows = totals_of_tile + warps * columns;
        row_of_lanes::scan(sum, totals_of_rows + first);
#pragma unroll
        for (int i = 1; i < rows_of_warp; ++i) sum[i] = row_of_lanes::added(sum[i - 1], sum[i]);
#pragma unroll
        for (int k = 0; k < of_lane; ++k) {
            if (lane() < lanes) {
                totals_of_tile[group * columns + k * lanes + lane()] =
                    sum[rows_of_warp - 1].entry[k];
            }
        }
        barrier();
        if (edge.has_row) edge.row = totals_of_rows[first + lane()];
        if (group > 0) {
            entries above;
#pragma unroll
            for (int k = 0; k < of_lane; ++k) {
                const A* const of_column = totals_of_tile + k * lanes + lane() % lanes;
                above.entry[k] = of_column[0];
#pragma unroll
                for (int g = 1; g < warps - 1; ++g) {
                    const A more = of_column[g * columns];
                    if (g < group) above.entry[k] = row_of_lanes::plus(above.entry[k], more);
                }
            }
#pragma unroll
            for (int i = 0; i < rows_of_warp; ++i) sum[i] = row_of_lanes::added(above, sum[i]);
        }
        edge.has_columns = group == warps - 1 && here.rows == table_rows_of_tile && lane() < lanes;
#pragma unroll
        for (int k = 0; k < of_lane; ++k) edge.column[k] = sum[rows_of_warp - 1].entry[k];
        publish(edge);
#pragma unroll
        for (int i = 0; i < rows_of_warp; ++i) {
            if (lane() < lanes) own_table(stage, first + i)[lane()] = sum[i];
        }
    }

    __device__ void publish(const tile_statuses<A>& statuses, std::uint32_t ticket,
                            std::uint32_t epoch, const edge_totals& edge) const {
        const table_words words(problem_.tiles);
        const std::uint32_t number = at(ticket).number;
        if (edge.has_row) {
            statuses.publish(words.row(number, thread() / warp_lanes * rows_of_warp + lane()),
                             epoch, edge.row);
        }
        if (edge.has_columns) {
#pragma unroll
            for (int k = 0; k < of_lane; ++k) {
                statuses.publish(words.column(number, k * lanes + lane()), epoch, edge.column[k]);
            }
        }
    }

    template <look_back_way>
    __device__ table_look_back<A, Above> start_look_back(const tile_statuses<A>& statuses,
                                                         std::uint32_t epoch) const {
        return {statuses, epoch, problem_.tiles, problem_.above};
    }
    /// Leaves a part of a tile's edges in its stage.
    __device__ maybe<A> before(const table_look_back<A, Above>& look_back, std::uint32_t ticket,
                               unsigned char* stage, std::uint32_t part) const {
        look_back.before(at(ticket), static_cast<int>(part), edges(stage));
        return {A{}, false};
    }

    template <int by>
    __device__ void store(unsigned char* stage, std::uint64_t number, int /*items*/,
                          const maybe<A>& /*prefix*/, bool /*last_tile*/, int thread) const {
        const table_tile here = at(number);
        const table_edges<A>& edge = edges(stage);
        const bool has_fold = here.down % table_batch > 0;
        const bool has_top = here.down >= table_batch || !is_absent<Above>;
        constexpr int step = by / warp_lanes;
        if constexpr (Problem::writes_vectors) {
            if (problem_.aligned_vectors) {
                entries fold, top;
#pragma unroll
                for (int k = 0; k < of_lane; ++k) {
                    fold.entry[k] = edge.fold[lane() * of_lane + k];
                    top.entry[k] = edge.top[lane() * of_lane + k];
                }
                const bool used = lane() * of_lane < here.columns;
#pragma unroll 4
                for (int row = thread / warp_lanes; row < here.rows; row += step) {
                    entries sum = own_table(stage, row)[lane()];
                    const maybe<A> left = edge.left_of(here, row);
                    vector16<A> entry;
#pragma unroll
                    for (int k = 0; k < of_lane; ++k) {
                        entry.item[k] = edge.entry_of(sum.entry[k], left, {fold.entry[k], has_fold},
                                                      {top.entry[k], has_top});
                    }
                    if (used) {
                        store_global_vector16(problem_.out + place_of(here, row) + lane() * of_lane,
                                              entry);
                    }
                }
                return;
            }
        }
        for (int row = thread / warp_lanes; row < here.rows; row += step) {
            const maybe<A> left = edge.left_of(here, row);
            const A* const sums = reinterpret_cast<const A*>(own_table(stage, row));
#pragma unroll
            for (int k = 0; k < of_lane; ++k) {
                const int column = k * lanes + lane();
                if (lane() < lanes && column < here.columns) {
                    problem_.store(place_of(here, row) + static_cast<unsigned>(column),
                                   edge.entry_of(sums[column], left, {edge.fold[column], has_fold},
                                                 {edge.top[column], has_top}));
                }
            }
        }
    }

    __device__ void emit_nothing() const {}

 private:
    __device__ static int thread() { return thread_in_block() % threads; }
    __device__ table_tile at(std::uint64_t ticket) const {
        return problem_.tiles.at(static_cast<std::uint32_t>(ticket));
    }
    __device__ static unsigned char* items_in(unsigned char* stage) {
        return stage + (over_input ? 0 : table_bytes);
    }
    __device__ static entries* own_table(unsigned char* stage, int row) {
        return reinterpret_cast<entries*>(stage) + row * lanes;
    }
    __device__ static table_edges<A>& edges(unsigned char* stage) {
        return *reinterpret_cast<table_edges<A>*>(stage + edges_at);
    }
    __device__ std::uint64_t place_of(const table_tile& here, int row) const {
        return here.out + static_cast<unsigned>(row) * problem_.tiles.out_pitch;
    }

    const Problem& problem_;
};

}  // namespace lookback::detail::device
