// Outputs that overlap inputs, or each other: what works, and what is refused.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "lookback/lookback.hpp"
#include "support/message_of.hpp"

namespace lookback::test {
namespace {

constexpr std::size_t n = 200'000;  // two tiles or more

bool odd(std::uint32_t x) { return x % 2 != 0; }

std::vector<std::uint32_t> numbers() {
    std::vector<std::uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

}  // namespace

TEST(Overlaps, OutputsMayRunIntoTheInputFromBelow) {
    for (const std::size_t below : {std::size_t{1}, std::size_t{1024}, n / 2, n}) {
        for (const int threads : {1, 4}) {
            const auto x = numbers();
            std::vector<std::uint32_t> buffer(below);
            buffer.insert(buffer.end(), x.begin(), x.end());
            const auto in = buffer.begin() + static_cast<std::ptrdiff_t>(below);
            ASSERT_EQ(unique(cpu{threads}, in, buffer.end(), buffer.begin()), n);
            EXPECT_TRUE(std::equal(x.begin(), x.end(), buffer.begin())) << below << " below";
        }
    }
    // Narrower items.
    const auto x = numbers();
    std::vector<std::uint32_t> buffer(1);
    buffer.insert(buffer.end(), x.begin(), x.end());
    const auto* const in = buffer.data() + 1;
    auto* const bytes = reinterpret_cast<unsigned char*>(buffer.data());
    ASSERT_EQ(select_if(cpu{4}, in, in + n, bytes, odd), n / 2);
    for (std::size_t i = 0; i < n / 2; ++i) {
        ASSERT_EQ(bytes[i], static_cast<unsigned char>(2 * i + 1)) << i;
    }
}

TEST(Overlaps, TightOutputsRightBelowTheInput) {
    std::vector<std::uint64_t> buffer(2 + n / 8);
    auto* const in = reinterpret_cast<std::uint8_t*>(buffer.data() + 2);
    std::fill(in, in + n / 2, std::uint8_t{3});
    std::fill(in + n / 2, in + n, std::uint8_t{4});
    std::vector<std::uint8_t> values(2);
    ASSERT_EQ(run_length_encode(cpu{}, in, in + n, values.data(), buffer.data()), 2U);
    EXPECT_EQ(values, (std::vector<std::uint8_t>{3, 4}));
    EXPECT_EQ(buffer[0], n / 2);
    EXPECT_EQ(buffer[1], n / 2);
}

TEST(Overlaps, WiderItemsThatRunIntoTheInputAreAnError) {
    std::vector<std::uint64_t> buffer(128 + n);
    auto* const in = reinterpret_cast<std::uint8_t*>(buffer.data() + 128);
    const auto fill = [&] { std::iota(in, in + n, std::uint8_t{0}); };
    std::vector<std::uint8_t> values(n), keys_out(n);
    std::vector<std::uint64_t> out(n);
    const std::string error =
        "lookback: an output of 200000 items has run into an input, 1024 bytes behind its "
        "beginning, and neither is right any more; expected separate memory";
    // With more threads, some would read where others write: a race, which is the caller's fault.
    const cpu one{.threads = 1};
    // Each byte is a run, whatever has overwritten it.
    const auto never = [](std::uint8_t, std::uint8_t) { return false; };
    fill();
    EXPECT_EQ(message_of(
                  [&] { run_length_encode(one, in, in + n, values.data(), buffer.data(), never); }),
              error);
    fill();
    EXPECT_EQ(message_of([&] {
                  reduce_by_key(one, in, in + n, values.data(), keys_out.data(), buffer.data(),
                                plus<std::uint64_t>{}, never);
              }),
              error);
    fill();
    EXPECT_EQ(message_of([&] {
                  unique_by_key(one, in, in + n, out.data(), keys_out.data(), buffer.data(), never);
              }),
              error);
    fill();
    EXPECT_EQ(message_of([&] {
                  select_if(one, in, in + n, buffer.data(), [](std::uint8_t) { return true; });
              }),
              error);
}

TEST(Overlaps, PartitionIntoOneIsRefusedWhereItTouchesTheInput) {
    std::vector<std::uint32_t> buffer(2 * n + 1);
    std::uint32_t* const at = buffer.data();
    EXPECT_EQ(message_of([&] { partition_if(cpu{}, at + 1024, at + 1024 + n, at, odd); }),
              "lookback: the output overlaps the input, -4096 bytes from its beginning; "
              "expected separate memory");
    // An output that begins before the whole input and ends behind it.
    auto* const wide = reinterpret_cast<std::uint64_t*>(at);
    EXPECT_EQ(message_of([&] { partition_if(cpu{}, at + 1024, at + 1024 + n / 2, wide, odd); }),
              "lookback: the output overlaps the input, -4096 bytes from its beginning; "
              "expected separate memory");
    EXPECT_EQ(partition_if(cpu{}, at + n, at + 2 * n, at, odd), 0U);
    EXPECT_EQ(partition_if(cpu{}, at, at + n, at + n, odd), 0U);
}

TEST(Overlaps, TwoOutputsInOnePlaceAreRefused) {
    const auto x = numbers();
    std::vector<std::uint32_t> a(n), b(n);
    const std::string error =
        "lookback: two outputs begin at the same place; expected separate memory";
    const auto first = x.begin(), last = x.end();
    const auto low = [](std::uint32_t i) { return i < 100; };
    EXPECT_EQ(message_of([&] { partition_if(cpu{}, first, last, a.begin(), a.begin(), odd); }),
              error);
    EXPECT_EQ(message_of([&] {
                  partition_if(cpu{}, first, last, a.begin(), b.begin(), b.begin(), odd, low);
              }),
              error);
    EXPECT_EQ(message_of([&] {
                  partition_if(cpu{}, first, last, a.begin(), a.begin(), b.begin(), odd, low);
              }),
              error);
    EXPECT_EQ(message_of([&] {
                  partition_if(cpu{}, first, last, a.begin(), b.begin(), a.begin(), odd, low);
              }),
              error);
    EXPECT_EQ(message_of([&] { unique_by_key(cpu{}, first, last, first, a.begin(), a.begin()); }),
              error);
    EXPECT_EQ(message_of([&] { run_length_encode(cpu{}, first, last, a.begin(), a.begin()); }),
              error);
    EXPECT_EQ(message_of([&] { nontrivial_runs(cpu{}, first, last, a.begin(), a.begin()); }),
              error);
    EXPECT_EQ(message_of([&] { reduce_by_key(cpu{}, first, last, first, a.begin(), a.begin()); }),
              error);
    // Outputs from both ends of one array never meet.
    EXPECT_EQ(partition_if(cpu{}, first, last, a.begin(), a.rbegin(), odd), n / 2);
    EXPECT_EQ(a.front(), 1U);
    EXPECT_EQ(a.back(), 0U);
}

TEST(Overlaps, TwoOutputsThatRunIntoEachOtherAreAnError) {
    // With more threads, two would write to the same place: a race, which is the caller's fault.
    const cpu one{.threads = 1};
    const auto x = numbers();
    const auto first = x.begin(), last = x.end();
    std::vector<std::uint32_t> buffer(n + 100);
    const auto a = buffer.begin() + 100, b = buffer.begin();
    const std::string error =
        "lookback: two outputs, of 200000 and of 200000 items, have run into each other, and "
        "neither is right; expected separate memory";
    EXPECT_EQ(message_of([&] { unique_by_key(one, first, last, first, a, b); }), error);
    EXPECT_EQ(message_of([&] { reduce_by_key(one, first, last, first, b, a); }), error);
    EXPECT_EQ(message_of([&] { run_length_encode(one, first, last, a, b); }), error);
    // In place over its input, and overlapping the other output.
    std::vector<std::uint32_t> own(n + 1);
    std::iota(own.begin(), own.end(), 0U);
    EXPECT_EQ(message_of([&] {
                  unique_by_key(one, own.begin() + 1, own.end(), first, own.begin() + 1,
                                own.begin());
              }).substr(0, 21),
              "lookback: two outputs");
    std::vector<std::uint32_t> pairs(n);
    for (std::size_t i = 0; i < n; ++i) pairs[i] = static_cast<std::uint32_t>(i / 2);
    EXPECT_EQ(message_of([&] { nontrivial_runs(one, pairs.begin(), pairs.end(), a, b); }),
              "lookback: two outputs, of 100000 and of 100000 items, have run into each other, and "
              "neither is right; expected separate memory");
    const std::string halves =
        "lookback: two outputs, of 100000 and of 100000 items, have run into each other, and "
        "neither is right; expected separate memory";
    EXPECT_EQ(message_of([&] { partition_if(one, first, last, a, b, odd); }), halves);
    std::vector<std::uint32_t> apart(n);
    const auto none = [](std::uint32_t) { return false; };
    EXPECT_EQ(message_of([&] { partition_if(one, first, last, a, apart.begin(), b, odd, none); }),
              halves);
    EXPECT_EQ(message_of([&] { partition_if(one, first, last, apart.begin(), a, b, none, odd); }),
              halves);
    EXPECT_EQ(message_of([&] {
                  partition_if(one, first, last, a, b, apart.begin(), odd,
                               [](auto) { return true; });
              }),
              halves);
    // One output right behind the other is allowed.
    EXPECT_EQ(partition_if(one, first, last, apart.begin(), apart.begin() + n / 2, odd), n / 2);
    EXPECT_EQ(apart[n / 2 - 1], n - 1);
    EXPECT_EQ(apart[n / 2], 0U);
}

}  // namespace lookback::test
