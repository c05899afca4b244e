/// \file
/// What the strategies for summed-area tables read and write: RGB8 images, and tables with a texel
/// of four channels for each pixel (red, green, blue, and an alpha of 0), both in rows without
/// gaps.
#pragma once

#include <cstdint>
#include <cstring>

#include "../machine.cuh"
#include "lookback/pixel.hpp"

namespace lookback::strategies {

struct rgb8 {
    std::uint8_t red, green, blue;

    template <class T>
    LOOKBACK_HD constexpr operator pixel<T, 4>() const {
        return {{static_cast<T>(red), static_cast<T>(green), static_cast<T>(blue), T{}}};
    }
};

struct image_size {
    std::uint64_t height, width;
    constexpr std::uint64_t pixels() const { return height * width; }
};

/// Texels are moved whole, since tables begin on a boundary of 16 bytes.
template <class T>
__device__ pixel<T, 4> load_texel(const pixel<T, 4>* at) {
    static_assert(sizeof(pixel<T, 4>) == 16);
    const auto held = detail::device::load_vector16<T>(at);
    pixel<T, 4> texel;
    std::memcpy(&texel, &held, sizeof(texel));
    return texel;
}
template <class T>
__device__ void store_texel(pixel<T, 4>* at, const pixel<T, 4>& texel) {
    static_assert(sizeof(texel) == 16);
    detail::device::vector16<T> held;
    std::memcpy(&held, &texel, sizeof(texel));
    detail::device::store_vector16(at, held);
}

/// Blocks of kernels with a thread for each pixel.
inline constexpr int pixel_threads = 256;

}  // namespace lookback::strategies
