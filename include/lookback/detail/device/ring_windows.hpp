/// \file
/// Box filters of narrow integers by a radius for each pixel on a GPU, without a table in memory.
///
/// A block goes down a strip of columns. The last rows of a summed-area table of the strip, which
/// begins above the strip's first window, are in shared memory, in a ring (ring_strip.hpp). A
/// pixel's window is four entries of it.
///
/// Sums are exact modulo the size of their fields, in whatever order they are added, so the results
/// are those of a table in memory. Whether windows fit in the ring is known only when the radii
/// have been read. A block that finds a larger one leaves its strip to the kernels that follow:
/// these make tables of the images, and filter from them the tiles in which such strips lie. If
/// there are none, they end at once.
///
/// Bytes: each radius is read twice, and each result written once (a pixel of a tile with such a
/// strip may be written twice, with the same value). Items are read 1.5 times or more, because
/// strips share their neighbours' columns, through the cache. What binds is shared memory, where
/// each row of a strip is written twice and read once, and a window takes four entries.
///
/// Source: Crow 1984, "Summed-area tables for texture mapping".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/divisor.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/detail/device/ring_strip.hpp"
#include "lookback/gpu.hpp"

namespace lookback::detail::device {

inline constexpr std::uint64_t most_band_rows = 1 << 20;

/// The strips of images: of each band of rows, from left to right.
struct image_strips {
    std::uint64_t images = 0;
    divisor band_rows{1};
    divisor width{1};             ///< in pixels
    divisor bands{1}, across{1};  ///< of an image, of a band

    __host__ __device__ std::uint64_t count() const {
        return images * bands.value() * across.value();
    }
};

/// What a launch counts and tells in memory. It begins as zeros. Relaxed operations will do: each
/// strip is claimed once in whatever order, and everything else is read by the kernels that follow,
/// after this one has ended.
struct ring_words {
    std::uint64_t claimed;  ///< strips that blocks have taken
    std::uint32_t any;      ///< ~0 if there are strips for the kernels that follow
};

/// Which strips are not filtered yet.
struct unfiltered_strips {
    image_strips strips;
    ring_words* words = nullptr;   ///< null: there are no strips, nothing is filtered
    std::uint8_t* each = nullptr;  ///< for each strip 1, or 0 if it is filtered

    const std::uint32_t* any() const { return words == nullptr ? nullptr : &words->any; }

    /// Whether there are any among pixels [column, column + columns) of rows [row, row + rows) of
    /// an image.
    __device__ bool has(std::uint64_t image, std::uint64_t row, std::uint64_t rows,
                        std::uint64_t column, std::uint64_t columns) const {
        if (words == nullptr) return true;
        const std::uint64_t last_band = strips.band_rows.quotient(row + rows - 1);
        const std::uint64_t last = strips.width.quotient(column + columns - 1);
        for (std::uint64_t band = strips.band_rows.quotient(row); band <= last_band; ++band) {
            const std::uint64_t in_row =
                (image * strips.bands.value() + band) * strips.across.value();
            for (std::uint64_t i = strips.width.quotient(column);
                 i <= last && i < strips.across.value(); ++i) {
                if (each[in_row + i] != 0) return true;
            }
        }
        return false;
    }
};

template <class In, class Radii, class Out>
struct ring_problem {
    using Item = item_of<In>;
    using Result = item_of<Out>;

