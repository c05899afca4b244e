/// \file
/// Box filters on a GPU. Means of narrow integers by one small radius: running sums
/// (running_windows.hpp); by radii for each pixel, strips of images by rings of rows
/// (ring_windows.hpp). All others, and strips with larger radii: first the tables of all images, in
/// scratch memory, then a kernel in which each thread reads the corners of its pixels' windows
/// (box_windows.hpp).
///
/// Bytes with a table, for each pixel: its item, read; an entry of the table, written and read; its
/// radius, if there is one, read; its result, written. Scratch memory: an entry for each pixel, and
/// a second one if a variance needs squares as well, or if sharp pixels are kept apart;
/// and a byte for each strip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/box_filter.hpp"
#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/box_windows.hpp"
#include "lookback/detail/device/divisor.hpp"
#include "lookback/detail/device/ring_windows.hpp"
#include "lookback/detail/device/running_windows.hpp"
#include "lookback/detail/device/summed_area.hpp"
#include "lookback/gpu.hpp"

namespace lookback {
namespace detail {
namespace device {

/// The items of images, in rows without gaps, with 0 in place of items in focus (blurred_items);
/// and for each item, 1 if it is out of focus, otherwise 0 (blurred_counts).
template <class In, class Radii, class A>
struct blurred_items {
    using value_type = A;
    In in;
    Radii radii;
    divisor width;
    std::size_t in_pitch;

    __device__ A operator[](std::int64_t i) const {
        if (radius_of(radii[i]) == 0) return A{};
        const std::uint64_t row = width.quotient(static_cast<std::uint64_t>(i));
        return static_cast<A>(in[i + static_cast<std::int64_t>(row * (in_pitch - width.value()))]);
    }
};
template <class In, class Radii, class A>
struct item_of_type<blurred_items<In, Radii, A>> {
    using type = A;
};
template <class Radii>
struct blurred_counts {
    using value_type = std::uint32_t;
    Radii radii;
    __device__ std::uint32_t operator[](std::int64_t i) const {
        return radius_of(radii[i]) > 0 ? 1 : 0;
    }
};
template <class Radii>
struct item_of_type<blurred_counts<Radii>> {
    using type = std::uint32_t;
};

}  // namespace device

template <>
struct box_filters_on<gpu> {
    template <window_result what, class In, class Radii, class Out>
    static void run(gpu& where, const In& first, const table_shape& shape, const Radii& by_pixel,
                    const Out& result, image_border border) {
        using namespace device;
        using Item = std::iter_value_t<In>;
        using A = window_entry<Item>;
        using More =
            std::conditional_t<what == window_result::variance, squares_entry<Item>, std::uint32_t>;
        const auto in = indexed(first);
        const auto out = indexed(result);
        if constexpr (what == window_result::mean && std::is_same_v<Radii, fixed_radius> &&
                      has_window_sums<Item>) {
            if (by_pixel.radius <= most_running_radius) {
                return launch_running_windows(where, in, out, shape, border, by_pixel.radius);
            }
        }
        const auto radii = radii_of(by_pixel);

        const std::size_t pitch = (shape.width + 15) / 16 * 16;
        const std::size_t entries = shape.images * shape.height * pitch;
        constexpr bool has_more = what != window_result::mean;
        const std::size_t more_at = (entries * sizeof(A) + 255) / 256 * 256;
        std::size_t bytes = more_at + (has_more ? entries * sizeof(More) : 0);
        constexpr bool has_rings =
            what == window_result::mean && !std::is_same_v<Radii, fixed_radius> && has_ring<Item>;
        unfiltered_strips unfiltered;
        if constexpr (has_rings) {
            unfiltered.strips = ring_strips<Item>(where, shape);
            const std::uint64_t strips = unfiltered.strips.count();
            if (strips > 0) bytes += sizeof(ring_words) + strips;
        }
        auto* const memory = static_cast<unsigned char*>(access::scratch(where, bytes));
        auto* const sums = reinterpret_cast<A*>(memory);
        auto* const more = reinterpret_cast<More*>(memory + more_at);
        if constexpr (has_rings) {
            if (unfiltered.strips.count() > 0) {
                unfiltered.words = reinterpret_cast<ring_words*>(more);
                unfiltered.each = reinterpret_cast<std::uint8_t*>(unfiltered.words + 1);
                launch_ring_windows(where, in, radii, out, shape, border, unfiltered);
            }
        }

        table_shape tables = shape;
        tables.out_pitch = pitch;
        tables.out_image = shape.height * pitch;
        tables.out_first = 0;
        using tables_on = summed_areas_on<gpu>;
        if constexpr (what == window_result::mean) {
            tables_on::make<false>(where, in, tables, sums, {}, {}, unfiltered.any());
        } else if constexpr (what == window_result::variance) {
            tables_on::make<false>(where, in, tables, sums, more);
        } else {
            tables.in_pitch = shape.width;
            tables.in_image = shape.height * shape.width;
            using kept_in = std::remove_const_t<decltype(in)>;
            using kept_radii = std::remove_const_t<decltype(radii)>;
            const device::blurred_items<kept_in, kept_radii, A> items{
                in, radii, divisor(shape.width), shape.in_pitch};
            // (in_image is height * in_pitch, so all rows of all images are in_pitch apart.)
            tables_on::make<false>(where, items, tables, sums);
            tables_on::make<false>(where, blurred_counts<kept_radii>{radii}, tables, more);
        }

        using problem = window_problem<what, std::remove_const_t<decltype(in)>,
                                       std::remove_const_t<decltype(radii)>,
                                       std::remove_const_t<decltype(out)>, A, More>;
        constexpr auto kernel = window_kernel<problem>;
        constexpr int threads = window_warps * warp_lanes;
        const auto& known = access::facts<kernel, 1, true>(where, threads, 0);
        // A block has so many rows that its place in the image costs little, unless blocks are few.
        const divisor across(tiles_for(shape.width, window_columns<A>));
        const auto blocks_of = [&](std::uint64_t rows) {
            return shape.images * tiles_for(shape.height, rows) * across.value();
        };
        const std::uint32_t rows =
            rows_of_blocks(where, known, window_warps, most_window_rows, 8, blocks_of);
        start<kernel>(where, known, access::blocks(where, blocks_of(rows), known), threads, 0,
                      problem{in,
                              radii,
                              out,
                              shape,
                              border,
                              {sums, pitch, tables.out_image},
                              {more, pitch, tables.out_image},
                              unfiltered,
                              rows,
                              divisor(tiles_for(shape.height, rows)),
                              across});
    }

 private:
    // What a kernel reads radii from.
    template <class Radii>
    static auto radii_of(const Radii& radii) {
        return device::indexed(radii);
    }
    static fixed_radius radii_of(const fixed_radius& radius) { return radius; }
    template <class Depth>
    static auto radii_of(const focus_radii<Depth>& radii) {
        const auto depth = device::indexed(radii.depth);
        return focus_radii<std::remove_const_t<decltype(depth)>>{depth, radii.focus,
                                                                 radii.aperture};
    }
};

}  // namespace detail
}  // namespace lookback
