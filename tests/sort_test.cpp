// sort_keys, sort_pairs and sort_order, compared with std::stable_sort: types of keys, their
// shapes, sizes around every edge, threads, both directions, in place and not.
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include "support/sorting.hpp"

namespace lookback::test {
namespace {

// Sizes around those sorted by insertion, a block that is inspected, a cache line, those sorted in
// the cache, and those that several threads split.
std::vector<std::size_t> sizes_for(std::size_t in_cache) {
    std::vector<std::size_t> sizes = {0, 1, 2, 3, 19, 20, 21, 33, 63, 64, 65, 255, 257, 2049};
    if (sanitized) return sizes.push_back(in_cache + 1), sizes;
    for (const std::size_t n : {in_cache, in_cache + 1, 3 * in_cache + 77}) sizes.push_back(n);
    return sizes;
}

template <class Key>
void check_type() {
    bool large_descend = false;
    for (const std::size_t n : sizes_for(detail::finish_items<Key, detail::no_array>)) {
        large_descend = !large_descend;
        for (const auto& [shape, keys] : key_shapes<Key>(n)) {
            large_descend = !large_descend;
            // Large arrays of each shape are sorted in one direction, in turns; of the sorted and
            // the reversed ones, always one that is in order.
            const bool descends = large_descend != (shape == "reversed");
            for (const bool descending : {false, true}) {
                if (n >= 1000 && descending != descends) continue;
                const sort_by by{.descending = descending};
                const auto order = order_of(keys, by);
                for (const int threads : {1, 2, 3}) {
                    // A third thread makes no difference for small arrays.
                    if (threads == 3 && n < 1000) continue;
                    if (looks_for_races && threads != (descending && n >= 1000 ? 3 : 2)) continue;
                    const std::string what = describe_sort(shape, n, threads, descending);
                    ASSERT_NO_FATAL_FAILURE(check_keys(keys, order, cpu{threads}, by, what));
                    ASSERT_NO_FATAL_FAILURE(check_pairs(keys, order, cpu{threads}, by, what));
                }
            }
        }
    }
}

}  // namespace

TEST(Sort, Bytes) { check_type<std::uint8_t>(); }
TEST(Sort, SignedBytes) { check_type<std::int8_t>(); }
TEST(Sort, Words) { check_type<std::uint16_t>(); }
TEST(Sort, SignedWords) { check_type<std::int16_t>(); }
TEST(Sort, Integers) { check_type<std::uint32_t>(); }
TEST(Sort, SignedIntegers) { check_type<std::int32_t>(); }
TEST(Sort, LongIntegers) { check_type<std::uint64_t>(); }
TEST(Sort, SignedLongIntegers) { check_type<std::int64_t>(); }
TEST(Sort, WideIntegers) { check_type<detail::int128>(); }
TEST(Sort, Floats) { check_type<float>(); }
TEST(Sort, Doubles) { check_type<double>(); }
#ifdef __FLT16_MANT_DIG__
TEST(Sort, FloatsOf16Bits) { check_type<_Float16>(); }
#endif

// What differs from these only by the type's name, or in its highest bit.
template <class Key>
void check_like_others(std::size_t n) {
    const auto keys = key_shapes<Key>(n).front().second;
    for (const bool descending : {false, true}) {
        const sort_by by{.descending = descending};
        const auto order = order_of(keys, by);
        const std::string what = describe_sort("random", n, 2, descending);
        ASSERT_NO_FATAL_FAILURE(check_keys(keys, order, cpu{2}, by, what));
        ASSERT_NO_FATAL_FAILURE(check_pairs(keys, order, cpu{2}, by, what));
    }
}
TEST(Sort, TypesLikeOthers) {
    enum class shade : std::int16_t {};
    check_like_others<detail::uint128>(3'000);
    check_like_others<char>(600);
    check_like_others<shade>(sanitized ? 3'000 : 140'000);  // so many are counted
}

// Large enough for counting, for several shares, and for several splits of skewed keys.
TEST(Sort, LargeArrays) {
    const std::size_t n = sanitized ? 200'003 : 1'200'007;
    const auto check = [n]<class Key>(Key) {
        for (const auto& [shape, keys] : key_shapes<Key>(n)) {
            const bool descending = shape == "random";
            const sort_by by{.descending = descending};
            const auto order = order_of(keys, by);
            const std::string what = describe_sort(shape, n, 0, descending);
            ASSERT_NO_FATAL_FAILURE(check_keys(keys, order, cpu{}, by, what));
            ASSERT_NO_FATAL_FAILURE(check_pairs(keys, order, cpu{}, by, what));
        }
    };
    check(std::uint16_t{});
#ifdef __FLT16_MANT_DIG__
    check(_Float16{});
#endif
    check(std::uint32_t{});
    check(double{});
}

// By seven bits, so that bytes are not counted but moved. Within a class of equal keys, bit 0 shows
// whether items keep their order: a hash of these bits depends on it.
TEST(Sort, MoreThanFourBillionBytesInPlace) {
    const std::size_t n = sanitized ? (std::size_t{1} << 22) + 1 : (std::size_t{1} << 32) + 1;
    const auto free_bytes = static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) *
                            static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    if (free_bytes < 5 * (n / 2)) GTEST_SKIP() << "too little memory";
    // The same keys over and over, so that it is known without another sort what is wanted.
    std::vector<std::uint8_t> once(1'000'003);
    for (std::size_t i = 0; i < once.size(); ++i) {
        once[i] = static_cast<std::uint8_t>(i * 0x9e3779b97f4a7c15U >> 45);
    }
    const std::unique_ptr<std::uint8_t[]> keys(new std::uint8_t[n]);
    for (std::size_t i = 0; i < n; i += once.size()) {
        std::copy_n(once.begin(), std::min(once.size(), n - i), &keys[i]);
    }
    sort_keys(keys.get(), keys.get() + n, keys.get(), sort_by{.first_bit = 1});

    const std::uint8_t* at = keys.get();
    for (int upper_bits = 0; upper_bits < 128; ++upper_bits) {
        const auto is_equal = [=](std::uint8_t key) { return key >> 1 == upper_bits; };
        std::vector<std::uint8_t> equal;
        std::ranges::copy_if(once, std::back_inserter(equal), is_equal);
        const auto in_last = std::count_if(
            once.begin(), once.begin() + static_cast<std::ptrdiff_t>(n % once.size()), is_equal);
        std::size_t left = n / once.size() * equal.size() + static_cast<std::size_t>(in_last);
        while (left > 0) {
            const std::size_t length = std::min(left, equal.size());
            ASSERT_TRUE(std::equal(at, at + length, equal.begin())) << "keys " << upper_bits;
            at += length;
            left -= length;
        }
    }
    EXPECT_EQ(at, keys.get() + n);
}

}  // namespace lookback::test
