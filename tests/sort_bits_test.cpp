// The words of keys, and sorting by some of their bits.
#include <bit>

#include "support/sorting.hpp"

namespace lookback::test {
namespace {

using detail::key_of_word;
using detail::word_of_key;

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

static_assert(word_of_key(7U) == 7 && word_of_key(-1) == 0x7fffffff && word_of_key(0) == 1U << 31);
static_assert(word_of_key(false) == 0 && word_of_key(true) == 1);
static_assert(word_of_key(-infinite) == 0 && word_of_key(-0.0F) + 1 == word_of_key(0.0F));
static_assert(word_of_key(infinite) < word_of_key(nan) && word_of_key(nan) < word_of_key(-nan));
static_assert(word_of_key(3, true) == ~word_of_key(3) && key_of_word<int>(0) == -2147483647 - 1);
static_assert(sort_key<wchar_t> && sort_key<detail::int128> && !sort_key<long double> &&
              !sort_key<int*> && !sort_key<std::string>);

// Each word belongs to one key, and words have the order of their keys.
template <class Key>
void check_words(const std::vector<Key>& rising) {
    for (std::size_t i = 0; i < rising.size(); ++i) {
        for (const bool descending : {false, true}) {
            const auto word = word_of_key(rising[i], descending);
            const Key back = key_of_word<Key>(word, descending);
            ASSERT_EQ(std::memcmp(&back, &rising[i], sizeof(Key)), 0) << i;
            if (i == 0) continue;
            const auto before = word_of_key(rising[i - 1], descending);
            ASSERT_TRUE(descending ? word < before : before < word) << i;
        }
    }
}

template <class Float, class Bits>
void check_float_words() {
    using limits = std::numeric_limits<Float>;
    const auto from = [](Bits bits) { return std::bit_cast<Float>(bits); };
    const Bits sign = Bits{1} << (8 * sizeof(Bits) - 1);
    const Bits endless = std::bit_cast<Bits>(limits::infinity());
    check_words(std::vector<Float>{
        -limits::infinity(), limits::lowest(), Float(-1.5), Float(-1), -limits::min(),
        -limits::denorm_min(), Float(-0.0), Float(0.0), limits::denorm_min(), limits::min(),
        Float(1), Float(1.5), limits::max(), limits::infinity(), from(endless + 1),
        limits::quiet_NaN(), from(sign - 1), from(~Bits{0}), from(sign | endless | 1)});
}

}  // namespace

TEST(KeyWords, OfFloats) {
    check_float_words<float, std::uint32_t>();
    check_float_words<double, std::uint64_t>();
}

TEST(KeyWords, OfAllShortIntegers) {
    std::vector<std::int16_t> rising(1 << 16);
    std::iota(rising.begin(), rising.end(), std::int16_t{-32768});
    check_words(rising);
    std::vector<signed char> bytes(1 << 8);
    std::iota(bytes.begin(), bytes.end(), static_cast<signed char>(-128));
    check_words(bytes);
}

// Every range of bits of a few hundred keys, and some of many.
TEST(SortBits, Ranges) {
    for (const std::size_t n : {std::size_t{30}, std::size_t{500}, std::size_t{150'000}}) {
        const auto keys = random_values<std::uint32_t>(n, 5);
        for (int first = 0; first <= 32; first += n > 1000 ? 5 : 1) {
            for (int last = first; last <= 32; last += n > 1000 ? 9 : 1) {
                const auto masked = [&](std::uint32_t x) {
                    return last == first ? 0U : x << (32 - last) >> (32 - last + first);
                };
                for (const bool descending : {false, true}) {
                    const auto order = order_by(
                        keys, descending,
                        [&](std::uint32_t a, std::uint32_t b) { return masked(a) < masked(b); });
                    const sort_by by{descending, first, last};
                    const std::string what =
                        "bits " + std::to_string(first) + " to " + std::to_string(last);
                    ASSERT_NO_FATAL_FAILURE(check_keys(keys, order, cpu{2}, by, what));
                    ASSERT_NO_FATAL_FAILURE(check_pairs(keys, order, cpu{2}, by, what));
                }
            }
        }
    }
}

// These keys cannot be sorted by counting, because different keys are equal in this range of bits.
TEST(SortBits, RangesOfShortKeys) {
    const auto keys = random_values<std::uint8_t>(200'000, 6);
    const auto order = order_by(
        keys, false, [](std::uint8_t a, std::uint8_t b) { return (a & 0x3c) < (b & 0x3c); });
    const sort_by by{.first_bit = 2, .last_bit = 6};
    ASSERT_NO_FATAL_FAILURE(check_keys(keys, order, cpu{2}, by, "bytes"));
    ASSERT_NO_FATAL_FAILURE(check_pairs(keys, order, cpu{2}, by, "bytes"));
}

TEST(SortBits, Bools) {
    for (const std::size_t n : {std::size_t{5}, std::size_t{100}, std::size_t{100'000}}) {
        std::vector<bool> in(n);
        for (std::size_t i = 0; i < n; ++i) in[i] = i % 3 == 1;
        const auto truths = static_cast<std::size_t>(std::count(in.begin(), in.end(), true));
        std::vector<std::uint8_t> out(n);
        sort_keys(cpu{2}, in, out);
        EXPECT_EQ(
            static_cast<std::size_t>(std::count(out.end() - std::ptrdiff_t(truths), out.end(), 1)),
            truths);
        EXPECT_EQ(static_cast<std::size_t>(std::count(out.begin(), out.end(), 0)), n - truths);
        std::vector<std::size_t> order(n);
        sort_order(cpu{2}, in, order, sort_by{.descending = true});
        for (std::size_t i = 0; i < n; ++i) {
            ASSERT_EQ(order[i],
                      i < truths ? 3 * i + 1 : (i - truths) / 2 * 3 + (i - truths) % 2 * 2);
        }
    }
}

// NaNs of either sign, infinities and zeros among the rest.
TEST(SortBits, SpecialFloats) {
    for (const std::size_t n : {std::size_t{50}, std::size_t{5000}, std::size_t{200'000}}) {
        std::vector<double> keys(n);
        std::mt19937_64 random(n);
        const double some[] = {0.0, -0.0, infinite, -infinite, nan, -nan, 1.0, -1.0, 1e-310};
        for (double& key : keys) key = some[random() % std::size(some)];
        for (const bool descending : {false, true}) {
            const sort_by by{.descending = descending};
            const auto order = order_of(keys, by);
            ASSERT_NO_FATAL_FAILURE(check_keys(keys, order, cpu{2}, by, "special"));
            ASSERT_NO_FATAL_FAILURE(check_pairs(keys, order, cpu{2}, by, "special"));
        }
    }
}

}  // namespace lookback::test
