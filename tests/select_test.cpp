// select_if, select_flagged, unique and unique_by_key, compared with loops.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <ranges>

#include "support/compaction.hpp"

namespace lookback::test {
namespace {

template <class T>
void check_flagged() {
    const std::size_t tile = detail::compaction_tile_items<T>;
    for (const std::size_t n : sizes_around(tile)) {
        const auto in = numbered_values<T>(n);
        for (const auto& [name, flags] : flag_patterns(n, tile)) {
            std::vector<T> want;
            for (std::size_t i = 0; i < n; ++i) {
                if (flags[i]) want.push_back(in[i]);
            }
            for (const int threads : thread_counts) {
                const std::string what = describe(name, n, threads);
                const cpu where{.threads = threads};
                watched_output<T> out(n);
                ASSERT_EQ(select_flagged(where, in.begin(), in.end(), flags.begin(), out.begin()),
                          want.size())
                    << what;
                ASSERT_NO_FATAL_FAILURE(out.expect(want, what));
                std::vector<T> both = in;
                ASSERT_EQ(
                    select_flagged(where, both.begin(), both.end(), flags.begin(), both.begin()),
                    want.size());
                ASSERT_NO_FATAL_FAILURE(expect_in_place(both, want, in, what));
            }
        }
    }
}

}  // namespace

TEST(SelectFlagged, Bytes) { check_flagged<std::uint8_t>(); }
TEST(SelectFlagged, TwoBytes) { check_flagged<std::uint16_t>(); }
TEST(SelectFlagged, Integers) { check_flagged<std::uint32_t>(); }
TEST(SelectFlagged, Doubles) { check_flagged<double>(); }
TEST(SelectFlagged, Structs24Bytes) { check_flagged<span_of>(); }
TEST(SelectFlagged, StringsThatOwnMemory) { check_flagged<std::string>(); }

TEST(SelectFlagged, TakesAnyFlags) {
    const std::vector<int> in = {1, 2, 3, 4};
    const std::vector<bool> bits = {true, false, false, true};
    std::vector<int> out(2);
    EXPECT_EQ(select_flagged(cpu{}, in.begin(), in.end(), bits.begin(), out.begin()), 2U);
    EXPECT_EQ(out, (std::vector{1, 4}));
    const std::vector<std::unique_ptr<int>> pointers(4);
    EXPECT_EQ(select_flagged(cpu{}, in.begin(), in.end(), pointers.begin(), out.begin()), 0U);
}

// The predicate is called once for each item, whatever happens between the workers.
TEST(SelectIf, CallsThePredicateOnceForEachItem) {
    const std::size_t n = 20 * detail::compaction_tile_items<std::uint32_t> + 5;
    std::vector<std::uint32_t> in(n);
    for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<std::uint32_t>(i);
    for (const int threads : thread_counts) {
        std::vector<std::atomic<std::uint8_t>> calls(n);
        std::vector<std::uint32_t> both = in;
        const std::size_t kept =
            select_if(cpu{threads}, both.begin(), both.end(), both.begin(), [&](std::uint32_t x) {
                calls[x].fetch_add(1, std::memory_order_relaxed);
                return x % 3 != 0;
            });
        ASSERT_EQ(kept, n - (n + 2) / 3);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(calls[i], 1) << "item " << i;
    }
}

TEST(SelectIf, Backward) {
    const std::vector<int> in = {1, 2, 3, 4, 5};
    std::vector<int> out(3, 0);
    EXPECT_EQ(select_if(cpu{}, in.rbegin(), in.rend(), out.rbegin(), [](int x) { return x > 3; }),
              2U);
    EXPECT_EQ(out, (std::vector{0, 4, 5}));
}

TEST(SelectIf, MoreThan4GItems) {
    const std::int64_t n = sanitized ? 1 << 22 : (std::int64_t{1} << 32) + 77;
    const auto numbers = std::views::iota(std::int64_t{0}, n);
    std::vector<std::int64_t> out(5000, -1);
    const std::size_t kept = select_if(cpu{}, numbers.begin(), numbers.end(), out.begin(),
                                       [](std::int64_t x) { return (x & 0xfffff) == 0xff; });
    EXPECT_EQ(kept, static_cast<std::size_t>((n - 0x100) / 0x100000 + (n >= 0x100)));
    for (std::size_t i = 0; i < kept; ++i) ASSERT_EQ(out[i], std::int64_t(i) * 0x100000 + 0xff);
    EXPECT_EQ(out[kept], -1);
}

TEST(Unique, AgainstALoop) {
    const std::size_t tile = detail::compaction_tile_items<std::uint32_t>;
    for (const std::size_t n : sizes_around(tile)) {
        for (const auto& [name, keys] : key_patterns(n, tile)) {
            std::vector<std::uint32_t> want;
            std::vector<span_of> want_values;
            const auto values = numbered_values<span_of>(n);
            for (std::size_t i = 0; i < n; ++i) {
                if (i > 0 && keys[i] == keys[i - 1]) continue;
                want.push_back(keys[i]);
                want_values.push_back(values[i]);
            }
            for (const int threads : thread_counts) {
                const std::string what = describe(name, n, threads);
                const cpu where{.threads = threads};
                watched_output<std::uint32_t> out(n), keys_out(n);
                watched_output<span_of> values_out(n);
                ASSERT_EQ(lookback::unique(where, keys.begin(), keys.end(), out.begin()),
                          want.size())
                    << what;
                ASSERT_NO_FATAL_FAILURE(out.expect(want, what));
                auto both = keys;
                ASSERT_EQ(lookback::unique(where, both.begin(), both.end(), both.begin()),
                          want.size());
                ASSERT_NO_FATAL_FAILURE(expect_in_place(both, want, keys, what));
                if (threads > 3) continue;
                ASSERT_EQ(unique_by_key(where, keys.begin(), keys.end(), values.begin(),
                                        keys_out.begin(), values_out.begin()),
                          want.size());
                ASSERT_NO_FATAL_FAILURE(keys_out.expect(want, what));
                ASSERT_NO_FATAL_FAILURE(values_out.expect(want_values, what));
                both = keys;
                auto values_both = values;
                ASSERT_EQ(unique_by_key(where, both.begin(), both.end(), values_both.begin(),
                                        both.begin(), values_both.begin()),
                          want.size());
                ASSERT_NO_FATAL_FAILURE(expect_in_place(both, want, keys, what));
                ASSERT_NO_FATAL_FAILURE(expect_in_place(values_both, want_values, values, what));
            }
        }
    }
}

// Keys that differ only in their lower or only in their upper half are different.
TEST(Unique, KeysOf8Bytes) {
    const std::size_t tile = detail::compaction_tile_items<std::uint64_t>;
    for (const std::size_t n : {std::size_t{64}, tile, 7 * tile + 65}) {
        for (const auto& [name, keys] : key_patterns(n, tile)) {
            for (const int shift : {0, 32}) {
                std::vector<std::uint64_t> in(n), want;
                for (std::size_t i = 0; i < n; ++i) in[i] = std::uint64_t{keys[i]} << shift;
                std::unique_copy(in.begin(), in.end(), std::back_inserter(want));
                for (const int threads : thread_counts) {
                    auto both = in;
                    ASSERT_EQ(
                        lookback::unique(cpu{threads}, both.begin(), both.end(), both.begin()),
                        want.size());
                    ASSERT_NO_FATAL_FAILURE(
                        expect_in_place(both, want, in, describe(name, n, threads)));
                }
            }
        }
    }
}

TEST(Unique, StringsInPlace) {
    const std::size_t n = 9 * detail::compaction_tile_items<std::string> + 1;
    for (const std::size_t run : {std::size_t{1}, std::size_t{3}}) {
        std::vector<std::string> in(n), want;
        for (std::size_t i = 0; i < n; ++i) in[i] = numbered<std::string>(i - i % run);
        for (std::size_t i = 0; i < n; i += run) want.push_back(in[i]);
        for (const int threads : thread_counts) {
            auto both = in;
            ASSERT_EQ(lookback::unique(cpu{threads}, both.begin(), both.end(), both.begin()),
                      want.size());
            ASSERT_NO_FATAL_FAILURE(expect_in_place(both, want, in, "strings"));
        }
    }
}

TEST(Unique, FollowsTheGivenEquality) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<double> in = {nan, nan, 0.0, -0.0, 1.0, 1.25, 1.5, nan};
    std::vector<double> out(in.size());
    ASSERT_EQ(lookback::unique(cpu{}, in.begin(), in.end(), out.begin()), 7U);
    EXPECT_TRUE(std::isnan(out[0]) && std::isnan(out[1]) && std::isnan(out[6]));
    EXPECT_FALSE(std::signbit(out[2]));  // of two equal items, the first is kept
    const auto same = [](double x, double y) { return x == y || (x != x && y != y); };
    ASSERT_EQ(lookback::unique(cpu{}, in.begin(), in.end(), out.begin(), same), 6U);
    // The earlier item is the first argument: with `less`, a run lasts while items rise.
    const std::vector<int> rising = {1, 2, 3, 2, 2, 5, 1};
    std::vector<int> heads(rising.size());
    ASSERT_EQ(lookback::unique(cpu{}, rising.begin(), rising.end(), heads.begin(), std::less<>{}),
              4U);
    heads.resize(4);
    EXPECT_EQ(heads, (std::vector{1, 2, 2, 1}));
}

