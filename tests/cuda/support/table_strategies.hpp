// Images for the ways to make summed-area tables, and the right tables.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "strategies/cuda/tables.cuh"

namespace lookback::test {

using strategies::image_size, strategies::rgb8;

/// The sums of a channel have at most 24 bits, so that floats are exact, too, in any order.
inline std::vector<rgb8> random_image(image_size size, std::uint64_t seed) {
    const std::uint64_t pixels = std::max<std::uint64_t>(1, size.pixels());
    const std::uint64_t values = std::min<std::uint64_t>(256, (std::uint64_t{1} << 24) / pixels);
    std::mt19937_64 random(seed);
    std::vector<rgb8> image(size.pixels());
    for (rgb8& pixel : image) {
        const auto value = [&] { return static_cast<std::uint8_t>(random() % values); };
        pixel = {value(), value(), value()};
    }
    return image;
}

/// The table by running sums; `transposed`: column by column.
template <class T>
std::vector<pixel<T, 4>> right_table(const std::vector<rgb8>& image, image_size size,
                                     bool transposed) {
    std::vector<pixel<T, 4>> table(image.size()), column_sums(size.width);
    for (std::uint64_t y = 0; y < size.height; ++y) {
        pixel<T, 4> sum{};
        for (std::uint64_t x = 0; x < size.width; ++x) {
            column_sums[x] = column_sums[x] + pixel<T, 4>(image[y * size.width + x]);
            sum = sum + column_sums[x];
            table[transposed ? x * size.height + y : y * size.width + x] = sum;
        }
    }
    return table;
}

/// The sums over the window of each pixel, as far as it lies in the image, by plain loops.
template <class T>
std::vector<pixel<T, 4>> right_windows(const std::vector<rgb8>& image, image_size size,
                                       std::uint64_t radius) {
    std::vector<pixel<T, 4>> sums(image.size());
    for (std::uint64_t y = 0; y < size.height; ++y) {
        for (std::uint64_t x = 0; x < size.width; ++x) {
            const std::uint64_t top = y - std::min(y, radius), left = x - std::min(x, radius);
            for (std::uint64_t v = top; v < std::min(size.height, y + radius + 1); ++v) {
                for (std::uint64_t u = left; u < std::min(size.width, x + radius + 1); ++u) {
                    sums[y * size.width + x] =
                        sums[y * size.width + x] + pixel<T, 4>(image[v * size.width + u]);
                }
            }
        }
    }
    return sums;
}

}  // namespace lookback::test
