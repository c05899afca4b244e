/// \file
/// An image in memory, in the form that PNG files have.
#pragma once

#include <cstddef>

#include "byte_buffer.hpp"
#include "dtype.hpp"

namespace lookback::cli {

struct image {
    std::size_t height = 0;
    std::size_t width = 0;
    int channels = 1;           ///< 1: grey, 2: grey and alpha, 3: RGB, 4: RGBA
    dtype type = dtype::uint8;  ///< or uint16
    byte_buffer samples;        ///< row by row, the channels of a pixel side by side

    std::size_t bytes() const {
        return height * width * static_cast<std::size_t>(channels) * size_of(type);
    }
};

}  // namespace lookback::cli
