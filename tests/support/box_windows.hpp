// The mean and the variance of a window, by plain loops.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lookback/box_filter.hpp"

namespace lookback::test {

/// The item at position i of an axis of n items that continues beyond its ends; -1 for a zero.
inline std::int64_t beyond(std::int64_t i, std::int64_t n, image_border border) {
    if (border == image_border::zero) return i < 0 || i >= n ? -1 : i;
    if (border == image_border::clamp) return std::clamp<std::int64_t>(i, 0, n - 1);
    const std::int64_t m = ((i % (2 * n)) + 2 * n) % (2 * n);
    return m < n ? m : 2 * n - 1 - m;
}

template <class T>
long double channel_at(const T& item, int k) {
    return static_cast<long double>(detail::channel_of(item, k));
}

/// The mean and the mean of squares of one channel over a window, in long doubles: exact for bytes.
struct moments {
    long double mean, squares;
};
template <class T>
moments window_moments(const std::vector<T>& image, std::int64_t height, std::int64_t width,
                       std::int64_t y, std::int64_t x, std::int64_t radius, image_border border,
                       int k) {
    long double sum = 0, squares = 0;
    for (std::int64_t v = y - radius; v <= y + radius; ++v) {
        for (std::int64_t u = x - radius; u <= x + radius; ++u) {
            const std::int64_t row = beyond(v, height, border), column = beyond(u, width, border);
            if (row < 0 || column < 0) continue;
            const long double item = channel_at(image[std::size_t(row * width + column)], k);
            sum += item;
            squares += item * item;
        }
    }
    const auto items = static_cast<long double>((2 * radius + 1) * (2 * radius + 1));
    return {sum / items, squares / items};
}

}  // namespace lookback::test
