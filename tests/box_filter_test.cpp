// Box filters, variances and depth of field, compared with a loop over each pixel's window.
#include "lookback/box_filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "support/box_windows.hpp"
#include "support/message_of.hpp"
#include "support/summed_area.hpp"

namespace lookback::test {
namespace {

using std::int32_t, std::int64_t, std::uint16_t, std::uint64_t, std::uint8_t;

constexpr image_border borders[] = {image_border::clamp, image_border::zero, image_border::reflect};

template <class T>
void expect_channel(const T& got, long double right, const std::string& what) {
    if constexpr (std::is_integral_v<T>) {
        ASSERT_EQ(static_cast<long double>(got), std::nearbyint(right)) << what;
    } else {
        ASSERT_NEAR(static_cast<double>(got), static_cast<double>(right),
                    1e-6 * (1 + std::fabs(static_cast<double>(right))))
            << what;
    }
}

struct filter_case {
    std::size_t images, height, width, in_gap, out_gap;
};

template <class In, class Out, bool variance = false>
void check_filter(const filter_case& c, int64_t radius, bool each, int threads) {
    const cpu where{threads};
    std::mt19937_64 random(c.height * 100 + c.width);
    std::vector<In> items(c.images * c.height * c.width);
    for (auto& item : items) {
        item = random_item<In>(random);
        if constexpr (variance && std::is_integral_v<detail::channel_type<In>>) {
            for (int k = 0; k < detail::channels_of<In>::channels; ++k) {
                detail::channel_of(item, k) /= 16;
            }
        }
    }
    std::vector<int> radii(items.size());
    for (auto& r : radii) {
        r = each ? static_cast<int>(random() % std::uint64_t(radius + 2)) - 1 : int(radius);
    }
    const std::size_t in_pitch = c.width + c.in_gap, out_pitch = c.width + c.out_gap;
    placed_rows<In> in(c.images * c.height, c.width, in_pitch, 0);
    in.put(items);
    const image_extents e{c.height, c.width, c.images, in_pitch, out_pitch};
    for (const image_border border : borders) {
        placed_rows<Out> out(c.images * c.height, c.width, out_pitch, 1);
        if constexpr (variance) {
            each ? box_variance(where, in.data(), e, radii.data(), out.data(), border)
                 : box_variance(where, in.data(), e, radius, out.data(), border);
        } else {
            each ? box_filter(where, in.data(), e, radii.begin(), out.data(), border)
                 : box_filter(where, in.data(), e, radius, out.data(), border);
        }
        std::vector<Out> got(items.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            got[i] = out.data()[i / c.width * out_pitch + i % c.width];
        }
        out.expect(got, "gaps");  // nothing else was written
        for (std::size_t i = 0; i < c.images; ++i) {
            const auto begin = items.begin() + std::ptrdiff_t(i * c.height * c.width);
            const std::vector<In> image(begin, begin + std::ptrdiff_t(c.height * c.width));
            for (std::size_t p = 0; p < image.size(); ++p) {
                const std::size_t at = i * image.size() + p;
                for (int k = 0; k < detail::channels_of<In>::channels; ++k) {
                    const moments m = window_moments(image, int64_t(c.height), int64_t(c.width),
                                                     int64_t(p / c.width), int64_t(p % c.width),
                                                     std::max(0, radii[at]), border, k);
                    expect_channel(detail::channel_of(got[at], k),
                                   variance ? m.squares - m.mean * m.mean : m.mean,
                                   std::to_string(c.height) + " x " + std::to_string(c.width) +
                                       ", pixel " + std::to_string(at) + ", radius " +
                                       std::to_string(radii[at]) + ", border " +
                                       std::to_string(int(border)));
                    if (::testing::Test::HasFatalFailure()) return;
                }
            }
        }
    }
}

template <class In, class Out, bool variance = false>
void check_filters() {
    for (const filter_case& c : {filter_case{1, 1, 1, 0, 0},
                                 {1, 1, 7, 1, 0},
                                 {1, 9, 1, 0, 2},
                                 {3, 5, 4, 2, 1},
                                 {1, 33, 40, 0, 0},
                                 {40, 6, 6, 0, 0}}) {
        for (const int64_t radius : {0, 1, 3, 12, 70}) {
            if (radius > 20 && c.height > 20) continue;
            for (const bool each : {false, true}) {
                check_filter<In, Out, variance>(c, radius, each, each ? 1 : 2);
                if (::testing::Test::HasFatalFailure()) return;
            }
        }
    }
    check_filter<In, Out, variance>({1, 130, 300, 0, 3}, 2, false, 2);
    check_filter<In, Out, variance>({1, 130, 300, 3, 0}, 2, true, 2);
}

}  // namespace

TEST(BoxFilter, Bytes) { check_filters<uint8_t, uint8_t>(); }
TEST(BoxFilter, BytesToFloats) { check_filters<uint8_t, float>(); }
TEST(BoxFilter, SignedShortIntegers) { check_filters<std::int16_t, std::int16_t>(); }
TEST(BoxFilter, ShortIntegers) { check_filters<uint16_t, uint16_t>(); }
TEST(BoxFilter, Integers) { check_filters<int32_t, int32_t>(); }
TEST(BoxFilter, Floats) { check_filters<float, float>(); }
TEST(BoxFilter, Doubles) { check_filters<double, double>(); }
TEST(BoxFilter, PixelsOfThree) { check_filters<pixel<uint8_t, 3>, pixel<uint8_t, 3>>(); }
TEST(BoxFilter, PixelsOfFour) { check_filters<pixel<uint8_t, 4>, pixel<uint8_t, 4>>(); }
TEST(BoxVariance, Bytes) { check_filters<uint8_t, double, true>(); }
TEST(BoxVariance, Floats) { check_filters<float, double, true>(); }
TEST(BoxVariance, Pixels) { check_filters<pixel<uint8_t, 2>, pixel<float, 2>, true>(); }

// Windows whose sums need more than 32 bits are divided into pieces.
TEST(BoxFilter, WindowsLargerThanTheTablesEntriesHold) {
    const std::vector<uint8_t> image(20, 255);
    const image_extents e{4, 5};
    for (const int64_t radius : {2047, 2048, 2049, 30000}) {
        const std::vector<int64_t> radii(20, radius);
        for (const image_border border : {image_border::clamp, image_border::reflect}) {
            std::vector<uint8_t> out(20), each(20);
            box_filter(image, e, radius, out, border);
            EXPECT_EQ(out, image);
            box_filter(image, e, radii, each, border);
            EXPECT_EQ(each, image);
        }
    }
    std::vector<double> out(20);
    box_filter(image, e, 5000, out, image_border::zero);
    EXPECT_DOUBLE_EQ(out[0], 20 * 255 / (10001.0 * 10001.0));
}

namespace {

// Integers in plain memory are filtered by running sums, other items by a table.
template <class In, class Out>
void check_running(std::size_t images, std::size_t height, std::size_t width, int64_t radius,
                   const std::vector<In>& items, int threads) {
    const std::size_t pitch = width + 3;
    const image_extents e{height, width, images, 0, pitch};
    const std::deque<In> elsewhere(items.begin(), items.end());
    for (const image_border border : borders) {
        std::vector<Out> got(images * height * pitch, Out(77)), right = got;
        box_filter(cpu{threads}, items.begin(), e, radius, got.begin(), border);
        box_filter(cpu{threads}, elsewhere.begin(), e, radius, right.begin(), border);
        EXPECT_TRUE(got == right) << images << " images, " << height << " x " << width
                                  << ", radius " << radius << ", border " << int(border);
    }
}
template <class In, class Out>
void check_running_all() {
    constexpr std::size_t shapes[][3] = {{1, 300, 133}, {1, 3, 70001}, {1, 70001, 1}, {1, 1, 90001},
                                         {70, 9, 11},   {2, 129, 600}, {1, 2049, 17}};
    for (const auto& [images, height, width] : shapes) {
        auto items = random_values<In>(images * height * width, width);
        for (const int64_t radius : {0, 5, 31, 32, 127, 128, 600, 4100}) {
            check_running<In, Out>(images, height, width, radius, items, 3);
        }
        // Items with the largest sums.
        std::fill(items.begin(), items.end(), std::numeric_limits<In>::max());
        for (const int64_t radius : {63, 64, 127, 128, 2047, 2048}) {
            check_running<In, Out>(images, height, width, radius, items, 1);
        }
        std::fill(items.begin(), items.end(), std::numeric_limits<In>::min());
        check_running<In, Out>(images, height, width, 63, items, 2);
    }
}

}  // namespace

TEST(BoxFilter, RunningSumsAreThoseOfTables) {
    check_running_all<uint8_t, uint8_t>();
    check_running_all<std::int8_t, std::int8_t>();
    check_running_all<uint16_t, uint16_t>();
    check_running_all<std::int16_t, float>();
    check_running_all<int32_t, int64_t>();
}

// Means as close to a rounding boundary as they can be, from sums of all sizes.
TEST(BoxFilter, RunningSumsAreRoundedAsQuotientsAre) {
    for (const int64_t radius : {1, 5, 12, 40, 62, 63, 64}) {
        const auto side = static_cast<std::size_t>(2 * radius + 1), half = side * side / 2;
        std::vector<uint8_t> image(side * side), out(image.size());
        for (const int mean : {0, 1, 100, 127, 128, 253, 254}) {
            for (const std::size_t more : {half - 1, half, half + 1, half + 2}) {
                std::fill(image.begin(), image.end(), uint8_t(mean));
                std::fill_n(image.begin(), more, uint8_t(mean + 1));
                box_filter(image, image_extents{side, side}, radius, out, image_border::zero);
                EXPECT_EQ(out[half], mean + (more > half)) << radius << ", " << mean;
            }
        }
    }
}

TEST(DepthOfField, BlursByDepth) {
    const std::size_t height = 40, width = 50;
    const auto image = random_values<uint8_t>(height * width, 7);
    auto depth = random_values<float>(height * width, 8);
    depth[3] = std::numeric_limits<float>::quiet_NaN();
    std::vector<int> radii(image.size());
    for (std::size_t i = 0; i < image.size(); ++i) {
        const float radius = 5.5F * std::fabs(depth[i] - .25F);
        radii[i] = radius > 0 ? int(std::nearbyint(radius)) : 0;
    }
    std::vector<uint8_t> right(image.size()), out(image.size());
    const image_extents e{height, width};
    box_filter(image, e, radii, right);
    depth_of_field(image, depth, e, focus_settings{.25F, 5.5F}, out);
    EXPECT_EQ(out, right);
    depth_of_field(cpu{1}, image.begin(), depth.begin(), e, {.25F, 0.F}, out.begin());
    EXPECT_EQ(out, image);
}

// A sharp white square before a black background that is out of focus. The plain blur has a halo;
// there is none if sharp pixels are kept apart.
TEST(DepthOfField, SharpPixelsCanBeKeptApart) {
    const std::size_t side = 60;
    using rgb = pixel<uint8_t, 3>;
    std::vector<rgb> image(side * side, rgb{{0, 0, 0}}), halo(image.size()), apart(image.size());
    std::vector<float> depth(image.size(), 1.F);
    for (std::size_t y = 20; y < 40; ++y) {
        for (std::size_t x = 20; x < 40; ++x) {
            image[y * side + x] = {{255, 255, 255}};
            depth[y * side + x] = 0;
        }
    }
    const image_extents e{side, side};
    depth_of_field(image, depth, e, focus_settings{0.F, 6.F}, halo);
    EXPECT_GT(halo[30 * side + 18].channel[0], 50);
    depth_of_field(image, depth, e, focus_settings{0.F, 6.F, true}, apart);
    EXPECT_TRUE(apart == image);
}

TEST(BoxFilter, Refuses) {
    std::vector<uint8_t> in(100), out(100);
    std::vector<int> radii(99);
    std::vector<float> depth(100);
    const image_extents e{10, 10};
    EXPECT_EQ(message_of([&] { box_filter(in, e, -3, out); }),
              "lookback: radius is -3; expected 0 to 8388607");
    EXPECT_EQ(message_of([&] { box_filter(in, e, 8388608U, out); }),
              "lookback: radius is 8388608; expected 0 to 8388607");
    EXPECT_EQ(message_of([&] { box_filter(in, e, radii, out); }),
              "lookback: there are 99 radii for 100 items; expected one for each");
    EXPECT_EQ(message_of([&] { box_filter(in, e, 1, in); }),
              "lookback: the output overlaps the input, 0 bytes from its beginning; expected "
              "separate memory");
    EXPECT_EQ(message_of([&] {
                  box_filter(in, image_extents{10, 10, 1, 0, 9}, 1, out);
              }),
              "lookback: image_extents.out_pitch is 9; expected 0 or at least a row's 10 items");
    EXPECT_EQ(message_of([&] {
                  depth_of_field(in, depth, e, focus_settings{NAN, 1.F}, out);
              }),
              "lookback: focus_settings.focus is not a number");
    EXPECT_EQ(message_of([&] {
                  depth_of_field(in, depth, e, focus_settings{0.F, -1.F}, out);
              }),
              "lookback: focus_settings.aperture is -1.000000; expected 0 or a number of pixels");
    EXPECT_EQ(message_of([&] { box_filter(in, e, 1, out, image_border(7)); }),
              "lookback: image_border is 7; expected clamp, zero or reflect");
    EXPECT_EQ(message_of([&] {
                  box_filter(in, image_extents{0, 10}, 1, out);
              }),
              "no std::invalid_argument");
}

}  // namespace lookback::test
