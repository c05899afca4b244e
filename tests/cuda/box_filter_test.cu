// Box filters on a GPU, compared with windows in plain loops.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "lookback/box_filter.hpp"
#include "support/box_windows.hpp"
#include "support/device.hpp"
#include "support/device_tables.hpp"
#include "support/summed_area.hpp"

namespace lookback::test {
namespace {

using tables_on_gpu = tables_on_device<device_array>;

struct filter_case {
    std::size_t images, height, width;
    std::size_t in_gap = 0, out_gap = 0;  // items between rows
};

struct filter_run {
    unsigned blocks = 0;  // at most; 0: as many as run at once. If few, a warp has several rows.
    bool small = true;    // small images go by tables
    std::size_t most_pixels = 1'000'000;
    unsigned largest = 11;      // radius, of those by pixel
    unsigned larger_still = 0;  // radius of the pixel in the middle, if not 0
};

// Compared with windows in plain loops. `filter` returns the radius if there is only one, or -1.
template <class Item, class Result, bool variance = false, class F>
void check_filter(const F& filter, const filter_run& run = {}) {
    const stream on;
    gpu where(on);
    detail::device::access::limit_blocks(where, run.blocks);
    detail::device::access::use_small(where, run.small);
    std::mt19937_64 random(5);
    for (const filter_case& c : {filter_case{1, 1, 1},
                                 {1, 70, 90},
                                 {3, 33, 40, 3, 0},
                                 {1, 150, 7, 0, 1},
                                 {1, 100, 200},
                                 {2, 45, 301, 4, 5}}) {
        const std::size_t n = c.height * c.width;
        if (c.images * n > run.most_pixels) continue;
        std::vector<Item> items(c.images * n);
        for (auto& item : items) item = random_item<Item>(random);
        std::vector<std::uint16_t> radii(items.size());
        for (auto& radius : radii) {
            radius = static_cast<std::uint16_t>(random() % (run.largest + 1));
        }
        if (run.larger_still > 0) {
            radii[radii.size() / 2] = static_cast<std::uint16_t>(run.larger_still);
        }
        const std::size_t in_pitch = c.width + c.in_gap, out_pitch = c.width + c.out_gap;
        const image_extents e{c.height, c.width, c.images, in_pitch, out_pitch};
        placed_rows<Item> in(c.images * c.height, c.width, in_pitch, 0);
        in.put(items);
        const device_array<std::uint16_t> by(radii);
        for (const image_border border :
             {image_border::clamp, image_border::zero, image_border::reflect}) {
            placed_rows<Result> out(c.images * c.height, c.width, out_pitch, 0);
            int fixed = -1;
            tables_on_gpu{where}.with(
                [&](gpu& on_gpu, const Item* from, Result* to) {
                    fixed = filter(on_gpu, from, e, by.data(), to, border);
                },
                in, out);
            std::vector<Result> got(items.size());
            for (std::size_t i = 0; i < got.size(); ++i) {
                got[i] = out.data()[i / c.width * out_pitch + i % c.width];
            }
            out.expect(got, "gaps");  // nothing else was written
            std::vector<Item> image;
            for (std::size_t i = 0; i < got.size(); ++i) {
                if (i % n == 0) {
                    const auto begin = items.begin() + std::ptrdiff_t(i);
                    image.assign(begin, begin + std::ptrdiff_t(n));
                }
                for (int k = 0; k < detail::channels_of<Item>::channels; ++k) {
                    const moments m =
                        window_moments(image, std::int64_t(c.height), std::int64_t(c.width),
                                       std::int64_t(i % n / c.width), std::int64_t(i % c.width),
                                       fixed < 0 ? radii[i] : fixed, border, k);
                    const auto value = detail::channel_of(got[i], k);
                    if constexpr (std::is_integral_v<decltype(value)>) {
                        ASSERT_EQ(static_cast<long double>(value), std::nearbyint(m.mean))
                            << "pixel " << i;
                    } else {
                        const auto right =
                            static_cast<double>(variance ? m.squares - m.mean * m.mean : m.mean);
                        ASSERT_NEAR(static_cast<double>(value), right, 1e-6 * (1 + std::abs(right)))
                            << "pixel " << i;
                    }
                }
            }
        }
    }
}
using bytes3 = pixel<std::uint8_t, 3>;
using bytes4 = pixel<std::uint8_t, 4>;
using floats3 = pixel<float, 3>;
TEST(BoxFilter, OneRadius) {
    const auto filter = [](gpu& where, auto in, auto e, auto, auto out, image_border b) {
        box_filter(where, in, e, 9, out, b);
        return 9;
    };
    for (const unsigned blocks : {0, 2}) {
        const filter_run run{.blocks = blocks};
        check_filter<std::uint8_t, std::uint8_t>(filter, run);
        check_filter<bytes3, bytes3>(filter, run);
        check_filter<bytes4, bytes4>(filter, run);
        check_filter<std::uint16_t, std::uint16_t>(filter, run);
        check_filter<float, float>(filter, run);
    }
}
TEST(BoxFilter, AWideRadius) {
    for (const int radius : {45, 60}) {
        const auto filter = [&](gpu& where, auto in, auto e, auto, auto out, image_border b) {
            box_filter(where, in, e, radius, out, b);
            return radius;
        };
        check_filter<std::uint8_t, std::uint8_t>(filter, {.most_pixels = 20'000});
    }
}
constexpr auto by_radii = [](gpu& where, auto in, auto e, auto radii, auto out, image_border b) {
    box_filter(where, in, e, radii, out, b);
    return -1;
};
TEST(BoxFilter, ARadiusForEachPixel) {
    for (const unsigned blocks : {0, 2}) {
        const filter_run run{.blocks = blocks};
        check_filter<std::uint8_t, std::uint8_t>(by_radii, run);
        check_filter<bytes3, bytes3>(by_radii, run);
        check_filter<std::int16_t, std::int16_t>(by_radii, run);
        check_filter<std::uint16_t, std::uint16_t>(by_radii, run);
        check_filter<float, float>(by_radii, run);
        check_filter<floats3, floats3>(by_radii, run);
    }
}
// Small images, as large ones are filtered: by rings if windows fit, in strips and bands.
TEST(BoxFilter, ARadiusForEachPixelByRings) {
    for (const unsigned larger_still : {0, 64}) {
        for (const unsigned blocks : {0, 2}) {
            const filter_run run{.blocks = blocks, .small = false, .larger_still = larger_still};
            check_filter<std::uint8_t, std::uint8_t>(by_radii, run);
            check_filter<std::uint8_t, float>(by_radii, run);
            check_filter<bytes3, bytes3>(by_radii, run);
            check_filter<bytes4, bytes4>(by_radii, run);
            check_filter<std::int16_t, std::int16_t>(by_radii, run);
            check_filter<std::uint16_t, std::uint16_t>(by_radii, run);
            check_filter<pixel<std::uint16_t, 3>, pixel<std::uint16_t, 3>>(by_radii, run);
        }
    }
}
TEST(BoxFilter, TheLargestRadiiOfRings) {
    const filter_run run{.small = false, .most_pixels = 20'000};
    filter_run of_numbers = run, of_pixels = run;
    of_numbers.largest = 63;
    of_pixels.largest = 31;
    check_filter<std::uint8_t, std::uint8_t>(by_radii, of_numbers);
    check_filter<std::int16_t, std::int16_t>(by_radii, of_numbers);
    check_filter<bytes3, bytes3>(by_radii, of_pixels);
    check_filter<bytes4, bytes4>(by_radii, of_pixels);
}
// Sums that need more than the tables' 32 bits are made of pieces.
TEST(BoxFilter, WindowsLargerThanTheTablesEntriesHold) {
    const stream on;
    gpu where(on);
    const std::vector<std::uint8_t> image(20, 255);
    const device_array<std::uint8_t> in(image);
    const image_extents e{4, 5};
    for (const int radius : {2047, 2048, 2049, 30000}) {
        const device_array<std::uint16_t> radii(
            std::vector<std::uint16_t>(20, static_cast<std::uint16_t>(radius)));
        for (const image_border border : {image_border::clamp, image_border::reflect}) {
            device_array<std::uint8_t> out(20);
            box_filter(where, in.data(), e, radii.data(), out.data(), border);
            on.wait();
            EXPECT_EQ(out.get(), image) << "radius " << radius;
        }
        device_array<double> out(20);
        box_filter(where, in.data(), e, radii.data(), out.data(), image_border::zero);
        on.wait();
        EXPECT_DOUBLE_EQ(out.get()[7], 20 * 255 / double(detail::window_items(radius)));
    }
}

TEST(BoxFilter, Variance) {
    check_filter<std::uint8_t, double, true>(
        [](gpu& where, auto in, auto e, auto radii, auto out, image_border b) {
            box_variance(where, in, e, radii, out, b);
            return -1;
        });
}

// Depth of field: pixels in focus do not change, and may be left out of the windows of others.
TEST(BoxFilter, DepthOfField) {
    const stream on;
    gpu where(on);
    constexpr std::size_t height = 60, width = 75;
    std::mt19937_64 random(6);
    std::vector<bytes4> items(height * width);
    for (auto& item : items) item = random_item<bytes4>(random);
    std::vector<float> depth(items.size());
    for (auto& d : depth) d = static_cast<float>(random() % 64) / 64;
    const auto radius_at = [&](std::size_t i) {
        return std::int64_t(std::nearbyint(8 * std::abs(depth[i] - .25F)));
    };
    const device_array<bytes4> in(items);
    const device_array<float> deep(depth);
    for (const int way : {0, 1, 2}) {
        const bool apart = way == 2;
        detail::device::access::use_small(where, way == 0);
        device_array<bytes4> out(items.size());
        depth_of_field(where, in.data(), deep.data(), image_extents{height, width},
                       focus_settings{.25F, 8, apart}, out.data());
        const auto got = out.get();
        for (std::size_t i = 0; i < items.size(); ++i) {
            const std::int64_t r = radius_at(i);
            double sums[4] = {}, count = 0;
            for (std::int64_t y = -r; y <= r; ++y) {
                for (std::int64_t x = -r; x <= r; ++x) {
                    const auto at = static_cast<std::size_t>(
                        beyond(std::int64_t(i / width) + y, height, image_border::clamp) *
                            std::int64_t(width) +
                        beyond(std::int64_t(i % width) + x, width, image_border::clamp));
                    if (apart && r > 0 && radius_at(at) == 0) continue;
                    for (int k = 0; k < 4; ++k) sums[k] += items[at].channel[k];
                    count += 1;
                }
            }
            for (int k = 0; k < 4; ++k) {
                ASSERT_EQ(got[i].channel[k], std::nearbyint(sums[k] / count))
                    << "pixel " << i << ", channel " << k;
            }
        }
    }
}

}  // namespace
}  // namespace lookback::test
