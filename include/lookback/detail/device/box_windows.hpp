/// \file
/// The kernel of box filters on a GPU: each thread reads the corners of its pixels' windows from
/// the images' tables.
///
/// Most windows lie within their image, and their four corners are entries of the table. The kernel
/// goes by what these cost: a thread filters up to four pixels of a row at a time, so that it
/// computes places only once and waits once for all corners; and means that are rounded are
/// products.
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
#include "lookback/detail/device/machine.hpp"
#include "lookback/detail/device/ring_windows.hpp"
#include "lookback/detail/image_shape.hpp"

namespace lookback::detail::device {

/// Tables of images in scratch memory, seen as tables with a row and a column of zeros, which are
/// not stored. Their rows begin on boundaries of 16 bytes, and are `pitch` entries apart through
/// all images.
template <class A>
struct scratch_tables {
    const A* entries;
    std::size_t pitch;
    std::size_t image_items;

    struct one {
        const A* entries;
        std::size_t pitch;
        __device__ A operator()(std::size_t row, std::size_t column) const {
            return row == 0 || column == 0 ? A{} : entries[(row - 1) * pitch + column - 1];
        }
    };
    __device__ one of(std::size_t image) const { return {entries + image * image_items, pitch}; }

    /// window_sum for the window around the item of a row of all rows, if its four corners are
    /// stored entries.
    __device__ A sum_within(std::uint64_t row, std::uint64_t column, std::uint32_t radius) const {
        const std::uint32_t side = 2 * radius + 1;
        const A* const top = entries + row * pitch + column - (radius + 1) * (pitch + 1);
        const A* const bottom = top + side * pitch;
        return subtract<A>(subtract<A>(entry(bottom + side), entry(bottom)),
                           subtract<A>(entry(top + side), entry(top)));
    }

 private:
    __device__ static A entry(const A* at) {
        const auto all = *reinterpret_cast<const aligned_value<A>*>(at);
        return all.value;
    }
};

inline constexpr int window_warps = 8;                 // of a block
inline constexpr std::uint32_t most_window_rows = 64;  // of a block
/// Pixels that a thread filters at a time, from a table of entries A. Wide entries of more pixels
/// would take more of the cache than neighbouring windows share.
template <class A>
inline constexpr int window_stretch = sizeof(A) <= 8 ? 4 : 1;
template <class A>
inline constexpr int window_columns = window_stretch<A> * warp_lanes;  // of a block

/// `More`: the entries of the second table, which has sums of squares, or how many items are
/// blurred.
template <window_result what, class In, class Radii, class Out, class A, class More>
struct window_problem {
    using Item = item_of<In>;
    using Result = item_of<Out>;
    using Entry = A;

    In in;
    Radii radii;
    Out out;
    table_shape shape;
    image_border border;
    scratch_tables<A> sums;
    scratch_tables<More> more;
    unfiltered_strips unfiltered;
    std::uint32_t block_rows;            ///< rows of a block of window_kernel
    divisor blocks_down, blocks_across;  ///< in an image

    /// Filters a thread's pixels: of `count` rows from row `first` on, every eighth row, from that
    /// with its warp's number on; of a row, the pixels in column x and 32, 64 and 96 columns behind
    /// it. They are a stretch.
    __device__ void filter(std::uint64_t image, std::uint64_t first, std::uint32_t count,
                           std::uint64_t x) const {
        constexpr std::uint32_t width = window_columns<A> - warp_lanes;
        const std::uint32_t across = x + width < shape.width ? room(x, shape.width - x - width) : 0;
        const std::uint32_t above = at_most(first, 1 << 24);
        const std::uint32_t below = at_most(shape.height - first, 1 << 24);
        const std::uint64_t row = image * shape.height + first;  // of the rows of all images
        unsigned done = 0;
#pragma unroll 1
        for (std::uint32_t y = own_row(); y < count; y += window_warps) {
            const std::uint32_t along = above + y < below - y ? above + y : below - y;
            const bool within = filter_within(row + y, x, along < across ? along : across);
            done |= (within ? 1U : 0U) << y / window_warps;
        }
#pragma unroll 1
        for (std::uint32_t y = own_row(); y < count; y += window_warps) {
            if ((done >> y / window_warps & 1) == 0) filter_any(image, first + y, x);
        }
    }

