// The line of the progress bar.

#include "progress.hpp"

#include <gtest/gtest.h>

using lookback::cli::progress_line;

TEST(progress, shows_part_rate_and_time_left) {
    EXPECT_EQ(progress_line(0, 8'000'000'000, 1),
              "[........................]   0 %  0.00 GB/s  0:00 left");
    EXPECT_EQ(progress_line(2'000'000'000, 8'000'000'000, 2),
              "[######..................]  25 %  1.00 GB/s  0:06 left");
    EXPECT_EQ(progress_line(100'000'000, 36'100'000'000, 10),
              "[........................]   0 %  0.01 GB/s  60:00 left");
    EXPECT_EQ(progress_line(8'000'000'000, 8'000'000'000, 4),
              "[########################] 100 %  2.00 GB/s  0:00 left");
}

TEST(progress, is_as_wide_as_the_terminal) {
    const auto line = [](std::size_t columns) {
        return progress_line(2'000'000'000, 8'000'000'000, 2, columns);
    };
    EXPECT_EQ(line(54), "[######..................]  25 %  1.00 GB/s  0:06 left");
    EXPECT_EQ(line(49), "[####...............]  25 %  1.00 GB/s  0:06 left");
    for (std::size_t columns = 0; columns < 60; ++columns) {
        EXPECT_LE(line(columns).size(), columns);
    }
    EXPECT_EQ(line(34), "[#...]  25 %  1.00 GB/s  0:06 left");
    EXPECT_EQ(line(33), " 25 %  1.00 GB/s  0:06 left");
    EXPECT_EQ(line(26), " 25 %");
}
