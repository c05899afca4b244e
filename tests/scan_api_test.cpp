// The forms of a call: types, iterators, ranges, huge sizes, errors.
#include <atomic>
#include <deque>
#include <memory>
#include <numeric>
#include <ranges>

#include "support/check_scan.hpp"
#include "support/message_of.hpp"

namespace lookback::test {
namespace {

/// Takes items at any index, and compares each with a formula.
struct checking_output {
    using difference_type = std::ptrdiff_t;
    using value_type = std::uint64_t;
    static constexpr std::uint64_t stride = 65536;  // only every 65536th output is counted
    using want_function = std::uint64_t (*)(std::uint64_t);
    struct slot {
        const checking_output* to;
        std::uint64_t i;
        void operator=(std::uint64_t got) const {
            if (got != to->want(i)) to->wrong->fetch_add(1);
            if (i % stride == 0) to->seen->fetch_add(1, std::memory_order_relaxed);
        }
    };
    want_function want;
    std::atomic<std::uint64_t>* wrong;
    std::atomic<std::uint64_t>* seen;
    std::ptrdiff_t at = 0;

    slot operator[](std::ptrdiff_t i) const { return {this, static_cast<std::uint64_t>(at + i)}; }
    checking_output operator+(std::ptrdiff_t i) const { return {want, wrong, seen, at + i}; }
};

}  // namespace

TEST(ScanTypes, BytesIntoSixtyFourBits) {
    const auto in = random_values<std::uint8_t>(200000, 1);
    std::vector<std::uint64_t> want(in.size());
    std::inclusive_scan(in.begin(), in.end(), want.begin(), std::plus<>{}, std::uint64_t{0});
    for (const int threads : {1, 4}) {
        std::vector<std::uint64_t> out(in.size());
        lookback::inclusive_scan(cpu{threads}, in, out, plus<std::uint64_t>{});
        EXPECT_EQ(out, want);
        std::fill(out.begin(), out.end(), 0);
        lookback::inclusive_scan(cpu{threads}, in, out, plus<>{}, std::uint64_t{0});
        EXPECT_EQ(out, want);
        lookback::exclusive_scan(cpu{threads}, in, out, std::uint64_t{5});
        EXPECT_EQ(out[0], 5u);
        EXPECT_EQ(out.back(), want.back() - in.back() + 5);
    }
}

TEST(ScanTypes, OutputIsConverted) {
    const std::vector<int> in = {1, 2, 3};
    std::vector<double> out(3);
    lookback::inclusive_scan(in, out);
    EXPECT_EQ(out, (std::vector{1., 3., 6.}));
    std::vector<std::int8_t> narrow(3);
    lookback::exclusive_scan(in, narrow, 300);  // 300, 301, 303 modulo 256
    EXPECT_EQ(narrow, (std::vector<std::int8_t>{44, 45, 47}));
}

TEST(ScanTypes, BytesStayBytes) {
    const std::vector<std::uint8_t> in(3, 200);
    std::vector<std::uint8_t> out(3);
    lookback::inclusive_scan(in, out);
    EXPECT_EQ(out, (std::vector<std::uint8_t>{200, 144, 88}));
    static_assert(std::is_same_v<scan_accumulator<const std::uint8_t*, plus<>>, std::uint8_t>);
    static_assert(std::is_same_v<scan_accumulator<const std::uint8_t*, std::plus<>>, int>);
}

TEST(ScanTypes, StandardPlusAndLongLong) {
    const auto in = random_values<long long>(100000, 3);
    std::vector<long long> out(in.size()), want(in.size());
    std::vector<unsigned long long> in_u(in.begin(), in.end()), out_u(in.size()), want_u(in.size());
    lookback::inclusive_scan(in_u, out_u, std::plus<>{});
    std::inclusive_scan(in_u.begin(), in_u.end(), want_u.begin(), std::plus<>{});
    EXPECT_EQ(out_u, want_u);
    lookback::inclusive_scan(in, out);
    std::inclusive_scan(in.begin(), in.end(), want.begin(), plus<>{});
    EXPECT_EQ(out, want);
}

TEST(ScanIterators, PointersDequesAndReversedRanges) {
    const std::vector<int> in = {1, 2, 3, 4};
    std::vector<int> out(4);
    EXPECT_EQ(lookback::inclusive_scan(in.data(), in.data() + 4, out.data()), out.data() + 4);
    EXPECT_EQ(out, (std::vector{1, 3, 6, 10}));
    std::deque<int> queue(4);
    EXPECT_EQ(lookback::inclusive_scan(in.begin(), in.end(), queue.begin()), queue.end());
    EXPECT_EQ(queue, (std::deque{1, 3, 6, 10}));
    lookback::inclusive_scan(queue, out);
    EXPECT_EQ(out, (std::vector{1, 4, 10, 20}));
    auto reversed_in = in | std::views::reverse;
    auto reversed_out = out | std::views::reverse;
    lookback::inclusive_scan(cpu{}, reversed_in, reversed_out);
    EXPECT_EQ(out, (std::vector{10, 9, 7, 4}));
    // Input forward, output backward: no kernel does that, but the result must be right.
    lookback::inclusive_scan(in.begin(), in.end(), out.rbegin());
    EXPECT_EQ(out, (std::vector{10, 6, 3, 1}));
    using reversed_twice = std::reverse_iterator<std::vector<int>::const_reverse_iterator>;
    lookback::inclusive_scan(reversed_twice(in.rend()), reversed_twice(in.rbegin()), out.begin());
    EXPECT_EQ(out, (std::vector{1, 3, 6, 10}));
}

TEST(ScanIterators, FancyInput) {
    const auto squares = std::views::iota(std::uint64_t{0}, std::uint64_t{100000}) |
                         std::views::transform([](std::uint64_t i) { return i * i; });
    std::vector<std::uint64_t> out(100000);
    lookback::inclusive_scan(cpu{.threads = 4}, squares, out);
    for (std::uint64_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], i * (i + 1) * (2 * i + 1) / 6);
}

