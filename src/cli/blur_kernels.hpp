/// \file
/// The blurs of images, by the type of their samples.
#pragma once

#include <cstdint>

#include "image.hpp"
#include "lookback/box_filter.hpp"

namespace lookback::cli {

/// All blur `in` into `out`, an image of the same shape and type that has room for its samples.
/// By one radius:
void blur(const image& in, std::int32_t radius, image_border border, int threads, image& out);
/// By one for each pixel:
void blur(const image& in, const std::int32_t* radii, image_border border, int threads, image& out);
/// By a depth for each pixel:
void blur(const image& in, const float* depths, const focus_settings& focus, int threads,
          image& out);

}  // namespace lookback::cli
