// Summed-area tables of floats, compared bit by bit with the order of detail/table_order.hpp.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/summed_area.hpp"

namespace lookback::test {

TEST(SummedAreaFloats, Floats) { check_tables<float, float>(); }
TEST(SummedAreaFloats, FloatsInDoubles) { check_tables<float, double>(); }
TEST(SummedAreaFloats, Doubles) { check_tables<double, double, false>(); }
TEST(SummedAreaFloats, BytesInFloats) { check_tables<std::uint8_t, float, false>(); }
TEST(SummedAreaFloats, PixelsOfTwo) { check_tables<pixel<float, 2>, pixel<float, 2>, false>(); }
TEST(SummedAreaFloats, PixelsOfThree) { check_tables<pixel<float, 3>, pixel<double, 3>>(); }
TEST(SummedAreaFloats, PixelsOfFour) { check_tables<pixel<float, 4>, pixel<float, 4>, false>(); }

// Zeros keep their sign, and NaN reaches only entries to the right and below.
TEST(SummedAreaFloats, ZerosAndNumbersThatAreNone) {
    const std::size_t height = 150, width = 300;
    std::vector<float> items(height * width, -0.0F), table(items.size());
    summed_area_table(items, image_extents{height, width}, table);
    EXPECT_TRUE(same_bits(table, items));
    items[70 * width + 130] = std::numeric_limits<float>::quiet_NaN();
    summed_area_table(items, image_extents{height, width}, table);
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            ASSERT_EQ(std::isnan(table[y * width + x]), y >= 70 && x >= 130) << y << ", " << x;
        }
    }
}

// Any number of threads and any pitch give the same bits.
TEST(SummedAreaFloats, TheSameBitsInEveryRun) {
    const std::size_t height = 1000, width = 3000;
    const auto items = random_values<float>(height * width, 5);
    std::vector<float> right(items.size()), table(items.size());
    summed_area_table(cpu{1}, items, image_extents{height, width}, right);
    for (int round = 0; round < (sanitized ? 2 : 10); ++round) {
        summed_area_table(cpu{round % 4}, items, image_extents{height, width}, table);
        ASSERT_TRUE(same_bits(table, right));
    }
}

}  // namespace lookback::test
