// One job in the background: jobs run in order, and their exceptions reach the caller.

#include "background.hpp"

#include <gtest/gtest.h>

#include <new>
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

// A job that cannot be started must not hide an earlier error.
TEST(background, rethrows_before_it_copies_the_next_job) {
    struct uncopyable_job {
        uncopyable_job() = default;
        uncopyable_job(const uncopyable_job&) { throw std::bad_alloc(); }
        void operator()() const {}
    };
    const uncopyable_job next;
    background worker;
    worker.start([] { throw std::runtime_error("disk full"); });
    EXPECT_THROW(worker.start(next), std::runtime_error);
    bool is_done = false;
    worker.start([&is_done] { is_done = true; });
    EXPECT_THROW(worker.start(next), std::bad_alloc);
    EXPECT_TRUE(is_done);
}

TEST(background, finishes_the_last_job_before_it_ends) {
    bool is_done = false;
    {
        background worker;
        worker.start([&is_done] { is_done = true; });
    }
    EXPECT_TRUE(is_done);
}
