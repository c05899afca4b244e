/// \file
/// Summed-area tables of many images that are no wider than a tile: a warp, or a part of it, makes
/// the table of an image from top to bottom by itself, and publishes nothing.
///
/// A part has 1 to 32 lanes, as many as the image's columns take. It scans some rows, adds them up
/// downward, adds what lies above, which its registers hold, and writes them. The order of sums is
/// that of table_order.hpp. Rows on vector boundaries are read and written from registers; entries
/// of other rows change lanes in shared memory, so that a warp reads and writes side by side.
///
/// Cost: each item is read once, each entry written once, without extra memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/call.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/table_movers.hpp"
#include "lookback/detail/device/table_order.hpp"
#include "lookback/detail/device/table_row.hpp"
#include "lookback/detail/unsigned_words.hpp"

namespace lookback::detail::device {

inline constexpr int narrow_warps = 4;  // of a block
/// Rows that are scanned at a time. The next ones are loaded meanwhile.
inline constexpr int narrow_rows = 4;

template <class Problem>
class narrow_table {
    using A = typename Problem::value_type;
    using Item = typename Problem::item_type;
    using row_of_lanes = table_row<A>;
    using entries = typename row_of_lanes::entries;
    static constexpr int of_lane = row_of_lanes::of_lane;
    // A lane's items of a row. If they lie on a boundary of their size, one word has them.
    using items = packed_items<Item, of_lane>;
    static constexpr bool can_be_word = Problem::can_be_aligned && sizeof(items) == alignof(items);
    static auto word_type() {
        if constexpr (!can_be_word) {
            return std::type_identity<void>{};
        } else if constexpr (sizeof(items) == 16) {
            return std::type_identity<uint4>{};
        } else {
            return word_of_bytes<sizeof(items)>{};
        }
    }
    using word = typename decltype(word_type())::type;

 public:
    /// Where entries of a warp's rows change lanes.
    struct room {
        entries row[narrow_rows][warp_lanes];

        __device__ A& entry(int i, int place) { return reinterpret_cast<A*>(row[i])[place]; }
    };

    /// Parts have `lanes` lanes; this thread's part makes the table of `image`, if it exists.
    __device__ narrow_table(const Problem& problem, std::uint64_t image, int lanes, room& of_warp)
        : problem_(problem),
          tiles_(problem.tiles),
          room_(of_warp),
          lanes_(lanes),
          place_(lane() & (lanes - 1)),
          columns_(image < problem.tiles.images ? static_cast<int>(problem.tiles.width) : 0),
          in_(image * problem.tiles.in_image),
          out_(image * problem.tiles.out_image + problem.tiles.out_first) {}

    __device__ void run() {
        if constexpr (can_be_word) {
            if (problem_.word_bytes >= static_cast<int>(sizeof(items))) return run_by<word>();
        }
        run_by<entries>();
    }

 private:
    template <class Loaded>
    __device__ void run_by() {
        entries column, own_above, fold, top;  // in the group; tile; batch of tiles; above those
        bool has_fold = false, has_top = false;
        if (has_border()) store_row_above();
        Loaded next[narrow_rows];
        load(0, next);
        for (std::uint64_t row = 0; row < tiles_.height;) {
            entries sum[narrow_rows];
            take(next, sum);
            const auto in_tile = static_cast<unsigned>(row) % table_rows_of_tile;
            const int left = rows_left(row);
            row += narrow_rows;
            load(row, next);
            row_of_lanes::scan(sum, place_);
            if (in_tile % table_group_rows > 0) sum[0] = row_of_lanes::added(column, sum[0]);
#pragma unroll
            for (int i = 1; i < narrow_rows; ++i) sum[i] = row_of_lanes::added(sum[i - 1], sum[i]);
            column = sum[narrow_rows - 1];
            if (in_tile >= table_group_rows) add_to_all(own_above, sum);
            if ((in_tile + narrow_rows) % table_group_rows == 0) own_above = sum[narrow_rows - 1];
            if (has_fold) add_to_all(fold, sum);
            if (has_top) add_to_all(top, sum);
            store(left, sum);
            if (row % table_rows_of_tile != 0) continue;
            fold = has_fold ? row_of_lanes::added(fold, own_above) : own_above;
            has_fold = row % (table_rows_of_tile * table_batch) != 0;
            if (has_fold) continue;
            top = has_top ? row_of_lanes::added(top, fold) : fold;
            has_top = true;
        }
    }

