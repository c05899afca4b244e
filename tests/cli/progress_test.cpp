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
