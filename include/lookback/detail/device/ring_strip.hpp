/// \file
/// A block's work on one strip of an image in a box filter by rings (ring_windows.hpp): three roles
/// of its warps, eight rows (a step) at a time.
///
///     columns   each thread adds the items of a column downward, and writes the sums to the ring
///     rows      each warp makes prefix sums of a row of these sums, in place
///     pixels    each thread filters pixels whose windows lie in rows that are complete
///
/// A barrier of the block ends each step. Rows are complete two steps after they were read: one
/// step for each of the first two roles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/box_mean.hpp"
#include "lookback/detail/box_window.hpp"
#include "lookback/detail/device/aligned_value.hpp"
#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/image_column.hpp"
#include "lookback/detail/device/ring_shape.hpp"
#include "lookback/detail/device/tile_scan.hpp"
#include "lookback/detail/device/window_sums.hpp"
#include "lookback/detail/image_shape.hpp"

namespace lookback::detail::device {

/// A block's work on one strip of a band of rows.
template <class Problem>
class ring_strip {
    using In = decltype(Problem::in);
    using Item = typename Problem::Item;
    using Result = typename Problem::Result;
    using memory = ring_memory<Item>;
    using shape = typename memory::shape;
    using sums = window_sums<Item>;
    using radii = read_radii<decltype(Problem::radii)>;
    static constexpr int step = shape::step, words = memory::words;

 public:
    /// Rows [first, first + rows) of an image, from column `left` on.
    __device__ ring_strip(const Problem& problem, std::size_t image, std::int64_t first, int rows,
                          std::int64_t left)
        : problem_(problem),
          image_(image),
          first_(first),
          left_(left),
          rows_(rows),
          steps_(lag + (rows + step - 1) / step) {}

    /// Whether the ring has room for the windows of all pixels. All threads wait for each other.
    __device__ bool fits() const {
        bool all = true;
        for (int y = warp(); y < rows_; y += shape::threads / warp_lanes) {
            const std::size_t row =
                first_pixel() + static_cast<std::size_t>(y) * problem_.shape.width;
            // Without branches, so that loads do not wait for each other.
            typename radii::read_type read[shape::across];
#pragma unroll
            for (int i = 0; i < shape::across; ++i) {
                const int x = i * warp_lanes + lane();
                read[i] =
                    radii::read(problem_.radii, row + static_cast<unsigned>(x < columns() ? x : 0));
            }
#pragma unroll
            for (const auto& one : read) {
                all &= radii::radius(problem_.radii, one) <= shape::most_radius;
            }
        }
        return sync_block_and(all);
    }

    template <bool by_words>
    __device__ void filter() const {
        const int mine = warp() - shape::column_warps;
        if (mine < 0) {
            sum_columns<by_words>();
        } else if (mine < shape::row_warps) {
            scan_rows(mine);
        } else {
            filter_pixels(mine - shape::row_warps);
        }
    }

 private:
    // The step in which the first pixels are filtered: all rows of their windows are complete.
    static constexpr int lag = 2 * shape::reach / step + 2;

    // The block's threads, which are in different roles.
    __device__ static void sync_step() { sync_threads<1, shape::threads>(); }
    __device__ static memory& shared() {
        return *reinterpret_cast<memory*>(dynamic_shared_memory());
    }

    // The first pixel's place among those of all images, and the strip's columns of pixels.
    __device__ std::size_t first_pixel() const {
        return (image_ * problem_.shape.height + static_cast<std::size_t>(first_)) *
                   problem_.shape.width +
               static_cast<std::size_t>(left_);
    }
    __device__ int columns() const {
        const auto rest = static_cast<std::int64_t>(problem_.shape.width) - left_;
        return rest < shape::width ? static_cast<int>(rest) : shape::width;
    }

    __device__ static void advance(int& row) {
        row += step;
        if (row >= shape::rows) row -= shape::rows;
    }

    template <bool by_words>
    __device__ void sum_columns() const {
        using column = image_column<In, by_words>;
        const int c = thread_in_block();
        const column items(problem_.in, problem_.shape, problem_.border, image_,
                           left_ - shape::reach + c);
        std::int64_t y = first_ - shape::reach;
        typename column::read_type next[step];
        items.read(y, next);
        sums sum{};
        int row = 0;
        for (int s = 0; s < steps_; ++s) {
            sums of_row[step];
#pragma unroll
            for (int k = 0; k < step; ++k) {
                sum = sum + sums(items.item(next[k]));
                of_row[k] = sum;
            }
            items.read(y += step, next);  // on their way during a whole step
#pragma unroll
            for (int k = 0; k < step; ++k) {
#pragma unroll
                for (int w = 0; w < words; ++w) {
                    shared().word[row + k][w][c] = of_row[k].word[w];
                }
            }
            advance(row);
            sync_step();
        }
    }