    __device__ static void add_to_all(const entries& above, entries (&sum)[narrow_rows]) {
#pragma unroll
        for (int i = 0; i < narrow_rows; ++i) sum[i] = row_of_lanes::added(above, sum[i]);
    }

    // Of the rows from `row` on, how many there are, up to narrow_rows.
    __device__ int rows_left(std::uint64_t row) const {
        if (row >= tiles_.height) return 0;
        const std::uint64_t left = tiles_.height - row;
        return left < narrow_rows ? static_cast<int>(left) : narrow_rows;
    }
    /// The column of which this lane reads and writes item c of a row if a warp's accesses lie side
    /// by side, and its place in the room.
    __device__ int column_of(int c) const { return c * lanes_ + place_; }
    __device__ int place_of(int c) const { return (lane() - place_) * of_lane + column_of(c); }

    // Load the next rows, and go on. What lies beyond the image is zero.
    template <class Word>
    __device__ void load(std::uint64_t row, Word (&to)[narrow_rows]) {
        const int left = place_ * of_lane < columns_ ? rows_left(row) : 0;
        const auto* from = problem_.in + in_ + place_ * of_lane;
#pragma unroll
        for (int i = 0; i < narrow_rows; ++i, from += tiles_.in_pitch) {
            to[i] = Word{};
            if (i < left) to[i] = *reinterpret_cast<const Word*>(from);
        }
        in_ += narrow_rows * tiles_.in_pitch;
    }
    __device__ void load(std::uint64_t row, entries (&to)[narrow_rows]) {
        const int left = rows_left(row);
#pragma unroll
        for (int i = 0; i < narrow_rows; ++i, in_ += tiles_.in_pitch) {
#pragma unroll
            for (int c = 0; c < of_lane; ++c) {
                to[i].entry[c] = A{};
                if (i < left && column_of(c) < columns_) {
                    to[i].entry[c] =
                        Problem::value(problem_.in[static_cast<std::int64_t>(in_) + column_of(c)]);
                }
            }
        }
    }
    // What was loaded as the type that is summed, each item at the lane of its column.
    template <class Word>
    __device__ void take(const Word (&from)[narrow_rows], entries (&sum)[narrow_rows]) const {
#pragma unroll
        for (int i = 0; i < narrow_rows; ++i) {
            items of_row;
            std::memcpy(static_cast<void*>(&of_row), &from[i], sizeof(of_row));
#pragma unroll
            for (int c = 0; c < of_lane; ++c) sum[i].entry[c] = Problem::value(of_row.item[c]);
        }
    }
    __device__ void take(const entries (&from)[narrow_rows], entries (&sum)[narrow_rows]) const {
        if constexpr (of_lane == 1) {
#pragma unroll
            for (int i = 0; i < narrow_rows; ++i) sum[i] = from[i];
        } else {
#pragma unroll
            for (int i = 0; i < narrow_rows; ++i) {
#pragma unroll
                for (int c = 0; c < of_lane; ++c) room_.entry(i, place_of(c)) = from[i].entry[c];
            }
            sync_warp();
#pragma unroll
            for (int i = 0; i < narrow_rows; ++i) sum[i] = room_.row[i][lane()];
            sync_warp();
        }
    }

    // A table may have a row and a column of zeros before its own.
    __device__ bool has_border() const { return tiles_.out_first > 0; }
    __device__ void store_row_above() const {
        const std::uint64_t at = out_ - tiles_.out_first;
        for (int column = place_; columns_ > 0 && column <= columns_; column += lanes_) {
            problem_.store(at + static_cast<unsigned>(column), A{});
        }
    }
    __device__ void store_column_before(int left) const {
        std::uint64_t at = out_ - 1;
#pragma unroll
        for (int i = 0; i < narrow_rows; ++i, at += tiles_.out_pitch) {
            if (i < left && place_ == 0 && columns_ > 0) problem_.store(at, A{});
        }
    }

