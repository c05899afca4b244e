// Summed-area tables and box filters on a GPU in every form, compared with plain loops; tables bit
// by bit.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "lookback/box_filter.hpp"
#include "lookback/summed_area.hpp"
#include "support/box_windows.hpp"
#include "support/device.hpp"
#include "support/device_tables.hpp"
#include "support/summed_area.hpp"

namespace lookback::test {
namespace {

using tables_on_gpu = tables_on_device<device_array>;

template <class In, class A>
void check_on_gpu() {
    const stream on;
    for (const bool pipelined : {true, false}) {
        gpu where(on);
        detail::device::access::use_pipeline(where, pipelined);
        for (const table_case& c : table_cases()) {
            if (reduced() && c.images * c.height * c.width > 50'000) continue;
            table_check<In, A, tables_on_gpu>(c, tables_on_gpu{where}).run();
            if (::testing::Test::HasFailure()) return;
        }
    }
}

TEST(SummedArea, Bytes) { check_on_gpu<std::uint8_t, std::uint32_t>(); }
TEST(SummedArea, ShortsInWideSums) { check_on_gpu<std::uint16_t, std::uint64_t>(); }
TEST(SummedArea, BytesInBytes) { check_on_gpu<std::uint8_t, std::uint8_t>(); }
TEST(SummedArea, Integers) { check_on_gpu<std::int32_t, std::int32_t>(); }
TEST(SummedArea, Floats) { check_on_gpu<float, float>(); }
TEST(SummedArea, FloatsInDoubles) { check_on_gpu<float, double>(); }
TEST(SummedArea, WideItems) { check_on_gpu<double, float>(); }
TEST(SummedArea, PixelsOfThree) { check_on_gpu<pixel<std::uint8_t, 3>, pixel<std::uint32_t, 3>>(); }
TEST(SummedArea, PixelsOfFour) { check_on_gpu<pixel<std::uint8_t, 4>, pixel<std::uint32_t, 4>>(); }
TEST(SummedArea, PixelsOfFloats) { check_on_gpu<pixel<float, 4>, pixel<double, 4>>(); }
// Two stages of these pixels do not fit.
TEST(SummedArea, WidePixels) { check_on_gpu<pixel<std::uint32_t, 4>, pixel<std::uint8_t, 4>>(); }
TEST(SummedArea, Structs) { check_on_gpu<tally, tally>(); }
TEST(SummedArea, Shorts) { check_on_gpu<std::uint16_t, std::uint32_t>(); }

// There are more batches of rows of tiles than clusters that run at once, so rows are walked in
// parts. The last batch is not whole.
TEST(SummedArea, RowsInParts) {
    if (reduced()) GTEST_SKIP() << "large images";
    const stream on;
    gpu where(on);
    const table_case c{1, 8300, 1300, 1, 0, 1};
    table_check<float, float, tables_on_gpu>(c, tables_on_gpu{where}).run();
    table_check<std::uint8_t, std::uint32_t, tables_on_gpu>(c, tables_on_gpu{where}).run();
}

// Rows of tiles are cut into short parts, because there are fewer batches of them than clusters.
TEST(SummedArea, RowsInShortParts) {
    if (reduced()) GTEST_SKIP() << "large images";
    const stream on;
    gpu where(on);
    const table_case c{1, 2300, 2900, 1, 0, 1}, two{2, 1100, 700};
    table_check<float, float, tables_on_gpu>(c, tables_on_gpu{where}).run();
    table_check<std::uint8_t, std::uint32_t, tables_on_gpu>(c, tables_on_gpu{where}).run();
    table_check<pixel<std::uint8_t, 4>, pixel<std::uint32_t, 4>, tables_on_gpu>(
        two, tables_on_gpu{where})
        .run();
}

// There are so many images that a block claims several of them at a time.
TEST(SummedArea, ManySmallImages) {
    if (reduced()) GTEST_SKIP() << "large images";
    const stream on;
    gpu where(on);
    const table_case c{10'000, 64, 64};
    table_check<float, float, tables_on_gpu>(c, tables_on_gpu{where}).run();
    table_check<std::uint8_t, std::uint32_t, tables_on_gpu>(c, tables_on_gpu{where}).run();
}

// Images that a part of a warp takes. Where few blocks run at once, it takes any number of them.
TEST(SummedArea, NarrowImages) {
    const stream on;
    for (const table_case& c : std::vector<table_case>{{37, 8, 8},
                                                       {37, 5, 9, 1, 1, 1},
                                                       {20, 33, 20},
                                                       {20, 64, 37, 3, 11, 0},
                                                       {40, 130, 3, 1, 0, 1},
                                                       {9, 600, 64},
                                                       {9, 1100, 40, 0, 1, 0},
                                                       {300, 1, 1},
                                                       {50, 20, 128}}) {
        gpu where(on);
        detail::device::access::limit_blocks(where, 1);
        table_check<float, float, tables_on_gpu>(c, tables_on_gpu{where}).run();
        table_check<std::uint8_t, std::uint32_t, tables_on_gpu>(c, tables_on_gpu{where}).run();
        table_check<float, double, tables_on_gpu>(c, tables_on_gpu{where}).run();
        table_check<std::uint8_t, std::uint8_t, tables_on_gpu>(c, tables_on_gpu{where}).run();
        table_check<pixel<std::uint8_t, 3>, pixel<std::uint32_t, 3>, tables_on_gpu>(
            c, tables_on_gpu{where})
            .run();
    }
    if (reduced()) return;
    gpu where(on);
    for (const table_case& c :
         std::vector<table_case>{{50'000, 8, 8}, {10'000, 33, 20, 1, 1, 1}, {20'000, 130, 5}}) {
        table_check<float, float, tables_on_gpu>(c, tables_on_gpu{where}).run();
        table_check<std::uint8_t, std::uint32_t, tables_on_gpu>(c, tables_on_gpu{where}).run();
    }
}

__global__ void fill_bytes(std::uint8_t* p, std::uint64_t n) {
    for (std::uint64_t i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x; i < n;
         i += std::uint64_t{gridDim.x} * blockDim.x) {
        p[i] = static_cast<std::uint8_t>(i * 2654435761U >> 13);
    }
}
// Compares the differences of each entry and its neighbours with the items. The table is right if
// it begins right and all these differences are right.
__global__ void check_differences(const std::uint8_t* in, const std::uint32_t* out,
                                  std::uint64_t height, std::uint64_t width, verdict* v) {
    for (std::uint64_t i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x; i < height * width;
         i += std::uint64_t{gridDim.x} * blockDim.x) {
        const std::uint64_t x = i % width;
        const std::uint32_t left = x > 0 ? out[i - 1] : 0, above = i >= width ? out[i - width] : 0;
        const std::uint32_t corner = x > 0 && i >= width ? out[i - width - 1] : 0;
        if (out[i] - left - above + corner != in[i]) report(v, i);
    }
}
void check_large(std::uint64_t height, std::uint64_t width) {
    const stream on;
    gpu where(on);
    device_array<std::uint8_t> in(height * width);
    device_array<std::uint32_t> out(height * width);
    fill_bytes<<<4096, 256, 0, on>>>(in.data(), height * width);
    summed_area_table(where, in.data(), image_extents{height, width}, out.data());
    inspector look(on);
    check_differences<<<4096, 256, 0, on>>>(in.data(), out.data(), height, width, look.start());
    look.finish();
    EXPECT_EQ(look.result(), "") << height << " x " << width;
}
TEST(SummedArea, Large) {
    if (reduced()) GTEST_SKIP() << "large images";
    check_large(65'536, 65'536);
    check_large(1, 100'000'000);
    check_large(100'000'000, 1);
    check_large(9'999, 100'003);
}

struct filter_case {
    std::size_t images, height, width;
    std::size_t in_gap = 0, out_gap = 0;  // items between rows
};

// Compared with windows in plain loops. `filter` returns the radius if there is only one, or -1.
// With few blocks, each has several rows a warp.
template <class Item, class Result, bool variance = false, class F>
void check_filter(const F& filter, unsigned blocks = 0, std::size_t most_pixels = 1'000'000) {
    const stream on;
    gpu where(on);
    detail::device::access::limit_blocks(where, blocks);
    std::mt19937_64 random(5);
    for (const filter_case& c : {filter_case{1, 1, 1},
                                 {1, 70, 90},
                                 {3, 33, 40, 3, 0},
                                 {1, 150, 7, 0, 1},
                                 {1, 100, 200},
                                 {2, 45, 301, 4, 5}}) {
        const std::size_t n = c.height * c.width;
        if (c.images * n > most_pixels) continue;
        std::vector<Item> items(c.images * n);
        for (auto& item : items) item = random_item<Item>(random);
        std::vector<std::uint16_t> radii(items.size());
        for (auto& radius : radii) radius = static_cast<std::uint16_t>(random() % 12);
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
        check_filter<std::uint8_t, std::uint8_t>(filter, blocks);
        check_filter<bytes3, bytes3>(filter, blocks);
        check_filter<bytes4, bytes4>(filter, blocks);
        check_filter<std::uint16_t, std::uint16_t>(filter, blocks);
        check_filter<float, float>(filter, blocks);
    }
}
TEST(BoxFilter, AWideRadius) {
    for (const int radius : {45, 60}) {
        const auto filter = [&](gpu& where, auto in, auto e, auto, auto out, image_border b) {
            box_filter(where, in, e, radius, out, b);
            return radius;
        };
        check_filter<std::uint8_t, std::uint8_t>(filter, 0, 20'000);
    }
}
TEST(BoxFilter, ARadiusForEachPixel) {
    const auto filter = [](gpu& where, auto in, auto e, auto radii, auto out, image_border b) {
        box_filter(where, in, e, radii, out, b);
        return -1;
    };
    for (const unsigned blocks : {0, 2}) {
        check_filter<std::uint8_t, std::uint8_t>(filter, blocks);
        check_filter<bytes3, bytes3>(filter, blocks);
        check_filter<std::int16_t, std::int16_t>(filter, blocks);
        check_filter<std::uint16_t, std::uint16_t>(filter, blocks);
        check_filter<float, float>(filter, blocks);
        check_filter<floats3, floats3>(filter, blocks);
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
    for (const bool apart : {false, true}) {
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
