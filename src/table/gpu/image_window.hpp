/// \file
/// Summed-area tables and blurs on a GPU, for code that nvcc does not compile: images of one
/// channel in the host's memory, which are copied to the GPU, and the results back.
///
/// All throw std::runtime_error where the GPU has no memory left, or has failed.
#pragma once

#include <cstddef>
#include <cstdint>

#include "lookback/counts.hpp"
#include "lookback/detail/box_window.hpp"
#include "window_kernels.hpp"

namespace lookback::on_gpu {

/// The tables of images, which have items, below rows `above`, one for each image. `out` may be
/// `in`, with rows at the same pitch. T: an unsigned integer of 4 bytes or 8, float or double.
template <class T>
void sum_areas(window_memory& memory, const T* in, const image_extents& extents, T* out,
               const T* above);

/// Strips of floats are a multiple of so many rows, for the bits of a single call.
inline constexpr std::size_t strip_rows = 512;

/// How much a pixel is blurred: by one radius, or by one for each pixel, where that is not null.
struct blur_radius {
    std::int64_t one = 0;
    const std::int32_t* each = nullptr;
    bool is_sharp_apart = false;  ///< pixels of radius 0 are in no mean of others; needs `each`
};

/// The mean around each pixel of one image in tight rows, which has items. T: uint8, uint16.
template <class T>
void blur_image(window_memory& memory, const T* in, const image_extents& extents,
                const blur_radius& radius, image_border border, T* out);

}  // namespace lookback::on_gpu