 private:
    static constexpr int stretch = window_stretch<A>;
    // Whether means are rounded to integers that have so few bits that products will do.
    static constexpr bool by_products =
        what == window_result::mean && std::is_integral_v<channel_type<Item>> &&
        std::is_integral_v<channel_type<Result>> && item_bits<Item> <= 32;
    // Up to this radius sums and counts fit in the tables' entries, and means may be products.
    static constexpr std::uint32_t most_radius = [] {
        const auto fits = [](std::int64_t radius) {
            return (std::is_same_v<A, wide_entry<Item>> ||
                    2 * radius + 1 <= piece_side<A>(item_bits<Item>)) &&
                   (what != window_result::mean_of_blurred || 2 * radius + 1 <= 65535) &&
                   (!by_products || window_items(radius) <= most_items_by<double>(item_bits<Item>));
        };
        std::int64_t radius = largest_radius;
        while (!fits(radius)) radius /= 2;
        return static_cast<std::uint32_t>(radius);
    }();

    __device__ static std::uint32_t own_row() { return static_cast<std::uint32_t>(warp()); }
    __device__ static std::uint32_t at_most(std::uint64_t number, std::uint32_t most) {
        return number < most ? static_cast<std::uint32_t>(number) : most;
    }
    // Of a pixel with items before and behind it along an axis: windows of a smaller radius have
    // corners that are stored entries, and sums that fit in an entry.
    __device__ static std::uint32_t room(std::uint64_t before, std::uint64_t behind) {
        return at_most(before < behind ? before : behind, most_radius + 1);
    }

    __device__ std::uint32_t radius_at(std::uint64_t row, std::uint64_t x) const {
        return static_cast<std::uint32_t>(
            radius_of(radii[static_cast<std::ptrdiff_t>(row * shape.width + x)]));
    }
    __device__ More more_within(std::uint64_t row, std::uint64_t x, std::uint32_t radius) const {
        if constexpr (what == window_result::mean) {
            return More{};
        } else {
            return more.sum_within(row, x, radius);
        }
    }

    // Filters a stretch, if all radii are smaller than `limit`. Returns whether they are.
    __device__ bool filter_within(std::uint64_t row, std::uint64_t x, std::uint32_t limit) const {
        if (limit == 0) return false;
        std::uint32_t radius[stretch], largest = 0;
#pragma unroll
        for (int k = 0; k < stretch; ++k) {
            radius[k] = radius_at(row, x + k * warp_lanes);
            largest = radius[k] > largest ? radius[k] : largest;
        }
        if (largest >= limit) return false;
        // All entries are read before anything is written: the compiler does not read them earlier.
        A sum[stretch];
        More other[stretch];
#pragma unroll
        for (int k = 0; k < stretch; ++k) {
            sum[k] = sums.sum_within(row, x + k * warp_lanes, radius[k]);
            other[k] = more_within(row, x + k * warp_lanes, radius[k]);
        }
        const auto put_all = [&](const auto& result_at) {
#pragma unroll
            for (int k = 0; k < stretch; ++k) put(row, x + k * warp_lanes, result_at(k));
        };
        if constexpr (by_products) {
            if (sizeof(channel_type<A>) == 4 &&
                window_items(largest) <= most_items_by<float>(item_bits<Item>)) {
                put_all([&](int k) {
                    return rounded_product<Result>(sum[k], inverse<float>(radius[k]));
                });
            } else {
                put_all([&](int k) {
                    return rounded_product<Result>(sum[k], inverse<double>(radius[k]));
                });
            }
        } else {
            put_all([&](int k) {
                return result(row, x + k * warp_lanes, radius[k], sum[k], other[k]);
            });
        }
        return true;
    }
    template <class Real>
    __device__ static Real inverse(std::uint32_t radius) {
        const auto side = static_cast<Real>(2 * radius + 1);
        return 1 / (side * side);
    }