    // Goes on to the next rows.
    __device__ void store(int left, const entries (&sum)[narrow_rows]) {
        if (has_border()) store_column_before(left);
        if constexpr (Problem::writes_vectors) {
            if (problem_.aligned_vectors) {
                auto* to = problem_.out + out_ + place_ * of_lane;
                const bool used = place_ * of_lane < columns_;
#pragma unroll
                for (int i = 0; i < narrow_rows; ++i, to += tiles_.out_pitch) {
                    vector16<A> vector;
#pragma unroll
                    for (int c = 0; c < of_lane; ++c) vector.item[c] = sum[i].entry[c];
                    if (used && i < left) store_global_vector16(to, vector);
                }
                out_ += narrow_rows * tiles_.out_pitch;
                return;
            }
        }
        if constexpr (of_lane > 1) {
#pragma unroll
            for (int i = 0; i < narrow_rows; ++i) room_.row[i][lane()] = sum[i];
            sync_warp();
        }
#pragma unroll
        for (int i = 0; i < narrow_rows; ++i, out_ += tiles_.out_pitch) {
#pragma unroll
            for (int c = 0; c < of_lane; ++c) {
                if (i < left && column_of(c) < columns_) {
                    problem_.store(out_ + static_cast<unsigned>(column_of(c)),
                                   of_lane > 1 ? room_.entry(i, place_of(c)) : sum[i].entry[c]);
                }
            }
        }
        if constexpr (of_lane > 1) sync_warp();
    }

    const Problem& problem_;
    const table_tiles& tiles_;
    room& room_;
    int lanes_, place_;
    int columns_;             ///< 0: there is no image for this part
    std::uint64_t in_, out_;  ///< the first of the next rows
};

template <class Problem>
__global__ __launch_bounds__(narrow_warps* warp_lanes) void narrow_table_kernel(
    const __grid_constant__ Problem problem, int lanes) {
    using table = narrow_table<Problem>;
    struct rooms {
        typename table::room of_warp[narrow_warps];
    };
    auto& shared = shared_memory<rooms>();
    wait_for_previous_kernel();
    if (problem.count.get() == 0) return;
    const std::uint64_t image = thread_in_grid() / static_cast<unsigned>(lanes);
    table(problem, image, lanes, shared.of_warp[warp()]).run();
}

/// Starts this kernel, unless images are too few to keep the GPU busy, or fill more than half of a
/// tile, so that table_walker.hpp does better; returns whether it did.
template <class Problem>
bool launch_narrow_tables(gpu& where, const Problem& problem) {
    using row_of_lanes = table_row<typename Problem::value_type>;
    constexpr auto kernel = narrow_table_kernel<Problem>;
    constexpr int threads = narrow_warps * warp_lanes;
    const table_tiles& tiles = problem.tiles;
    if (tiles.across > 1) return false;
    const std::uint64_t lanes = std::bit_ceil(tiles_for(tiles.width, row_of_lanes::of_lane));
    const std::uint64_t rows = std::min<std::uint64_t>(tiles.height, table_rows_of_tile);
    if (2 * lanes * rows > row_of_lanes::lanes * table_rows_of_tile) return false;
    const std::uint64_t blocks = tiles_for(tiles.images * lanes, threads);
    const auto& known = access::facts<kernel>(where, threads, 0);
    const std::uint64_t at_once = access::blocks(where, most_claimed_tiles, known);
    // An image that is higher takes longer, and other drivers share it out.
    if (blocks < at_once / (tiles.down > 1 ? 3 : 16)) return false;
    start<kernel>(where, known, blocks, threads, 0, problem, static_cast<int>(lanes));
    return true;
}

}  // namespace lookback::detail::device