TEST(SelectFlagged, FlagsThatAreTheInputInPlace) {
    const std::size_t n = 20 * detail::compaction_tile_items<std::uint32_t> + 5;
    for (const int threads : {1, 4}) {
        std::vector<std::uint32_t> x(n), want;
        for (std::size_t i = 0; i < n; ++i) {
            x[i] = i % 3 == 0 ? 0 : static_cast<std::uint32_t>(i);
            if (x[i] != 0) want.push_back(x[i]);
        }
        std::vector<std::uint32_t> all = x, flags = x;
        all.resize(select_flagged(cpu{threads}, all.begin(), all.end(), all.begin(), all.begin()));
        EXPECT_TRUE(all == want) << threads << " threads";
        flags.resize(
            select_flagged(cpu{threads}, x.begin(), x.end(), flags.begin(), flags.begin()));
        EXPECT_TRUE(flags == want) << threads << " threads";
    }
}

TEST(SelectErrors, SayWhatIsWrong) {
    std::vector<int> in(10);
    const auto pred = [](int) { return true; };
    int* const null = nullptr;
    const auto first = in.data(), last = in.data() + 10;
    EXPECT_EQ(refusal([&] { select_if(cpu{}, last, first, first, pred); }),
              "lookback: the input ends before it begins (-10 items); expected first <= last");
    EXPECT_EQ(refusal([&] { select_if(cpu{}, first, last, null, pred); }),
              "lookback: the output is a null pointer, with 10 items");
    EXPECT_EQ(refusal([&] { select_if(cpu{}, first, last, first + 3, pred); }),
              "lookback: an output begins within the input, 12 bytes from its beginning; expected "
              "separate memory or the input itself");
    EXPECT_EQ(refusal([&] { partition_if(cpu{}, first, last, first, pred); }),
              "lookback: an output begins within the input, 0 bytes from its beginning; expected "
              "separate memory");
    EXPECT_EQ(refusal([&] { select_if(cpu{-1}, first, last, first, pred); }),
              "lookback: cpu.threads is -1; expected 0 for all, or the number of threads");
    std::vector<int> flags(10), out(10);
    EXPECT_EQ(refusal([&] { select_flagged(cpu{}, first, last, flags.data(), flags.data() + 3); }),
              "lookback: an output begins within the array of flags, 12 bytes from its beginning; "
              "expected separate memory or the array of flags itself");
    EXPECT_EQ(refusal([&] { select_flagged(cpu{}, first, last, null, out.data()); }),
              "lookback: the array of flags is a null pointer, with 10 items");
}

