/// \file
/// Box filters of narrow integers by one small radius on a GPU, without a table: running sums down
/// the columns, prefix sums along each row.
///
/// A block filters a strip of columns, and holds the columns that its windows cover, a column in
/// each thread. For each row, a column's sum over the rows of the window is the sum for the row
/// above, plus the item that enters below, minus the item that leaves above. For eight rows at a
/// time, these sums go to shared memory, where each warp makes prefix sums of one row. A window's
/// sum is the difference of two of them. Sums are exact modulo 2^32 in whatever order they are
/// added, so the results are those of a table.
///
/// Bytes: each item is read twice, the second time from a cache; each result is written once. What
/// strips read of their neighbours comes on top: of a block's 256 columns, 2 radius are read
/// for the others, and 2 radius + 1 rows for each band of rows.
///
/// Source: McDonnell 1981, "Box-filtering techniques".
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/box_filter.hpp"
#include "lookback/detail/box_mean.hpp"
#include "lookback/detail/box_window.hpp"
#include "lookback/detail/device/aligned_value.hpp"
#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/divisor.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/image_column.hpp"
#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/tile_scan.hpp"
#include "lookback/detail/device/window_sums.hpp"
#include "lookback/detail/image_shape.hpp"
#include "lookback/gpu.hpp"

namespace lookback::detail::device {

inline constexpr int running_rows = 8;  // rows that a block filters at a time, a warp each
inline constexpr int running_threads = running_rows * warp_lanes;
inline constexpr int running_blocks = 3;  // for which a multiprocessor shall have room
/// The largest radius. A strip then has 160 of a block's 256 columns.
inline constexpr std::int64_t most_running_radius = 48;
/// Rows of a band, at least and at most.
inline constexpr std::uint32_t least_band = 32, most_band = 256;

/// A sum for each column, in rows. Entries that are eight columns apart lie in different banks.
template <class Sum>
struct running_memory {
    static constexpr int entries = running_threads + running_threads / running_rows;
    alignas(16) aligned_value<Sum> sum[running_rows][entries];

    __device__ static int place(int column) { return column + column / running_rows; }
};

template <class In, class Out>
struct running_problem {
    using Item = item_of<In>;
    using Result = item_of<Out>;
    using Sum = channel_sums<Item>;

    In in;
    Out out;
    table_shape shape;
    image_border border;
    int radius;
    std::uint32_t band_rows;
    divisor bands, strips;  ///< in an image

    __device__ int strip_columns() const { return running_threads - 2 * radius; }

    /// Filters rows [first, last) of an image, in the strip that begins with column `left`.
    template <bool by_words>
    __device__ void filter(std::size_t image, std::int64_t first, std::int64_t last,
                           std::int64_t left, running_memory<Sum>& shared) const {
        using column = image_column<In, by_words>;
        const auto width = static_cast<std::int64_t>(shape.width);
        const column items(in, shape, border, image, left - radius + thread_in_block());
        const auto sum_of = [&](const auto& row) { return static_cast<Sum>(items.item(row)); };
        Sum sum{};
#pragma unroll 4
        for (std::int64_t y = first - 1 - radius; y < first + radius; ++y) {
            sum = static_cast<Sum>(plus<Sum>{}(sum, sum_of(items.read(y))));
        }
        for (std::int64_t y = first; y < last; y += running_rows) {
            // All items are under way before the first is needed.
            typename column::read_type comes[running_rows], goes[running_rows];
            items.read(y + radius, comes);
            items.read(y - 1 - radius, goes);
#pragma unroll
            for (int k = 0; k < running_rows; ++k) {
                sum =
                    static_cast<Sum>(plus<Sum>{}(sum, subtract(sum_of(comes[k]), sum_of(goes[k]))));
                shared.sum[k][shared.place(thread_in_block())] = {sum};
            }
            sync_block();  // the columns' sums are there
            if (y + warp() < last) {
                filter_row(shared.sum[warp()],
                           image * shape.out_image +
                               static_cast<std::size_t>(y + warp()) * shape.out_pitch +
                               static_cast<std::size_t>(left),
                           width - left);
            }
            sync_block();  // all sums have been read
        }
    }