    // Filters a stretch, whatever its windows. It is not inlined: it needs so many registers that
    // the loop around filter_within would have too few.
    [[gnu::noinline]] __device__ void filter_any(std::uint64_t image, std::uint64_t y,
                                                 std::uint64_t x) const {
        const std::uint64_t row = image * shape.height + y;
        for (int k = 0; k < stretch && x < shape.width; ++k, x += warp_lanes) {
            const std::uint32_t radius = radius_at(row, x);
            const auto put_result = [&](const auto& sum, const auto& other) {
                put(row, x, result(row, x, radius, sum, other));
            };
            // Where the sum fits in an entry, and sides are short, places and weights of 32 bits
            // do.
            constexpr std::uint64_t long_side = 1 << 30;
            if (radius <= most_radius && shape.height < long_side && shape.width < long_side) {
                const auto reach = static_cast<std::int32_t>(radius);
                const auto sum_of = [&]<class Sum>(const scratch_tables<Sum>& tables) {
                    return window_sum<Sum>(tables.of(image), shape.height, shape.width,
                                           window_around(y, reach), window_around(x, reach),
                                           border);
                };
                if constexpr (what == window_result::mean) {
                    put_result(sum_of(sums), 0);
                } else {
                    put_result(sum_of(sums), sum_of(more));
                }
                continue;
            }
            const auto reach = static_cast<std::int64_t>(radius);
            const auto rows = window_around(y, reach), columns = window_around(x, reach);
            const auto sum = wide_window_sum<wide_entry<Item>, A>(
                sums.of(image), shape.height, shape.width, rows, columns, border, item_bits<Item>);
            const auto others = more.of(image);
            if constexpr (what == window_result::mean) {
                put_result(sum, 0);
            } else if constexpr (what == window_result::variance) {
                put_result(sum, window_sum<More>(others, shape.height, shape.width, rows, columns,
                                                 border));
            } else {
                put_result(sum, wide_window_sum<std::uint64_t, More>(
                                    others, shape.height, shape.width, rows, columns, border, 8));
            }
        }
    }

    // The result of a window from its sum, and from that of the second table if there is one.
    template <class Sum, class Other>
    __device__ Result result(std::uint64_t row, std::uint64_t x, std::uint32_t radius,
                             const Sum& sum, const Other& other) const {
        if constexpr (what == window_result::mean) {
            return mean_of<Result>(sum, window_items(radius));
        } else if constexpr (what == window_result::variance) {
            return variance_of<Result>(sum, other, window_items(radius));
        } else {
            if (radius > 0) return mean_of<Result>(sum, static_cast<std::int64_t>(other));
            const Item item = in[static_cast<std::int64_t>(row * shape.in_pitch + x)];
            return mean_of<Result>(static_cast<wide_entry<Item>>(item), 1);
        }
    }

    __device__ void put(std::uint64_t row, std::uint64_t x, const Result& value) const {
        store_aligned(out, row * shape.out_pitch + x, value);
    }
};

/// Blocks that a multiprocessor shall have room for. A thread holds the corners of two windows, or
/// more, in the registers that it then has.
template <class A>
inline constexpr int window_blocks = sizeof(A) <= 16 ? 4 : 2;

template <class Problem>
__global__ __launch_bounds__(
    window_warps* warp_lanes,
    window_blocks<typename Problem::Entry>) void window_kernel(const __grid_constant__ Problem
                                                                   problem) {
    wait_for_previous_kernel();
    const unfiltered_strips& unfiltered = problem.unfiltered;
    if (unfiltered.words != nullptr && unfiltered.words->any == 0) return;
    constexpr int columns = window_columns<typename Problem::Entry>;
    const table_shape& s = problem.shape;
    const divisor &down = problem.blocks_down, &across = problem.blocks_across;
    const std::uint64_t blocks = s.images * down.value() * across.value();
    for (std::uint64_t i = block_in_grid(); i < blocks; i += blocks_in_grid()) {
        const std::uint64_t row = across.quotient(i), image = down.quotient(row);
        const std::uint64_t first = (row - image * down.value()) * problem.block_rows;
        const std::uint64_t rest = s.height - first;
        // Where only some strips are filtered, each row of tiles begins elsewhere. Otherwise a
        // block might always get the same columns, and few blocks all the work.
        const std::uint64_t column =
            across.remainder(unfiltered.words == nullptr ? i : i + 5 * row);
        const std::uint64_t x = column * columns + static_cast<unsigned>(lane());
        const auto rows =
            rest < problem.block_rows ? static_cast<std::uint32_t>(rest) : problem.block_rows;
        if (unfiltered.has(image, first, rows, column * columns, columns)) {
            problem.filter(image, first, rows, x);
        }
    }
}

}  // namespace lookback::detail::device
