// Numbers of items, numbers of results and initial values that lie in memory, in the same forms as
// on a GPU.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "lookback/lookback.hpp"
#include "support/values.hpp"

namespace lookback::test {
namespace {

constexpr auto is_odd = [](std::uint32_t x) { return x % 2 == 1; };

struct counts : testing::TestWithParam<std::size_t> {
    const std::size_t n = GetParam();
    const std::uint32_t count = static_cast<std::uint32_t>(n);
    const std::vector<std::uint32_t> in = random_values<std::uint32_t>(n + 10, 7);
    std::vector<std::uint32_t> out = std::vector<std::uint32_t>(n + 10, 77);
    // One count is less than the room for results; the other is more, so that the room is filled.
    const count_at<std::uint32_t> fewer{&count, n + 5};
    const std::uint64_t many = n + 1000;
    const count_at<std::uint64_t> at_most{&many, n};

    void expect_untouched_from(std::size_t first) const {
        for (std::size_t i = first; i < out.size(); ++i) ASSERT_EQ(out[i], 77U) << i;
    }
};

TEST_P(counts, OfAScan) {
    std::vector<std::uint32_t> want(n);
    std::inclusive_scan(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n), want.begin());
    for (const bool in_full : {false, true}) {
        std::fill(out.begin(), out.end(), 77U);
        in_full ? lookback::inclusive_scan(cpu{}, in.begin(), at_most, out.begin())
                : lookback::inclusive_scan(cpu{}, in.begin(), fewer, out.begin());
        EXPECT_TRUE(std::equal(want.begin(), want.end(), out.begin()));
        expect_untouched_from(n);
    }
    const std::uint32_t five = 5;
    std::exclusive_scan(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n), want.begin(), 5U);
    lookback::exclusive_scan(in.begin(), fewer, out.begin(), value_at{&five});
    EXPECT_TRUE(std::equal(want.begin(), want.end(), out.begin()));
    lookback::inclusive_segmented_scan(in.begin(), fewer, head_flags{in.begin()}, out.begin(),
                                       value_at{&five});
    if (n > 0) {
        EXPECT_EQ(out[0], 5 + in[0]);
    }
}

TEST_P(counts, OfASelection) {
    std::vector<std::uint32_t> want;
    for (std::size_t i = 0; i < n; ++i) {
        if (is_odd(in[i])) want.push_back(in[i]);
    }
    std::uint32_t kept = 99;
    lookback::select_if(cpu{}, in.begin(), fewer, out.begin(), count_to{&kept}, is_odd);
    EXPECT_EQ(kept, want.size());
    EXPECT_TRUE(std::equal(want.begin(), want.end(), out.begin()));
    expect_untouched_from(want.size());
    EXPECT_EQ(lookback::select_if(in.begin(), at_most, out.begin(), is_odd), want.size());

    std::vector<std::uint32_t> first(n + 5), second(n + 5), rest(n + 5);
    std::uint64_t two[2] = {99, 99};
    const auto is_small = [](std::uint32_t x) { return x < 1U << 31; };
    lookback::partition_if(cpu{}, in.begin(), fewer, first.begin(), second.begin(), rest.begin(),
                           count_to{two}, is_odd, is_small);
    EXPECT_EQ(two[0], want.size());
    EXPECT_EQ(two[1], static_cast<std::size_t>(std::count_if(
                          in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n),
                          [&](std::uint32_t x) { return !is_odd(x) && is_small(x); })));
}

TEST_P(counts, OfRuns) {
    std::vector<std::uint32_t> keys(n + 5);
    for (std::size_t i = 0; i < n; ++i) keys[i] = static_cast<std::uint32_t>(i / 3);
    const std::size_t want = (n + 2) / 3;
    std::uint64_t runs = 99;
    lookback::unique(cpu{}, keys.begin(), fewer, out.begin(), count_to{&runs});
    EXPECT_EQ(runs, want);
    std::vector<std::uint32_t> sums(n + 5), lengths(n + 5);
    lookback::reduce_by_key(cpu{}, keys.begin(), fewer, in.begin(), out.begin(), sums.begin(),
                            count_to{&runs});
    EXPECT_EQ(runs, want);
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0U),
              std::accumulate(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(n), 0U));
    keys.resize(n);
    std::fill(lengths.begin(), lengths.end(), 0U);
    lookback::run_length_encode(cpu{}, keys, out, lengths, count_to{&runs});
    EXPECT_EQ(runs, want);
    EXPECT_EQ(std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}), n);
    lookback::nontrivial_runs(cpu{}, keys, out, lengths, count_to{&runs});
    EXPECT_EQ(runs, (n + 1) / 3);
}

INSTANTIATE_TEST_SUITE_P(Sizes, counts, testing::Values(0, 1, 3, 100, 70'000));

// 64-bit integers of another type: the compiler may assume that they do not alias the library's.
TEST(Counts, OfAnyIntegerType) {
    std::vector<int> x{1, 2, 3, 4, 5}, y(5);
    unsigned long long kept = 77;
    const long long four = 4;
    const auto above_two = [](int i) { return i > 2; };
    lookback::select_if(cpu{}, x.begin(), count_at<long long>{&four, 5}, y.begin(), count_to{&kept},
                        above_two);
    EXPECT_EQ(kept, 2U);
    lookback::partition_if(cpu{}, x.begin(), x.end(), y.begin(), count_to{&kept}, above_two);
    EXPECT_EQ(kept, 3U);
    EXPECT_EQ(y, (std::vector{3, 4, 5, 1, 2}));
}

TEST(Counts, TheEndIsThatAtTheLargestCount) {
    std::vector<int> x(10, 1), y(10);
    const std::uint32_t three = 3;
    const count_at<std::uint32_t> count{&three, 10};
    EXPECT_EQ(lookback::inclusive_scan(x.begin(), count, y.begin()), y.end());
    EXPECT_EQ(lookback::inclusive_scan_by_key(x.begin(), count, x.begin(), y.begin()), y.end());
    EXPECT_EQ(
        lookback::inclusive_segmented_scan(x.begin(), count, head_flags{x.begin()}, y.begin()),
        y.end());
    EXPECT_EQ(y[2], 1);
    EXPECT_EQ(y[3], 0);
}

TEST(Counts, ThatAreRefused) {
    std::vector<int> x(300), y(300);
    const auto positive = [](int i) { return i > 0; };
    std::uint32_t count = 5;
    const count_at<std::uint32_t> none{nullptr, 5}, some{&count, 300};
    EXPECT_THROW(lookback::inclusive_scan(x.begin(), none, y.begin()), std::invalid_argument);
    EXPECT_THROW(lookback::exclusive_scan(x.begin(), some, y.begin(), value_at<int>{nullptr}),
                 std::invalid_argument);
    EXPECT_THROW(lookback::select_if(x, y, count_to<std::uint32_t>{nullptr}, positive),
                 std::invalid_argument);
    EXPECT_THROW(lookback::select_if(cpu{}, x.begin(), some, y.begin(), count_to{&count}, positive),
                 std::invalid_argument);
}

}  // namespace
}  // namespace lookback::test
