/// \file
/// Summed-area tables and blurs of images in memory, whose type and number of channels are known at
/// run time. On a GPU, calls copy to it and back, as those of table.hpp do; integers, and so all
/// means, are the same there.
///
/// Channels, which lie side by side, are worked on one at a time, in memory of their own: so there
/// are only the loops of plain numbers, with their SIMD kernels. (Sums of floats have an order,
/// which depends on the bytes of a pixel: a few channels at a time, see images.cpp.)
#pragma once

#include <cstddef>
#include <cstdint>

#include "lookback/counts.hpp"
#include "lookback/detail/box_window.hpp"
#include "table/table.hpp"

namespace lookback {
struct focus_settings;
}

namespace lookback::table {

/// The summed-area tables of images, whose extents are those of their pixels, of 1 to 4 `channels`
/// of 4 bytes or 8. They go on below tables whose last rows are `above`, where that is not null.
/// `out` may be `in`, with rows at the same pitch.
void sum_area(const machine& where, dtype type, const void* in, const image_extents& extents,
              std::size_t channels, void* out, const void* above);

/// Strips of floats are a multiple of so many rows, for the bits of a single call.
std::size_t strip_rows(const machine& where);

/// An image, and room for another of its shape.
struct picture {
    dtype type;  ///< uint8 or uint16
    std::size_t height;
    std::size_t width;
    std::size_t channels;  ///< 1 to 4
    const void* in;
    void* out;
};

/// All make each pixel the mean of those around it. By one radius:
void blur(const machine& where, const picture& picture, std::int32_t radius, image_border border);
/// By one for each pixel:
void blur(const machine& where, const picture& picture, const std::int32_t* radii,
          image_border border);
/// By a depth for each pixel:
void blur(const machine& where, const picture& picture, const float* depths,
          const focus_settings& focus);

}  // namespace lookback::table
