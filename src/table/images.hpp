/// \file
/// Summed-area tables and blurs of images in memory, whose type and number of channels are known at
/// run time. With a GPU, calls copy images to it and results back, as those of table.hpp do.
/// Integers are the same there, and so are all means.
///
/// The channels of a pixel lie side by side. They are processed one at a time, in separate memory,
/// so that only the loops of plain numbers are needed, which have SIMD kernels. (Sums of floats
/// have an order that depends on the bytes of a pixel. They take a few channels at a time: see
/// images.cpp.)
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

/// The summed-area tables of images. `extents` counts pixels, of 1 to 4 `channels` of 4 or 8 bytes.
/// If `above` is not null, each table goes on below the table whose last row is there. `out` may be
/// `in` if the rows have the same pitch.
void sum_area(const machine& where, dtype type, const void* in, const image_extents& extents,
              std::size_t channels, void* out, const void* above);

/// A strip of floats must have a multiple of this many rows, to have the bits of a single call.
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

/// Every blur makes each pixel the mean of the pixels around it. By one radius:
void blur(const machine& where, const picture& picture, std::int32_t radius, image_border border);
/// By a radius for each pixel:
void blur(const machine& where, const picture& picture, const std::int32_t* radii,
          image_border border);
/// By a depth for each pixel:
void blur(const machine& where, const picture& picture, const float* depths,
          const focus_settings& focus);

}  // namespace lookback::table