    __device__ void scan_rows(int mine) const {
        struct alignas(8) pair {
            std::uint32_t word[2];
        };
        constexpr int pairs = shape::lane_columns / 2;
        int row = 0;
        for (int s = 0; s < steps_; ++s) {
            sync_step();  // the sums of step s are there
            const auto place = [&](int w) {
                return reinterpret_cast<pair*>(
                    &shared().word[row + mine][w][lane() * shape::lane_columns]);
            };
            sums sum[shape::lane_columns];
#pragma unroll
            for (int w = 0; w < words; ++w) {
#pragma unroll
                for (int i = 0; i < pairs; ++i) {
                    const pair two = place(w)[i];
                    sum[2 * i].word[w] = two.word[0];
                    sum[2 * i + 1].word[w] = two.word[1];
                }
            }
#pragma unroll
            for (int i = 1; i < shape::lane_columns; ++i) sum[i] = sum[i - 1] + sum[i];
            const sums total = sum[shape::lane_columns - 1];
            const auto add = [](const sums& a, const sums& b) { return a + b; };
            const sums before = scan_lanes(total, warp_lanes, add) - total;
#pragma unroll
            for (sums& one : sum) one = before + one;
#pragma unroll
            for (int w = 0; w < words; ++w) {
#pragma unroll
                for (int i = 0; i < pairs; ++i) {
                    place(w)[i] = {sum[2 * i].word[w], sum[2 * i + 1].word[w]};
                }
            }
            advance(row);
        }
    }

    __device__ void filter_pixels(int mine) const {
        constexpr int count = step / shape::down;  // pixels of a thread, shape::down rows apart
        const table_shape& all = problem_.shape;
        const int x = mine % shape::across * warp_lanes + lane();
        int y = mine / shape::across;
        const int rows = x < columns() ? rows_ : 0;
        std::size_t radius_at =
            first_pixel() + static_cast<std::size_t>(y) * all.width + static_cast<std::size_t>(x);
        std::size_t out_at = image_ * all.out_image +
                             static_cast<std::size_t>(first_ + y) * all.out_pitch +
                             static_cast<std::size_t>(left_ + x);
        typename radii::read_type next[count];
        const auto read_radii = [&](int from) {
#pragma unroll
            for (int i = 0; i < count; ++i) {
                const bool is_there = from + i * shape::down < rows;
                const std::size_t at = radius_at + i * shape::down * all.width;
                // (Any pixel of the strip will do where there is none: its window fits.)
                next[i] = radii::read(problem_.radii, is_there ? at : first_pixel());
            }
            radius_at += step * all.width;
        };
        read_radii(y);
        for (int s = 0; s < lag; ++s) sync_step();
        int ring_row = y;  // `reach` above the first pixel
        for (int s = lag; s < steps_; ++s, y += step) {
            std::uint32_t radius[count];
            sums sum[count];
#pragma unroll
            for (int i = 0; i < count; ++i) radius[i] = radii::radius(problem_.radii, next[i]);
            read_radii(y + step);  // on their way during a whole step
#pragma unroll
            for (int i = 0; i < count; ++i) {
                sum[i] = window(ring_row + i * shape::down, x, radius[i]);
            }
#pragma unroll
            for (int i = 0; i < count; ++i) {
                if (y + i * shape::down < rows) {
                    store_aligned(problem_.out, out_at + i * shape::down * all.out_pitch,
                                  mean(sum[i].unpacked(), radius[i]));
                }
            }
            out_at += step * all.out_pitch;
            advance(ring_row);
            sync_step();
        }
    }

    // The sum of the window around column x of the strip, `reach` rows below a row of the ring.
    __device__ sums window(int row, int x, std::uint32_t radius) const {
        constexpr auto rows = static_cast<unsigned>(shape::rows);
        // (r - rows wraps around if r is less.)
        const auto in_ring = [](unsigned r) { return r < r - rows ? r : r - rows; };
        const unsigned top = in_ring(static_cast<unsigned>(row + shape::most_radius) - radius);
        const unsigned bottom = in_ring(static_cast<unsigned>(row + shape::reach) + radius);
        const unsigned left = static_cast<unsigned>(x + shape::most_radius) - radius;
        const unsigned right = left + 2 * radius + 1;
        const auto entry = [&](unsigned r, unsigned c) {
            sums sum;
#pragma unroll
            for (int w = 0; w < words; ++w) sum.word[w] = shared().word[r][w][c];
            return sum;
        };
        return (entry(bottom, right) - entry(bottom, left)) -
               (entry(top, right) - entry(top, left));
    }

    template <class Sum>
    __device__ Result mean(const Sum& sum, std::uint32_t radius) const {
        if constexpr (std::is_integral_v<channel_type<Result>>) {
            return rounded_product<Result>(sum, shared().inverse[radius]);
        } else {
            return mean_of<Result>(sum, window_items(radius));
        }
    }

    const Problem& problem_;
    std::size_t image_;
    std::int64_t first_, left_;
    int rows_, steps_;
};

}  // namespace lookback::detail::device