TEST(ScanSizes, MoreThanFourBillionFromAGenerator) {
    const std::uint64_t n = sanitized ? (std::uint64_t{1} << 24) + 7 : (std::uint64_t{1} << 32) + 7;
    std::atomic<std::uint64_t> wrong{0}, seen{0};
    const auto ones = std::views::iota(std::uint64_t{0}, n) |
                      std::views::transform([](std::uint64_t) { return std::uint8_t{1}; });
    const checking_output out{[](std::uint64_t i) { return i + 4; }, &wrong, &seen};
    lookback::inclusive_scan(cpu{}, ones.begin(), ones.end(), out, plus<>{}, std::uint64_t{3});
    EXPECT_EQ(wrong, 0u);
    EXPECT_EQ(seen, n / checking_output::stride + 1);
}

TEST(ScanSizes, MoreThanFourBillionBytesInPlace) {
    const std::size_t n = sanitized ? (std::size_t{1} << 24) + 7 : (std::size_t{1} << 32) + 7;
    std::unique_ptr<std::uint8_t[]> data(new std::uint8_t[n]);
    for (std::size_t i = 0; i < n; ++i) data[i] = static_cast<std::uint8_t>(i * 7 + (i >> 20));
    lookback::inclusive_scan(data.get(), data.get() + n, data.get());
    std::uint8_t sum = 0;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
        sum = static_cast<std::uint8_t>(sum + static_cast<std::uint8_t>(i * 7 + (i >> 20)));
        wrong += data[i] != sum;
    }
    EXPECT_EQ(wrong, 0u);
}

TEST(ScanErrors, NameTheArgumentAndItsValue) {
    std::vector<int> in(5), out(3);
    EXPECT_EQ(message_of([&] { lookback::inclusive_scan(in, out); }),
              "lookback: the output has room for 3 items; expected at least the input's 5");
    EXPECT_EQ(message_of([&] { lookback::inclusive_scan(in.end(), in.begin(), out.begin()); }),
              "lookback: the input ends before it begins (-5 items); expected first <= last");
    int* null = nullptr;
    EXPECT_EQ(message_of([&] { lookback::inclusive_scan(in.data(), in.data() + 5, null); }),
              "lookback: the output is a null pointer, with 5 items");
    EXPECT_EQ(message_of([&] { lookback::exclusive_scan(null, null + 2, out.data(), 0); }),
              "lookback: the input is a null pointer, with 2 items");
    EXPECT_EQ(
        message_of([&] { lookback::inclusive_scan(in.data(), in.data() + 3, in.data() + 2); }),
        "lookback: the output overlaps the input, 8 bytes from its beginning; expected "
        "separate memory or the input itself");
    EXPECT_EQ(message_of([&] { lookback::inclusive_scan(in.data(), in.data() + 5, in.rbegin()); }),
              "lookback: the output overlaps the input, 0 bytes from its beginning; expected "
              "separate memory or the input itself");
    EXPECT_EQ(message_of([&] { lookback::inclusive_scan(cpu{.threads = -2}, in, in); }),
              "lookback: cpu.threads is -2; expected 0 for all, or the number of threads");
}

// Errors are found for every n, whichever code scans n items.
TEST(ScanErrors, AreFoundAtAnySize) {
    for (const std::ptrdiff_t n : {1, 2, 63, 64, 65, 1000, 300000}) {
        std::vector<int> in(static_cast<std::size_t>(n) + 1, 1);
        int *first = in.data(), *last = first + n, *null = nullptr;
        const std::vector<int> before = in;
        if (n > 1) {
            EXPECT_THROW(lookback::inclusive_scan(first, last, first + 1), std::invalid_argument);
            EXPECT_THROW(lookback::exclusive_scan(first + 1, last + 1, first, 0),
                         std::invalid_argument);
            EXPECT_THROW(lookback::inclusive_scan(first, last, std::reverse_iterator(last)),
                         std::invalid_argument);
        }
        EXPECT_THROW(lookback::inclusive_scan(first, last, null), std::invalid_argument);
        EXPECT_THROW(lookback::inclusive_scan(last, first, first), std::invalid_argument);
        EXPECT_THROW(lookback::inclusive_scan(cpu{.threads = -1}, first, last, first),
                     std::invalid_argument);
        EXPECT_EQ(in, before);
    }
}

TEST(ScanErrors, NothingToDoIsFine) {
    std::vector<int> none, out;
    int* null = nullptr;
    lookback::inclusive_scan(none, out);
    EXPECT_EQ(lookback::exclusive_scan(null, null, null, 3), null);
}

}  // namespace lookback::test