 private:
    // Writes a row of the strip from item `to` on; `columns` are left in the image.
    __device__ void filter_row(aligned_value<Sum>* row, std::size_t to,
                               std::int64_t columns) const {
        constexpr int per_lane = running_threads / warp_lanes;
        const auto add = [](const Sum& a, const Sum& b) {
            return static_cast<Sum>(plus<Sum>{}(a, b));
        };
        // Each lane has columns side by side.
        aligned_value<Sum>* const mine = row + running_memory<Sum>::place(lane() * per_lane);
        Sum prefix[per_lane];
        prefix[0] = mine[0].value;
#pragma unroll
        for (int i = 1; i < per_lane; ++i) prefix[i] = add(prefix[i - 1], mine[i].value);
        const Sum total = prefix[per_lane - 1];
        const Sum before = subtract(scan_lanes(total, warp_lanes, add), total);
#pragma unroll
        for (int i = 0; i < per_lane; ++i) mine[i] = {add(before, prefix[i])};
        sync_warp();  // the prefix sums are there
        const std::int64_t items = window_items(radius);
        const int count = columns < strip_columns() ? static_cast<int>(columns) : strip_columns();
        for (int x = lane(); x < count; x += warp_lanes) {
            Sum sum = row[running_memory<Sum>::place(x + 2 * radius)].value;
            if (x > 0) sum = subtract(sum, row[running_memory<Sum>::place(x - 1)].value);
            store_aligned(out, to + static_cast<std::size_t>(x), mean(sum, items));
        }
    }

    __device__ static Result mean(const Sum& sum, std::int64_t items) {
        if constexpr (std::is_integral_v<channel_type<Result>>) {
            if (items <= most_items_by<float>(item_bits<Item>)) {
                return rounded_product<Result>(sum, 1 / static_cast<float>(items));
            }
            return rounded_product<Result>(sum, 1 / static_cast<double>(items));
        } else {
            return mean_of<Result>(sum, items);
        }
    }
};

template <class Problem>
__global__ __launch_bounds__(running_threads, running_blocks) void running_window_kernel(
    const __grid_constant__ Problem problem) {
    auto& shared = shared_memory<running_memory<typename Problem::Sum>>();
    wait_for_previous_kernel();
    const table_shape& s = problem.shape;
    const std::uint64_t blocks = s.images * problem.bands.value() * problem.strips.value();
    for (std::uint64_t i = block_in_grid(); i < blocks; i += blocks_in_grid()) {
        const std::uint64_t bands = problem.strips.quotient(i);
        const std::uint64_t image = problem.bands.quotient(bands);
        const std::uint64_t first = (bands - image * problem.bands.value()) * problem.band_rows;
        const std::uint64_t last =
            s.height - first < problem.band_rows ? s.height : first + problem.band_rows;
        const std::uint64_t left =
            (i - bands * problem.strips.value()) * static_cast<unsigned>(problem.strip_columns());
        by_words_if_possible(problem.in, [&]<bool by_words>() {
            problem.template filter<by_words>(image, static_cast<std::int64_t>(first),
                                              static_cast<std::int64_t>(last),
                                              static_cast<std::int64_t>(left), shared);
        });
    }
}

/// How many rows of images a block takes: `least`, doubled up to `most` as long as blocks of
/// `times` as many rows would still be more than run at once. `blocks_of(rows)` blocks have so many
/// rows.
template <class BlocksOf>
std::uint32_t rows_of_blocks(const gpu& where, const kernel_facts& known, std::uint32_t least,
                             std::uint32_t most, std::uint32_t times, const BlocksOf& blocks_of) {
    std::uint32_t rows = least;
    while (rows < most &&
           access::blocks(where, blocks_of(times * rows), known) < blocks_of(times * rows)) {
        rows *= 2;
    }
    return rows;
}

/// Filters by a radius of at most most_running_radius.
template <class In, class Out>
void launch_running_windows(gpu& where, const In& in, const Out& out, const table_shape& shape,
                            image_border border, std::int64_t radius) {
    using problem = running_problem<In, Out>;
    constexpr auto kernel = running_window_kernel<problem>;
    const auto& known = access::facts<kernel>(where, running_threads, 0);
    const divisor strips(
        tiles_for(shape.width, static_cast<std::uint64_t>(running_threads - 2 * radius)));
    const auto blocks_of = [&](std::uint64_t rows) {
        return shape.images * tiles_for(shape.height, rows) * strips.value();
    };
    // High bands read few rows of their neighbours, but all multiprocessors shall have some.
    const std::uint32_t rows = rows_of_blocks(where, known, least_band, most_band, 4, blocks_of);
    start<kernel>(where, known, access::blocks(where, blocks_of(rows), known), running_threads, 0,
                  problem{in, out, shape, border, static_cast<int>(radius), rows,
                          divisor(tiles_for(shape.height, rows)), strips});
}

}  // namespace lookback::detail::device
