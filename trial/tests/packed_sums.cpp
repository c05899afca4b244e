// Sums of integers of 1 and 2 bytes in words, without a GPU's schedules: every number of items,
// both directions.
#include "lookback/detail/device/packed_sums.hpp"

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
static_assert(adds_in_words<plus<>, u8> && adds_in_words<plus<int>, i8, bool, u8> &&
              adds_in_words<std::plus<>, u16> &&
              adds_in_words<std::plus<i16>, u16, char16_t, i16> &&
              adds_in_words<plus<u8>, char8_t>);
static_assert(!adds_in_words<plus<bool>, u8> && !adds_in_words<plus<float>, u8> &&
              !adds_in_words<plus<>, bool> && !adds_in_words<plus<>, u8, u8, bool> &&
              !adds_in_words<plus<>, u8, u16, u8> && !adds_in_words<plus<>, int, u16, u16> &&
              !adds_in_words<plus<u8>, u16> && !adds_in_words<maximum<>, u8> &&
              !adds_in_words<plus<>, std::uint32_t> && !adds_in_words<multiplies<>, u16>);

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

template <bool backward, int words, class T>
void check(const std::vector<T>& items, T before) {
    constexpr int size = sizeof(T), most = 4 * words / size;
    const packed<T, words> all(items);
    for (int count = -most - 1; count <= 2 * most + 1; ++count) {
        const auto first = backward ? std::max(most - count, 0) : 0;
        const auto last = backward ? most : std::clamp(count, 0, most);
        std::uint32_t want = 0;
        for (int i = first; i < last; ++i) want += items[static_cast<std::size_t>(i)];
        EXPECT_EQ((sum_of_words<size, backward, words>(all.word, count)), want) << count;
    }
    packed<T, words> inclusive = all, exclusive = all;
    scan_words<size, false, backward, words>(inclusive.word, before);
    scan_words<size, true, backward, words>(exclusive.word, before);
    const auto scan = [&](test::kind what) {
        return test::sequential_scan<T>(items, what, backward, plus<>{}, before);
    };
    EXPECT_EQ(inclusive.items(), scan(test::kind::inclusive_init));
    EXPECT_EQ(exclusive.items(), scan(test::kind::exclusive));
}

template <class T, int words>
void check_words() {
    constexpr std::size_t items = 4 * words / sizeof(T);
    constexpr T highest = std::numeric_limits<T>::max();
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto values =
            seed == 0 ? std::vector<T>(items, highest) : test::random_values<T>(items, seed);
        for (const T before : {T{0}, T{1}, highest}) {
            check<false, words>(values, before);
            check<true, words>(values, before);
        }
    }
}

TEST(PackedSums, OfBytesInAWord) { check_words<u8, 1>(); }
TEST(PackedSums, OfAThreadsBytes) { check_words<u8, 20>(); }
TEST(PackedSums, OfPairsInAWord) { check_words<u16, 1>(); }
TEST(PackedSums, OfAThreadsPairs) { check_words<u16, 20>(); }

}  // namespace
}  // namespace lookback::detail::device
