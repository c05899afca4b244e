/// \file
/// Summed-area tables and blurs on a GPU, for code that nvcc does not compile. Images have one
/// channel and lie in the host's memory. A call copies them to the GPU, and the results back.
///
/// Every function throws std::runtime_error if the GPU has no memory left, or has failed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lookback/counts.hpp"
#include "lookback/detail/box_window.hpp"
#include "window_kernels.hpp"

namespace lookback::on_gpu {

/// The summed-area tables of images that are not empty. Each goes on below the row `above` of its
/// image, the last row of the table before. `out` may be `in` if the rows have the same pitch. T:
/// an unsigned integer of 4 or 8 bytes, float or double.
template <class T>
void sum_areas(window_memory& memory, const T* in, const image_extents& extents, T* out,
               const T* above);

/// A strip of floats must have a multiple of this many rows, to have the bits of a single call.
inline constexpr std::size_t strip_rows = 512;

/// How much pixels are blurred: by a radius for each pixel, if `each` is not null, or else by one.
struct blur_radius {
    std::int64_t one = 0;
    const std::int32_t* each = nullptr;
    bool is_sharp_apart = false;  ///< pixels of radius 0 count in no mean of others; needs `each`
};

/// The mean around each pixel of one image that is not empty, in rows without gaps. T: uint8,
/// uint16.
template <class T>
void blur_image(window_memory& memory, const T* in, const image_extents& extents,
                const blur_radius& radius, image_border border, T* out);

}  // namespace lookback::on_gpu
