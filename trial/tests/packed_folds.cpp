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
