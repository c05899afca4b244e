// Cases of the peers' own tests of sorts.
#include <climits>

#include "support/sorting.hpp"

namespace lookback::test {
namespace {

// Several shares of the work, and all ways to sort on the CPU.
constexpr std::size_t n = sanitized ? 20'000 : 150'000;

template <class Key>
void check(const std::vector<Key>& keys, sort_by by, const std::string& what) {
    const auto order = order_of(keys, by);
    ASSERT_NO_FATAL_FAILURE(check_keys(keys, order, cpu{2}, by, what));
    ASSERT_NO_FATAL_FAILURE(check_pairs(keys, order, cpu{2}, by, what));
}

template <class Key>
void check_windows() {
    constexpr int bits = sizeof(Key) * CHAR_BIT;
    const auto keys = random_values<Key>(n, 1);
    for (const int first : {0, bits / 3, 3 * bits / 4, bits}) {
        for (const int last : {0, bits / 3, 3 * bits / 4, bits}) {
            if (last < first) continue;
            for (const bool descending : {false, true}) {
                check(keys, {descending, first, last},
                      "bits " + std::to_string(first) + " to " + std::to_string(last));
            }
        }
    }
}

// Some of a hundred keys are replaced by these.
template <class Key>
void check_sprinkled(const std::vector<Key>& among) {
    auto keys = random_values<Key>(n, 2);
    std::mt19937_64 random(3);
    for (const Key& key : among) {
        for (std::size_t i = 0; i < n / 128; ++i) keys[random() % n] = key;
    }
    for (const bool descending : {false, true}) check(keys, {descending}, "sprinkled");
}

}  // namespace

// CUB: "bit windows" in cub/test/catch2_test_device_radix_sort_keys.cu.
TEST(SortPeers, BitWindows) {
    check_windows<std::uint8_t>();
    check_windows<std::int8_t>();
    check_windows<std::uint16_t>();
    check_windows<std::int16_t>();
    check_windows<std::uint32_t>();
    check_windows<std::int32_t>();
    check_windows<std::uint64_t>();
    check_windows<std::int64_t>();
}

// CUB: "negative zero handling" and "NaN handling", in the same file. (CUB's zeros are equal.)
TEST(SortPeers, ZerosAndNaNs) {
    using f = std::numeric_limits<float>;
    check_sprinkled<float>({0.0F, -0.0F});
    check_sprinkled<float>({f::signaling_NaN(), f::quiet_NaN()});
    using d = std::numeric_limits<double>;
    check_sprinkled<double>({0.0, -0.0});
    check_sprinkled<double>({d::signaling_NaN(), d::quiet_NaN()});
}

// CUB: "entropy reduction" and "uniform values", in the same file.
TEST(SortPeers, KeysWithFewBits) {
    for (const int more : {1, 3, 9, 15}) {
        auto keys = random_values<std::uint32_t>(n, 4);
        std::mt19937 random(5);
        for (std::uint32_t& key : keys) {
            for (int i = 0; i < more; ++i) key &= static_cast<std::uint32_t>(random());
        }
        for (const bool descending : {false, true}) check(keys, {descending}, "entropy");
    }
    check(std::vector<float>(n, 4), {}, "uniform");
    check(std::vector<std::int64_t>(n, 4), {.descending = true}, "uniform");
}

// Thrust: TestStableSortSemantics and TestStableSortWithIndirection in
// thrust/testing/stable_sort.cu.
TEST(SortPeers, ByTensAndByATable) {
    const auto by_keys = [](const auto& items, const auto& by) {
        for (const bool descending : {false, true}) {
            auto want = items, out = items;
            std::stable_sort(want.begin(), want.end(), [&](auto a, auto b) {
                return descending ? by(b) < by(a) : by(a) < by(b);
            });
            sort_keys(cpu{2}, items, out, by, sort_by{.descending = descending});
            EXPECT_EQ(out, want);
        }
    };
    const auto tens = [](auto x) { return x / 10; };
    by_keys(std::vector<int>{25, 14, 35, 16, 26, 34, 36, 24, 15}, tens);
    by_keys(random_values<std::int8_t>(n, 6), tens);
    by_keys(random_values<std::int16_t>(n, 6), tens);
    by_keys(random_values<std::int32_t>(n, 6), tens);
    const std::vector<int> table = {0, 1, 2, 0, 1, 2};
    by_keys(std::vector<int>{1, 3, 5, 3, 0, 2, 1},
            [&](int x) { return table[static_cast<std::size_t>(x)]; });
}

}  // namespace lookback::test