    In in;
    Radii radii;
    Out out;
    table_shape shape;
    image_border border;
    unfiltered_strips unfiltered;
};

template <class Problem>
using ring_shape_of = typename ring_memory<typename Problem::Item>::shape;

template <class Problem>
__global__ __launch_bounds__(ring_shape_of<Problem>::threads) void ring_window_kernel(
    const __grid_constant__ Problem problem) {
    using shape = ring_shape_of<Problem>;
    using memory = ring_memory<typename Problem::Item>;
    auto& shared = *reinterpret_cast<memory*>(dynamic_shared_memory());
    if (const int radius = thread_in_block(); radius < shape::reach) {
        using Real = typename memory::Real;
        shared.inverse[radius] = 1 / static_cast<Real>(window_items(radius));
    }
    wait_for_previous_kernel();
    const unfiltered_strips& unfiltered = problem.unfiltered;
    const image_strips& strips = unfiltered.strips;
    while (true) {
        if (thread_in_block() == 0) shared.strip = fetch_add(&unfiltered.words->claimed, 1);
        sync_block();  // it is known (and all inverses are there)
        const std::uint64_t i = shared.strip;
        if (i >= strips.count()) break;
        const std::uint64_t band = strips.across.quotient(i), image = strips.bands.quotient(band);
        const std::uint64_t first =
            (band - image * strips.bands.value()) * strips.band_rows.value();
        const std::uint64_t column = (i - band * strips.across.value()) * shape::width;
        const std::uint64_t below = problem.shape.height - first;
        const ring_strip<Problem> strip(
            problem, image, static_cast<std::int64_t>(first),
            static_cast<int>(below < strips.band_rows.value() ? below : strips.band_rows.value()),
            static_cast<std::int64_t>(column));
        const bool fits = strip.fits();
        if (thread_in_block() == 0) {
            unfiltered.each[i] = fits ? 0 : 1;
            if (!fits) store_relaxed(&unfiltered.words->any, ~std::uint32_t{0});
        }
        if (!fits) continue;
        by_words_if_possible(problem.in,
                             [&]<bool by_words>() { strip.template filter<by_words>(); });
    }
}

/// How images are cut into bands.
struct ring_bands {
    std::uint64_t rows;  ///< of a band
    std::uint64_t time;  ///< that all of them take, in rows of a block
};

/// Bands may be cut so that they take one to eight rounds of blocks. Of these heights, the smallest
/// that takes at most 1/16 longer than the fastest: the lower a band, the fewer pixels are left to
/// tables because of a large window. `strips`: side by side in all images. A block has `lead` more
/// rows to do for each strip.
inline ring_bands cut_into_bands(std::uint64_t height, std::uint64_t strips, std::uint64_t blocks,
                                 std::uint64_t lead) {
    ring_bands best{};
    std::uint64_t limit = ~std::uint64_t{0};
    for (std::uint64_t rounds = 1; rounds <= 8; ++rounds) {
        const std::uint64_t bands = std::max<std::uint64_t>(1, rounds * blocks / strips);
        const std::uint64_t rows = std::min(tiles_for(height, bands), most_band_rows);
        const std::uint64_t time =
            tiles_for(strips * tiles_for(height, rows), blocks) * (rows + lead);
        if (time <= limit) best = {rows, time};
        limit = std::min(limit, time + time / 16);
    }
    return best;
}

/// The strips that launch_ring_windows filters: none if tables are faster, as for small or thin
/// images, or if this GPU has too little shared memory.
template <class Item>
image_strips ring_strips(gpu& where, const table_shape& shape) {
    using sizes = ring_shape<window_sums<Item>::words>;
    if (access::most_shared_bytes(where) < sizeof(ring_memory<Item>)) return {};
    const std::uint64_t across = tiles_for(shape.width, sizes::width);
    const ring_bands bands = cut_into_bands(shape.height, shape.images * across,
                                            access::multiprocessors(where), sizes::rows);
    const std::uint64_t pixels = shape.images * shape.height * shape.width;
    const bool is_faster =
        pixels >= sizes::least_pixels &&
        bands.time < sizes::table_rows_before + pixels / sizes::table_pixels_of_row;
    if (access::uses_small(where) && !is_faster) return {};
    return {shape.images, divisor(bands.rows), divisor(sizes::width),
            divisor(tiles_for(shape.height, bands.rows)), divisor(across)};
}

/// Filters strips whose windows fit in the ring, and says in `unfiltered` which do not.
template <class In, class Radii, class Out>
void launch_ring_windows(gpu& where, const In& in, const Radii& radii, const Out& out,
                         const table_shape& shape, image_border border,
                         const unfiltered_strips& unfiltered) {
    using problem = ring_problem<In, Radii, Out>;
    constexpr int threads = ring_shape_of<problem>::threads;
    constexpr auto kernel = ring_window_kernel<problem>;
    constexpr int bytes = sizeof(ring_memory<typename problem::Item>);
    const auto& known = access::facts<kernel>(where, threads, bytes);
    check(cudaMemsetAsync(unfiltered.words, 0, sizeof(*unfiltered.words), where.stream()),
          "clearing words");
    start<kernel>(where, known, access::blocks(where, unfiltered.strips.count(), known), threads,
                  bytes, problem{in, radii, out, shape, border, unfiltered});
}

}  // namespace lookback::detail::device
