// Means over windows from their sums: quotients, and products in their place.
#include "lookback/detail/box_mean.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "lookback/detail/box_window.hpp"

namespace lookback::test {
namespace {

using std::int64_t, std::uint32_t, std::uint64_t;

// The sums over windows that are next to those at which rounding changes, for the least and the
// largest means and many others.
template <class Real, class Sum>
void check_products(int item_bits, int64_t radius) {
    const int64_t n = detail::window_items(radius);
    ASSERT_LE(n, detail::most_items_by<Real>(item_bits));
    const int64_t values = int64_t{1} << item_bits;
    const int64_t least = std::is_signed_v<Sum> ? -values / 2 : 0;
    std::mt19937_64 random(1);
    for (int i = 0; i < 2000; ++i) {
        const int64_t up = i < 256 ? i : i < 512 ? values + 255 - i : int64_t(random() >> 11);
        const int64_t mean = least + (up & (values - 1));
        for (const int64_t more : {int64_t{0}, n / 2, n / 2 + 1, n - 1}) {
            if (mean == least + values - 1 && more > 0) continue;
            const auto sum = static_cast<Sum>(mean * n + more);
            ASSERT_EQ(detail::rounded_product<int64_t>(sum, 1 / static_cast<Real>(n)),
                      detail::mean_of<int64_t>(sum, n))
                << mean << ", " << more << ", " << n;
        }
    }
}

}  // namespace

TEST(BoxMean, TiesGoToTheEvenInteger) {
    EXPECT_EQ(detail::mean_of<int>(std::uint64_t{5}, 2), 2);
    EXPECT_EQ(detail::mean_of<int>(std::uint64_t{7}, 2), 4);
    EXPECT_EQ(detail::mean_of<int>(int64_t{-5}, 2), -2);
    EXPECT_EQ(detail::mean_of<int>(int64_t{-7}, 2), -4);
    const int64_t large = (int64_t{1} << 60) + 1;  // doubles cannot represent it
    EXPECT_EQ(detail::mean_of<int64_t>(large * 2 + 1, 2), large + 1);
    EXPECT_EQ(detail::mean_of<int64_t>(-large * 2 - 1, 2), -large - 1);
    EXPECT_EQ(detail::mean_of<int64_t>(large * 3 + 1, 3), large);
    EXPECT_EQ(detail::mean_of<int64_t>(large * 3 + 2, 3), large + 1);
}

TEST(BoxMean, ProductsAreRoundedAsQuotientsAre) {
    for (const int64_t radius : {0, 1, 2, 3, 11, 12, 29, 43, 44}) {
        check_products<float, uint32_t>(8, radius);
        check_products<double, int64_t>(32, radius);
    }
    EXPECT_GT(detail::window_items(45), detail::most_items_by<float>(8));
    check_products<double, uint32_t>(8, 2047);
    check_products<double, uint64_t>(16, 92680);
    check_products<double, int64_t>(16, 92680);
    check_products<double, uint64_t>(32, 361);
    check_products<double, int64_t>(32, 361);
    EXPECT_EQ(detail::most_items_by<double>(64), 0);
    const auto pixels =
        detail::rounded_product<pixel<std::uint8_t, 2>>(pixel<uint32_t, 2>{{9 * 255, 14}}, 1 / 9.F);
    EXPECT_EQ(pixels, (pixel<std::uint8_t, 2>{{255, 2}}));
}

}  // namespace lookback::test
