// Folds of integers of 1 and 2 bytes in words, without a GPU's schedules: every number of items,
// both directions.
#include "lookback/detail/device/packed_folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "support/check_scan.hpp"
#include "support/values.hpp"

namespace lookback::detail::device {
namespace {

using u8 = std::uint8_t;
using i8 = std::int8_t;
using u16 = std::uint16_t;
using i16 = std::int16_t;

template <class Op, class A, class In = A, class Out = A>
inline constexpr bool in_words = !std::is_void_v<packed_fold<Op, A, In, Out>>;
static_assert(in_words<plus<>, u8> && in_words<plus<int>, i8, bool, u8> &&
              in_words<std::plus<>, u16> && in_words<std::plus<i16>, u16, char16_t, i16> &&
              in_words<plus<u8>, char8_t>);
static_assert(!in_words<plus<bool>, u8> && !in_words<plus<float>, u8> && !in_words<plus<>, bool> &&
              !in_words<plus<>, u8, u8, bool> && !in_words<plus<>, u8, u16, u8> &&
              !in_words<plus<>, int, u16, u16> && !in_words<plus<u8>, u16> &&
              !in_words<plus<>, std::uint32_t> && !in_words<multiplies<>, u16>);
static_assert(in_words<maximum<>, i8> && in_words<minimum<int>, u16> && in_words<maximum<>, bool> &&
              in_words<maximum<i16>, u8> && in_words<bit_or<>, bool, bool, u8> &&
              in_words<bit_xor<u8>, i8> && in_words<bit_and<int>, i16, u16, char16_t>);
static_assert(!in_words<maximum<bool>, u8> && !in_words<minimum<u8>, i8> &&
              !in_words<maximum<unsigned>, i16> && !in_words<maximum<u8>, u16> &&
              !in_words<maximum<>, bool, u8> && !in_words<bit_or<>, u8, u8, bool> &&
              !in_words<bit_or<bool>, u8> && !in_words<bit_and<u8>, u16> &&
              !in_words<maximum<>, u8, u8, u16> && !in_words<maximum<>, int>);

template <class T, int words>
struct packed {
    std::uint32_t word[words];
    explicit packed(const std::vector<T>& items) { std::memcpy(word, items.data(), 4 * words); }
    std::vector<T> items() const {
        std::vector<T> all(4 * words / sizeof(T));
        std::memcpy(all.data(), word, 4 * words);
        return all;
    }
};

template <class Op, bool backward, int words, class T>
void check(const std::vector<T>& items, T before) {
    using Fold = packed_fold<Op, T>;
    constexpr int most = 4 * words / static_cast<int>(sizeof(T));
    const packed<T, words> all(items);
    for (int count = -most - 1; count <= 2 * most + 1; ++count) {
        const auto first = backward ? std::max(most - count, 0) : 0;
        const auto last = backward ? most : std::clamp(count, 0, most);
        T want = Fold::identity;
        for (int i = first; i < last; ++i) want = Op{}(want, items[static_cast<std::size_t>(i)]);
        EXPECT_EQ((fold_words<Fold, T, backward, words>(all.word, count)), want) << count;
    }
    packed<T, words> inclusive = all, exclusive = all;
    scan_words<Fold, T, false, backward, words>(inclusive.word, before);
    scan_words<Fold, T, true, backward, words>(exclusive.word, before);
    const auto scan = [&](test::kind what) {
        return test::sequential_scan<T>(items, what, backward, Op{}, before);
    };
    EXPECT_EQ(inclusive.items(), scan(test::kind::inclusive_init));
    EXPECT_EQ(exclusive.items(), scan(test::kind::exclusive));
}

/// The prefix folds of `items` where number `head` begins a row.
template <class Op, bool is_exclusive, bool backward, class T>
std::vector<T> two_rows(std::vector<T> items, T before, int head, T start) {
    const auto last = items.size() - 1;
    for (std::size_t i = 0; i <= last; ++i) {
        T& item = items[backward ? last - i : i];
        if (i == static_cast<std::size_t>(head)) before = start;
        const T next = Op{}(before, item);
        item = is_exclusive ? before : next;
        before = next;
    }
    return items;
}

template <class Op, bool backward, int words, class T>
void check_rows(const std::vector<T>& items, T before, T start) {
    using Fold = packed_fold<Op, T>;
    const auto number = [&](int i) {
        return items[backward ? items.size() - 1 - static_cast<std::size_t>(i)
                              : static_cast<std::size_t>(i)];
    };
    for (int head = 0, most = static_cast<int>(items.size()); head < most; ++head) {
        packed<T, words> inclusive(items), exclusive = inclusive, rest = inclusive;
        scan_words<Fold, T, false, backward, words>(inclusive.word, before, head, start);
        scan_words<Fold, T, true, backward, words>(exclusive.word, before, head, start);
        EXPECT_EQ(inclusive.items(), (two_rows<Op, false, backward>(items, before, head, start)));
        EXPECT_EQ(exclusive.items(), (two_rows<Op, true, backward>(items, before, head, start)));
        leave_out<Fold, T, backward, words>(rest.word, head);
        T want = Fold::identity;
        for (int i = head; i < most; ++i) want = Op{}(want, number(i));
        EXPECT_EQ((fold_words<Fold, T, backward, words>(rest.word, most)), want) << head;
    }
}

template <class Op, class T>
void check_places(const std::vector<T>& items, std::vector<T> others) {
    const packed<T, 1> a(items), b(others);
    packed<T, 1> folds = a;
    folds.word[0] = fold_places<packed_fold<Op, T>, T>(a.word[0], b.word[0]);
    for (std::size_t i = 0; i < others.size(); ++i) others[i] = Op{}(items[i], others[i]);
    EXPECT_EQ(folds.items(), others);
}

template <class Op, class T, int words>
void check_words() {
    constexpr std::size_t items = 4 * words / sizeof(T);
    using limits = std::numeric_limits<T>;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto values =
            seed == 0 ? std::vector<T>(items, limits::max()) : test::random_values<T>(items, seed);
        for (const T before : {T{0}, T{1}, limits::max(), limits::min()}) {
            check<Op, false, words>(values, before);
            check<Op, true, words>(values, before);
            check_rows<Op, false, words>(values, before, T{7});
            check_rows<Op, true, words>(values, T{7}, before);
        }
        if constexpr (words == 1) {
            check_places<Op>(values, test::random_values<T>(items, seed + 20));
            check_places<Op>(values, values);
        }
    }
}
template <class Op>
void check_all() {
    check_words<Op, u8, 1>();
    check_words<Op, i8, 1>();
    check_words<Op, u16, 1>();
    check_words<Op, i16, 1>();
    // As many words as a thread has.
    check_words<Op, u8, 20>();
    check_words<Op, i8, 20>();
    check_words<Op, u16, 20>();
    check_words<Op, i16, 20>();
}

TEST(PackedFolds, Sums) { check_all<plus<>>(); }
TEST(PackedFolds, Minima) { check_all<minimum<>>(); }
TEST(PackedFolds, Maxima) { check_all<maximum<>>(); }
TEST(PackedFolds, InWiderTypes) {
    check_words<maximum<int>, i8, 20>();
    check_words<minimum<int>, u16, 20>();
    check_words<bit_xor<unsigned>, i16, 20>();
}
TEST(PackedFolds, Conjunctions) { check_all<bit_and<>>(); }
TEST(PackedFolds, Disjunctions) { check_all<bit_or<>>(); }
TEST(PackedFolds, ExclusiveDisjunctions) { check_all<bit_xor<>>(); }

}  // namespace
}  // namespace lookback::detail::device
