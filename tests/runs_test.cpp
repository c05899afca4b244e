// run_length_encode and nontrivial_runs, compared with loops.
#include <cmath>
#include <limits>
#include <ranges>

#include "support/compaction.hpp"

namespace lookback::test {

TEST(RunLengthEncode, AgainstALoop) {
    // The tile is that of nontrivial_runs: as for a key and a position together.
    const std::size_t tile = detail::run_tile_items<std::uint32_t, std::uint32_t>;
    for (const std::size_t n : sizes_around(tile)) {
        for (const auto& [name, keys] : key_patterns(n, tile)) {
            const runs_of_keys want = find_runs(keys);
            for (const int threads : thread_counts) {
                const std::string what = describe(name, n, threads);
                const cpu where{.threads = threads};
                watched_output<std::uint32_t> values(n), lengths(n), begins(n), long_lengths(n);
                ASSERT_EQ(run_length_encode(where, keys.begin(), keys.end(), values.begin(),
                                            lengths.begin()),
                          want.keys.size())
                    << what;
                ASSERT_NO_FATAL_FAILURE(values.expect(want.keys, what));
                ASSERT_NO_FATAL_FAILURE(lengths.expect(want.lengths, what));
                auto both = keys;
                watched_output<std::uint32_t> again(n);
                ASSERT_EQ(
                    run_length_encode(where, both.begin(), both.end(), both.begin(), again.begin()),
                    want.keys.size());
                ASSERT_NO_FATAL_FAILURE(expect_in_place(both, want.keys, keys, what));
                ASSERT_NO_FATAL_FAILURE(again.expect(want.lengths, what));
                ASSERT_EQ(nontrivial_runs(where, keys.begin(), keys.end(), begins.begin(),
                                          long_lengths.begin()),
                          want.long_begins.size())
                    << what;
                ASSERT_NO_FATAL_FAILURE(begins.expect(want.long_begins, what));
                ASSERT_NO_FATAL_FAILURE(long_lengths.expect(want.long_lengths, what));
            }
        }
    }
}

TEST(RunLengthEncode, RunsOfMoreThan4GItems) {
    const std::int64_t length = sanitized ? (1 << 21) + 5 : (std::int64_t{1} << 32) + 5;
    const auto in =
        std::views::iota(std::int64_t{-9}, length + 20) |
        std::views::transform([length](std::int64_t i) { return (i >= 0) + (i >= length); });
    std::vector<int> values(3);
    std::vector<std::uint64_t> lengths(3);
    ASSERT_EQ(run_length_encode(cpu{}, in.begin(), in.end(), values.begin(), lengths.begin()), 3U);
    EXPECT_EQ(values, (std::vector{0, 1, 2}));
    EXPECT_EQ(lengths, (std::vector<std::uint64_t>{9, std::uint64_t(length), 20}));
}

TEST(RunLengthEncode, StringsInPlace) {
    const std::size_t n = 9 * detail::run_tile_items<std::string, std::uint32_t> + 1;
    for (const std::size_t run : {std::size_t{1}, std::size_t{3}}) {
        std::vector<std::string> in(n), want;
        for (std::size_t i = 0; i < n; ++i) in[i] = numbered<std::string>(i - i % run);
        for (std::size_t i = 0; i < n; i += run) want.push_back(in[i]);
        for (const int threads : thread_counts) {
            auto both = in;
            std::vector<int> lengths(n);
            ASSERT_EQ(run_length_encode(cpu{threads}, both.begin(), both.end(), both.begin(),
                                        lengths.begin()),
                      want.size());
            ASSERT_NO_FATAL_FAILURE(expect_in_place(both, want, in, "strings"));
        }
    }
}

TEST(RunLengthEncode, FollowsTheGivenEquality) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> in = {nan, nan, 0.0, -0.0, 1.0, nan};
    std::vector<double> values(6);
    std::vector<int> lengths(6);
    ASSERT_EQ(run_length_encode(cpu{}, in.begin(), in.end(), values.begin(), lengths.begin()), 5U);
    EXPECT_EQ(lengths, (std::vector{1, 1, 2, 1, 1, 0}));
    EXPECT_FALSE(std::signbit(values[2]));
    ASSERT_EQ(nontrivial_runs(cpu{}, in.begin(), in.end(), values.begin(), lengths.begin()), 1U);
    EXPECT_EQ(values[0], 2.0);
    EXPECT_EQ(lengths[0], 2);
    const auto same = [](double x, double y) { return x == y || (x != x && y != y); };
    ASSERT_EQ(run_length_encode(cpu{}, in.begin(), in.end(), values.begin(), lengths.begin(), same),
              4U);
    EXPECT_EQ(lengths[0], 2);
}

TEST(RunLengthEncode, EmptyInput) {
    const std::vector<int> none;
    std::vector<int> out;
    EXPECT_EQ(run_length_encode(cpu{}, none.begin(), none.end(), out.begin(), out.begin()), 0U);
    EXPECT_EQ(nontrivial_runs(cpu{}, none.begin(), none.end(), out.begin(), out.begin()), 0U);
}

}  // namespace lookback::test
