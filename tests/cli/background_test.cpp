// One job in the background: jobs run in order, and what they throw arrives.

#include "background.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

using lookback::cli::background;

TEST(background, runs_jobs_in_order) {
    std::vector<int> done;
    background worker;
    for (int i = 0; i < 1000; ++i) worker.start([&done, i] { done.push_back(i); });
    worker.wait();
    ASSERT_EQ(done.size(), 1000u);
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(done[static_cast<std::size_t>(i)], i);
}

TEST(background, rethrows_once) {
    background worker;
    worker.start([] { throw std::runtime_error("disk full"); });
    EXPECT_THROW(worker.wait(), std::runtime_error);
    worker.wait();
    worker.start([] { throw std::runtime_error("disk full"); });
    EXPECT_THROW(worker.start([] {}), std::runtime_error);
}

TEST(background, finishes_the_last_job_before_it_ends) {
    bool is_done = false;
    {
        background worker;
        worker.start([&is_done] { is_done = true; });
    }
    EXPECT_TRUE(is_done);
}
