// Sums of bytes in words, without a GPU's schedules: every number of bytes, both directions.
#include "lookback/detail/device/packed_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "support/check_scan.hpp"
#include "support/values.hpp"

namespace lookback::detail::device {
namespace {

using u8 = std::uint8_t;
using i8 = std::int8_t;
static_assert(adds_bytes<plus<>, u8, u8, u8> && adds_bytes<plus<int>, i8, bool, u8> &&
              adds_bytes<plus<u8>, char8_t, char8_t, char8_t>);
static_assert(!adds_bytes<plus<bool>, u8, u8, u8> && !adds_bytes<plus<float>, u8, u8, u8> &&
              !adds_bytes<plus<>, bool, bool, bool> && !adds_bytes<plus<>, u8, u8, bool> &&
              !adds_bytes<plus<>, u8, std::uint16_t, u8> && !adds_bytes<plus<>, int, u8, u8> &&
              !adds_bytes<maximum<>, u8, u8, u8>);

template <int words>
struct packed {
    std::uint32_t word[words];
    explicit packed(const std::vector<u8>& bytes) { std::memcpy(word, bytes.data(), 4 * words); }
    std::vector<u8> bytes() const {
        std::vector<u8> all(4 * words);
        std::memcpy(all.data(), word, 4 * words);
        return all;
    }
};

template <bool backward, int words>
void check(const std::vector<u8>& bytes, u8 before) {
    const packed<words> items(bytes);
    for (int count = -4 * words - 1; count <= 8 * words + 1; ++count) {
        const auto first = backward ? std::max(4 * words - count, 0) : 0;
        const auto last = backward ? 4 * words : std::clamp(count, 0, 4 * words);
        std::uint32_t want = 0;
        for (int i = first; i < last; ++i) want += bytes[static_cast<std::size_t>(i)];
        EXPECT_EQ((sum_of_bytes<backward, words>(items.word, count)), want) << count;
    }
    packed<words> inclusive = items, exclusive = items;
    scan_bytes<false, backward, words>(inclusive.word, before);
    scan_bytes<true, backward, words>(exclusive.word, before);
    const auto scan = [&](test::kind what) {
        return test::sequential_scan<u8>(bytes, what, backward, plus<>{}, before);
    };
    EXPECT_EQ(inclusive.bytes(), scan(test::kind::inclusive_init));
    EXPECT_EQ(exclusive.bytes(), scan(test::kind::exclusive));
}

template <int words>
void check_words() {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const auto bytes =
            seed == 0 ? std::vector<u8>(4 * words, 255) : test::random_values<u8>(4 * words, seed);
        for (const u8 before : {u8{0}, u8{1}, u8{255}}) {
            check<false, words>(bytes, before);
            check<true, words>(bytes, before);
        }
    }
}

TEST(PackedSums, OfAWord) { check_words<1>(); }
TEST(PackedSums, OfAThread) { check_words<20>(); }

}  // namespace
}  // namespace lookback::detail::device
