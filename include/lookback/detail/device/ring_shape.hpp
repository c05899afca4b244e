/// \file
/// Rings of rows in shared memory, for box filters by a radius for each pixel (ring_windows.hpp):
/// how large they are, and how radii are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/box_filter.hpp"
#include "lookback/detail/box_mean.hpp"
#include "lookback/detail/box_window.hpp"
#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/window_sums.hpp"

namespace lookback::detail::device {

/// Sizes, in pixels and rows. Fewer words leave room for larger windows.
template <int words>
struct ring_shape {
    static constexpr int step = 8;
    static constexpr int most_radius = words == 1 ? 63 : 31;
    static constexpr int reach = most_radius + 1;  ///< from a pixel to the entries of its window
    static constexpr int lane_columns = words == 1 ? 10 : 6;  ///< that a lane has of a row
    static constexpr int columns = lane_columns * warp_lanes;
    static constexpr int width = columns - 2 * reach;  ///< of the strip without its neighbours
    static constexpr int rows = 2 * reach + 3 * step;  ///< one step for each role

    static constexpr int column_warps = columns / warp_lanes;
    static constexpr int row_warps = step;
    static constexpr int across = width / warp_lanes;  ///< warps for a row of pixels
    static constexpr int down = words == 1 ? 2 : 4;    ///< rows of pixels at a time
    static constexpr int pixel_warps = across * down;
    static constexpr int threads = (column_warps + row_warps + pixel_warps) * warp_lanes;
    static_assert(reach % step == 0 && width % warp_lanes == 0 && step % down == 0);

    /// What tables and windows in them take of the time in which a block does a row of its strip:
    /// so many pixels, after so many rows (H200).
    static constexpr std::uint64_t table_pixels_of_row = words == 1 ? 17'000 : 6'200;
    static constexpr std::uint64_t table_rows_before = 120;
    /// Of fewer pixels, tables are faster in any case.
    static constexpr std::uint64_t least_pixels = (1 << 20) >> 2 * (words - 1);
};

template <class Item>
struct ring_memory {
    static constexpr int words = window_sums<Item>::words;
    using shape = ring_shape<words>;
    static_assert(window_items(shape::most_radius) <= window_sums<Item>::most_items);
    using Real = std::conditional_t<
        window_items(shape::most_radius) <= most_items_by<float>(item_bits<Item>), float, double>;

    alignas(16) std::uint32_t word[shape::rows][words][shape::columns];
    Real inverse[shape::reach];  ///< of the number of items of a window, by its radius
    std::uint64_t strip;         ///< that the block filters
};
template <class Item>
inline constexpr bool has_ring = [] {
    if constexpr (has_window_sums<Item>) return sizeof(ring_memory<Item>) <= hopper_shared_bytes;
    return false;
}();

/// How radii are read, and what is computed from them when they are there.
template <class Radii>
struct read_radii {
    using read_type = item_of<Radii>;
    __device__ static read_type read(const Radii& radii, std::size_t i) {
        return radii[static_cast<std::ptrdiff_t>(i)];
    }
    __device__ static std::uint32_t radius(const Radii&, const read_type& read) {
        return static_cast<std::uint32_t>(radius_of(read));
    }
};
template <class Depth>
struct read_radii<focus_radii<Depth>> {
    using read_type = float;
    __device__ static float read(const focus_radii<Depth>& radii, std::size_t i) {
        return static_cast<float>(radii.depth[static_cast<std::ptrdiff_t>(i)]);
    }
    __device__ static std::uint32_t radius(const focus_radii<Depth>& radii, float read) {
        return static_cast<std::uint32_t>(radii.of(read));
    }
};

}  // namespace lookback::detail::device