namespace {

// One of the copies throws. No copy may be leaked, or destroyed twice.
struct fragile {
    static inline std::atomic<long> copies_left{-1}, alive{0};
    int value = 0;
    explicit fragile(int v = 0) : value(v) { ++alive; }
    fragile(const fragile& other) : value(other.value) {
        if (copies_left.fetch_sub(1) == 0) throw std::runtime_error("copy");
        ++alive;
    }
    fragile& operator=(const fragile&) = default;
    ~fragile() { --alive; }
};

}  // namespace

TEST(SelectExceptions, ReachTheCaller) {
    const std::size_t n = 20 * detail::compaction_tile_items<std::uint32_t>;
    const std::vector<std::uint32_t> in(n, 1);
    std::vector<std::uint32_t> out(n);
    for (const int threads : thread_counts) {
        for (const long at : {0L, long(n / 3), long(n) - 1}) {
            std::atomic<long> calls{0};
            EXPECT_THROW(select_if(cpu{threads}, in.begin(), in.end(), out.begin(),
                                   [&](std::uint32_t) {
                                       if (calls++ == at) throw std::runtime_error("predicate");
                                       return true;
                                   }),
                         std::runtime_error);
            const long after = calls;
            EXPECT_EQ(calls, after) << "somebody still works";
        }
        EXPECT_EQ(select_if(cpu{threads}, in.begin(), in.end(), out.begin(),
                            [](std::uint32_t) { return true; }),
                  n);
    }
    {
        std::vector<fragile> items(9 * detail::compaction_tile_items<fragile> + 3);
        std::vector<fragile> to(items.size());
        const long before = fragile::alive;
        for (const long at : {0L, 1000L, long(items.size()) - 1}) {
            fragile::copies_left = at;
            EXPECT_THROW(select_if(cpu{}, items.begin(), items.end(), to.begin(),
                                   [](const fragile&) { return true; }),
                         std::runtime_error);
            EXPECT_EQ(fragile::alive, before);
        }
        fragile::copies_left = -1;
    }
    EXPECT_EQ(fragile::alive, 0);
}

}  // namespace lookback::test
