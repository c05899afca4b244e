// The forms of calls that sort: iterators and ranges, projections, values of any type, numbers of
// items in memory; and what is refused.
#include <deque>
#include <iterator>
#include <ranges>
#include <span>
#include <stdexcept>

#include "support/message_of.hpp"
#include "support/sorting.hpp"

namespace lookback::test {
namespace {

struct person {
    std::string name;
    int age;
    friend bool operator==(const person&, const person&) = default;
};

const auto by_age = [](const person& p) { return p.age; };

std::vector<person> people(std::size_t n) {
    std::mt19937_64 random(n);
    std::vector<person> all(n);
    for (std::size_t i = 0; i < n; ++i) {
        all[i] = {"the person of number " + std::to_string(i), static_cast<int>(random() % 100)};
    }
    return all;
}

const std::vector<std::size_t> sizes = {0, 1, 20, 1000, sanitized ? 40'000U : 300'000U};

}  // namespace

TEST(SortApi, Projections) {
    for (const std::size_t n : sizes) {
        const auto in = people(n);
        auto want = in;
        std::ranges::stable_sort(want, {}, &person::age);
        for (const int threads : {1, 2, 3}) {
            const cpu where{threads};
            std::vector<person> out(n), both = in;
            sort_keys(where, in, out, by_age);
            EXPECT_EQ(out, want);
            sort_keys(where, both.begin(), both.end(), both.begin(), by_age);
            EXPECT_EQ(both, want);
            std::vector<std::uint16_t> order(std::min<std::size_t>(n, 65'536));
            const std::span some(in.data(), order.size());
            sort_order(where, some, order, by_age, sort_by{.descending = true});
            for (std::size_t i = 1; i < order.size(); ++i) {
                const person &a = in[order[i - 1]], &b = in[order[i]];
                ASSERT_TRUE(a.age > b.age || (a.age == b.age && order[i - 1] < order[i])) << i;
            }
        }
        want = in;
        std::ranges::stable_sort(want, std::greater<>{}, &person::age);
        std::vector<person> falling(n);
        sort_keys(in, falling, by_age, sort_by{.descending = true});
        EXPECT_EQ(falling, want);
    }
}

// Values that move with their keys during the sort, and values that are fetched at the end.
TEST(SortApi, ValuesOfAnyType) {
    const auto check = []<class Value>(Value, std::size_t n) {
        const auto keys = random_values<float>(n, 1);
        const auto order = order_of(keys, {});
        std::vector<Value> values(n);
        for (std::size_t i = 0; i < n; ++i) {
            if constexpr (std::is_same_v<Value, std::string>) {
                values[i] = "the value of number " + std::to_string(i);
            } else {
                std::memcpy(static_cast<void*>(&values[i]), &i, std::min(sizeof(Value), sizeof(i)));
            }
        }
        const auto want = taken_in(order, values);
        for (const int threads : {1, 2}) {
            std::vector<float> keys_out(n);
            std::vector<Value> out(n), both = values;
            sort_pairs(cpu{threads}, keys, values, keys_out, out);
            EXPECT_TRUE(out == want) << sizeof(Value) << " bytes, n " << n;
            EXPECT_EQ(keys_out, taken_in(order, keys));
            sort_pairs(cpu{threads}, keys, both, keys_out, both);
            EXPECT_TRUE(both == want) << sizeof(Value) << " bytes, in place, n " << n;
            // Values through an iterator that is not a pointer.
            both = values;
            sort_pairs(cpu{threads}, keys.begin(), keys.end(), both.rbegin(), keys_out.begin(),
                       both.rbegin());
            EXPECT_TRUE(both ==
                        [&] {
                            std::vector<Value> turned(values.rbegin(), values.rend());
                            turned = taken_in(order, turned);
                            return std::vector<Value>(turned.rbegin(), turned.rend());
                        }())
                << sizeof(Value) << " bytes, from behind, n " << n;
        }
    };
    for (const std::size_t n : sizes) {
        check(std::uint8_t{}, n);
        check(std::uint16_t{}, n);
        check(double{}, n);
        check(pair16{}, n);
        check(span_of{}, n);
        check(std::string{}, n);
    }
}

TEST(SortApi, AnyIterators) {
    for (const std::size_t n : sizes) {
        const auto keys = random_values<std::int32_t>(n, 2);
        auto want = keys;
        std::stable_sort(want.begin(), want.end());
        std::vector<std::int32_t> out(n);
        sort_keys(cpu{2}, keys.rbegin(), keys.rend(), out.begin());
        EXPECT_EQ(out, want);
        sort_keys(cpu{2}, keys.begin(), keys.end(), out.rbegin());
        EXPECT_TRUE(std::equal(want.begin(), want.end(), out.rbegin()));
        const auto negated = keys | std::views::transform([](std::int32_t x) { return -(x / 2); });
        sort_keys(cpu{2}, negated, out);
        EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
        std::deque<std::int32_t> both(keys.begin(), keys.end());
        sort_keys(cpu{2}, both, both);
        EXPECT_TRUE(std::equal(want.begin(), want.end(), both.begin()));
        both.assign(keys.begin(), keys.end());
        std::deque<std::string> names(n);
        for (std::size_t i = 0; i < n; ++i) names[i] = std::to_string(keys[i]);
        sort_pairs(cpu{2}, both, names, both, names);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(names[i], std::to_string(want[i]));
        // Keys are written as another type.
        std::vector<std::int64_t> wider(n);
        sort_keys(cpu{2}, keys.data(), keys.data() + n, wider.data());
        EXPECT_TRUE(std::equal(want.begin(), want.end(), wider.begin()));
        std::vector<std::int8_t> bytes(n), more(n);
        for (std::size_t i = 0; i < n; ++i) bytes[i] = static_cast<std::int8_t>(keys[i]);
        sort_keys(cpu{2}, bytes.rbegin(), bytes.rend(), more.rbegin());
        EXPECT_TRUE(std::is_sorted(more.rbegin(), more.rend()));
    }
}

TEST(SortApi, PositionsInAnyIntegers) {
    const auto check = []<class Index>(Index, std::size_t n) {
        const auto keys = random_values<std::uint16_t>(n, 3);
        const auto want = order_of(keys, {});
        guarded_output<Index> out(n);
        sort_order(cpu{2}, keys.begin(), keys.end(), out.begin());
        out.expect(std::vector<Index>(want.begin(), want.end()), std::to_string(n));
        std::vector<Index> turned(n);
        sort_order(cpu{2}, keys.begin(), keys.end(), turned.rbegin());
        EXPECT_TRUE(std::equal(want.begin(), want.end(), turned.rbegin(), std::equal_to<Index>{}));
    };
    check(std::int8_t{}, 128);
    check(std::uint8_t{}, 256);
    check(std::int16_t{}, 32'768);
    check(std::int32_t{}, 200'000);
    check(std::uint64_t{}, 200'000);
}

// With a count in memory, items behind that count are neither sorted nor written.
TEST(SortApi, ANumberOfItemsInMemory) {
    for (const std::uint32_t some : {0U, 1U, 700U, 150'000U, 200'000U}) {
        const std::size_t n = 180'000, sorted = std::min<std::size_t>(n, some);
        const auto keys = random_values<std::uint32_t>(n, 4);
        std::vector<std::uint32_t> first(keys.begin(), keys.begin() + std::ptrdiff_t(sorted));
        const auto order = order_of(first, {});
        const count_at count{&some, n};
        guarded_output<std::uint32_t> out(n), values_out(n), order_out(n);
        sort_keys(cpu{2}, keys.begin(), count, out.begin());
        out.expect(taken_in(order, first), "keys");
        sort_order(cpu{2}, keys.begin(), count, order_out.begin());
        order_out.expect(order, "order");
        sort_pairs(cpu{2}, keys.begin(), count, keys.begin(), out.begin(), values_out.begin());
        values_out.expect(taken_in(order, first), "values");
    }
}

TEST(SortExceptions, ReachTheCaller) {
    for (const std::size_t n : {std::size_t{10}, std::size_t{400'000}}) {
        const auto in = random_values<std::uint32_t>(n, 5);
        auto out = in;
        EXPECT_THROW(sort_keys(cpu{2}, in, out,
                               [&](std::uint32_t x) {
                                   if (x == in[n / 2]) throw std::runtime_error("projection");
                                   return x;
                               }),
                     std::runtime_error);
        sort_keys(cpu{2}, in, out);
        EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
    }
}

TEST(SortErrors, SayWhatIsWrong) {
    std::vector<int> in(1000), out(1000), more(1000);
    int* const null = nullptr;
    const auto first = in.data(), last = in.data() + 1000;
    EXPECT_EQ(message_of([&] { sort_keys(cpu{}, last, first, out.data()); }),
              "lookback: the input ends before it begins (-1000 items); expected first <= last");
    EXPECT_EQ(message_of([&] { sort_keys(cpu{}, first, last, null); }),
              "lookback: the output is a null pointer, with 1000 items");
    EXPECT_EQ(message_of([&] { sort_keys(cpu{-1}, first, last, out.data()); }),
              "lookback: cpu.threads is -1; expected 0 for all, or the number of threads");
    EXPECT_EQ(message_of([&] { sort_keys(cpu{}, first, last - 1, first + 1); }),
              "lookback: the output overlaps the input, 4 bytes from its beginning; expected "
              "separate memory or the input itself");
    EXPECT_EQ(message_of([&] { sort_keys(in, std::span(out).first(9)); }),
              "lookback: the output has room for 9 items; expected at least the input's 1000");
    EXPECT_EQ(message_of([&] { sort_keys(in, out, sort_by{.first_bit = 9, .last_bit = 33}); }),
              "lookback: sort_by has the bits from 9 to 33; expected a range within 0 to 32, which "
              "the keys have");
    EXPECT_EQ(
        message_of([&] { sort_keys(in, out, sort_by{.first_bit = -1}); }),
        "lookback: sort_by has the bits from -1 to 32; expected a range within 0 to 32, which "
        "the keys have");
    EXPECT_EQ(message_of([&] { sort_order(in, out, sort_by{.first_bit = 8, .last_bit = 7}); }),
              "lookback: sort_by has the bits from 8 to 7; expected a range within 0 to 32, which "
              "the keys have");
    EXPECT_EQ(message_of([&] { sort_pairs(in, out, out, in); }),
              "lookback: the output overlaps the array of keys, 0 bytes from its beginning; "
              "expected separate memory");
    EXPECT_EQ(message_of([&] { sort_pairs(in, more, more, out); }),
              "lookback: the output overlaps the array of values, 0 bytes from its beginning; "
              "expected separate memory");
    EXPECT_EQ(message_of([&] { sort_pairs(in, more, out, out); }),
              "lookback: the output overlaps the other output, 0 bytes from its beginning; "
              "expected separate memory");
    EXPECT_EQ(message_of([&] { sort_pairs(in, std::span(more).first(7), out, more); }),
              "lookback: there are 7 values for 1000 items; expected one for each");
    EXPECT_EQ(message_of([&] { sort_order(in, in); }),
              "lookback: the output overlaps the input, 0 bytes from its beginning; expected "
              "separate memory");
    std::vector<std::uint8_t> bytes(1000);
    EXPECT_EQ(message_of([&] { sort_order(in, bytes); }),
              "lookback: positions of up to 1000 items are written to integers that hold 255; "
              "expected wider ones");
}

}  // namespace lookback::test
