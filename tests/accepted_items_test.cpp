// Items, results and counts of unusual types: without a default constructor, with an assignment
// operator of the user's, of 16 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

#include "lookback/lookback.hpp"
#include "support/small_ints.hpp"

namespace lookback::test {
namespace {

// Numbers without a default constructor, which are compared and added.
struct number {
    int value;
    explicit number(int value_) : value(value_) {}
    friend bool operator==(number a, number b) { return a.value == b.value; }
    friend number operator+(number a, number b) { return number(a.value + b.value); }
};

std::vector<number> as_numbers(const std::vector<int>& values) {
    std::vector<number> numbers;
    for (const int value : values) numbers.emplace_back(value);
    return numbers;
}

// An output item whose assignment operator doubles the value. It could also be constructed from an
// int, which must not be used.
struct doubled {
    int value = 0;
    int tag = 7;  // the assignment leaves it alone
    doubled() = default;
    explicit doubled(int) : value(-1), tag(-1) {}
    template <std::integral T>
    doubled& operator=(T x) {
        value = 2 * static_cast<int>(x);
        return *this;
    }
};

}  // namespace

TEST(ItemsWithoutADefault, AreTaken) {
    for (const std::size_t n : call_sizes) {
        for (const int threads : {1, 3}) {
            SCOPED_TRACE(std::to_string(n) + " items, threads " + std::to_string(threads));
            const cpu where{threads};
            const auto ints = small_ints(n, n + 2);
            const auto in = as_numbers(ints);
            std::vector<int> want(n), more(n);
            std::vector<number> got(n, number(77)), paired(n, number(77));
            const auto same = [&](std::size_t count) {
                return std::equal(want.begin(), want.begin() + static_cast<std::ptrdiff_t>(count),
                                  got.begin(), [](int a, number b) { return a == b.value; });
            };
            inclusive_scan(where, ints, want);
            inclusive_scan(where, in, got);
            EXPECT_TRUE(same(n));
            exclusive_scan(where, ints, want, 4);
            exclusive_scan(where, in, got, number(4));
            EXPECT_TRUE(same(n));
            inclusive_scan_by_key(where, ints, ints, want);
            inclusive_scan_by_key(where, in, in, got);
            EXPECT_TRUE(same(n));
            const std::size_t kept = select_if(where, ints, want, [](int x) { return x > 0; });
            EXPECT_EQ(select_if(where, in, got, [](number x) { return x.value > 0; }), kept);
            EXPECT_TRUE(same(kept));
            const std::size_t runs = unique(where, ints, want);
            EXPECT_EQ(unique(where, in, got), runs);
            EXPECT_TRUE(same(runs));
            EXPECT_EQ(unique_by_key(where, in, in, paired, got), runs);
            EXPECT_TRUE(same(runs));
            reduce_by_key(where, ints, ints, more, want);
            EXPECT_EQ(reduce_by_key(where, in, in, paired, got), runs);
            EXPECT_TRUE(same(runs));
        }
    }
}

TEST(ItemsOfAnOutput, AreGivenResultsByTheirOwnAssignment) {
    for (const std::size_t n : call_sizes) {
        const auto in = small_ints(n, n + 3);
        std::vector<int> want(n), keys(n), sums(n);
        std::vector<doubled> got(n);
        const auto check = [&](std::size_t count, const std::vector<int>& of) {
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < count; ++i) {
                wrong += got[i].value != 2 * of[i] || got[i].tag != 7;
            }
            EXPECT_EQ(wrong, 0u) << n << " items";
        };
        inclusive_scan(in, want);
        inclusive_scan(in, got);
        check(n, want);
        inclusive_scan_by_key(in, in, want);
        inclusive_scan_by_key(in, in, got);
        check(n, want);
        const std::size_t runs = reduce_by_key(in, in, keys, sums);
        reduce_by_key(in, in, keys, got);
        check(runs, sums);
        run_length_encode(in, keys, sums);
        run_length_encode(in, keys, got);
        check(runs, sums);
        check(select_if(in, got, [](int x) { return x > 0; }), [&] {
            select_if(in, want, [](int x) { return x > 0; });
            return want;
        }());
    }
}

TEST(CountsOf16Bits, AreReadAndWritten) {
    const auto in = small_ints(32'767, 9);
    std::vector<int> want(in.size()), got(in.size());
    for (const std::int16_t n :
         {std::int16_t{0}, std::int16_t{1}, std::int16_t{5000}, std::int16_t{32'767}}) {
        struct {
            std::int16_t before, count, after;
        } kept = {-1, -1, -1};
        const auto positive = [](int x) { return x > 0; };
        const auto is = select_if(in.begin(), in.begin() + n, want.begin(), positive);
        select_if(in.begin(), count_at{&n, in.size()}, got.begin(), count_to{&kept.count},
                  positive);
        EXPECT_EQ(kept.count, static_cast<std::int16_t>(is));
        EXPECT_EQ(kept.before, -1);
        EXPECT_EQ(kept.after, -1);
        EXPECT_EQ(got, want);
    }
    const std::uint16_t all = 40'000;
    std::uint16_t runs = 0;
    const std::vector<char> same(40'000, 'x');
    char one = 0;
    unique(same.begin(), count_at{&all, same.size()}, &one, count_to{&runs});
    EXPECT_EQ(runs, 1);
    EXPECT_EQ(one, 'x');
    std::int16_t too_narrow = 0;
    EXPECT_THROW(unique(same.begin(), same.end(), &one, count_to{&too_narrow}),
                 std::invalid_argument);
}

#ifdef __FLT16_MANT_DIG__
TEST(FloatsOf16Bits, AreSummedAndCompared) {
    using half = _Float16;
    for (const std::size_t n : call_sizes) {
        const auto ints = small_ints(n, n + 5);
        std::vector<half> in(n), got(n);
        std::vector<float> wide(n), sums(n), want(n);
        for (std::size_t i = 0; i < n; ++i) {
            in[i] = static_cast<half>(static_cast<float>(ints[i]));
            wide[i] = static_cast<float>(ints[i]);
        }
        inclusive_scan(wide, want);
        inclusive_scan(in, sums, plus<float>{});
        EXPECT_EQ(sums, want);
        exclusive_scan(wide, want, 2.0F);
        exclusive_scan(in, sums, 2.0F);
        EXPECT_EQ(sums, want);
        if (n > 3) {
            in[n / 2] = static_cast<half>(std::numeric_limits<float>::quiet_NaN());
            wide[n / 2] = std::numeric_limits<float>::quiet_NaN();
        }
        for (const bool least : {false, true}) {
            if (least) {
                inclusive_scan(wide, want, minimum{});
                inclusive_scan(in, got, minimum{});
            } else {
                inclusive_scan(wide, want, maximum{});
                inclusive_scan(in, got, maximum{});
            }
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < n; ++i) {
                const auto x = static_cast<float>(got[i]);
                wrong += std::isnan(want[i]) ? !std::isnan(x) : x != want[i];
            }
            EXPECT_EQ(wrong, 0u) << n << " items";
        }
    }
    static_assert(!scan_init<int, const half*>);
    static_assert(!scan_init<bool, const half*>);
    static_assert(scan_init<float, const half*> && scan_init<half, const half*>);
    static_assert(!scan_init<half, const float*> && scan_init<half, const int*>);
}
#endif

}  // namespace lookback::test
