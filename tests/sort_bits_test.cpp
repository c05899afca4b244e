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

template <class Float, int digits>
void check_float_words() {
    using word = detail::key_word<Float>;
    const auto sign = static_cast<word>(word{1} << (detail::word_bits<word> - 1));
    const auto least = static_cast<word>(word{1} << (digits - 1));  // of the normal numbers
    const auto endless = static_cast<word>(sign - least);
    const auto one = static_cast<word>((endless >> 1) & endless);
    // Zero, subnormal and normal numbers, and infinity; negative ones in the reverse order.
    const word rising[] = {0,   1,       static_cast<word>(least - 1),   least,
                           one, one | 1, static_cast<word>(endless - 1), endless};
    std::vector<word> bits;
    for (std::size_t i = std::size(rising); i-- > 0;) bits.push_back(sign | rising[i]);
    bits.insert(bits.end(), std::begin(rising), std::end(rising));
    const auto first_nan = static_cast<word>(endless | 1), last_nan = static_cast<word>(sign - 1);
    for (const word b : {first_nan, last_nan}) bits.push_back(b);
    for (const word b : {last_nan, first_nan}) bits.push_back(static_cast<word>(sign | b));
    std::vector<Float> keys;
    for (const word b : bits) keys.push_back(std::bit_cast<Float>(b));
    check_words(keys);
}

}  // namespace

TEST(KeyWords, OfFloats) {
    check_float_words<float, 24>();
    check_float_words<double, 53>();
#ifdef __FLT16_MANT_DIG__
    check_float_words<_Float16, 11>();
#endif
}

// The tests' own formula for words, which sorts by some bits are compared with.
template <class Key>
void check_ranks() {
    for (const auto& [shape, keys] : key_shapes<Key>(1000)) {
        for (std::size_t i = 1; i < keys.size(); ++i) {
            ASSERT_EQ(comes_before(keys[i - 1], keys[i]), rank_of(keys[i - 1]) < rank_of(keys[i]))
                << shape << ", at " << i;
        }
    }
}
TEST(KeyWords, InOtherWords) {
    check_ranks<std::uint16_t>();
    check_ranks<std::int32_t>();
    check_ranks<detail::int128>();
    check_ranks<float>();
    check_ranks<double>();
#ifdef __FLT16_MANT_DIG__
    check_ranks<_Float16>();
#endif
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
template <class Float>
void sort_special_floats() {
    for (const std::size_t n : {std::size_t{50}, std::size_t{5000}, std::size_t{200'000}}) {
        std::vector<Float> keys(n);
        std::mt19937_64 random(n);
        const double some[] = {0.0, -0.0, infinite, -infinite, nan, -nan, 1.0, -1.0, 1e-310};
        for (Float& key : keys) key = static_cast<Float>(some[random() % std::size(some)]);
        for (const bool descending : {false, true}) {
            const sort_by by{.descending = descending};
            const auto order = order_of(keys, by);
            ASSERT_NO_FATAL_FAILURE(check_keys(keys, order, cpu{2}, by, "special"));
            ASSERT_NO_FATAL_FAILURE(check_pairs(keys, order, cpu{2}, by, "special"));
        }
    }
}

TEST(SortBits, SpecialFloats) {
    sort_special_floats<double>();
#ifdef __FLT16_MANT_DIG__
    sort_special_floats<_Float16>();
#endif
}

}  // namespace lookback::test
