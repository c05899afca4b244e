// sort_keys, sort_pairs and sort_order, compared with std::stable_sort: types of keys, their
// shapes, sizes around every edge, threads, both directions, in place and not.
#include <unistd.h>

#include <memory>

#include "support/sorting.hpp"

namespace lookback::test {
namespace {

enum class shade : std::int16_t {};
using detail::int128;
using detail::uint128;

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
    for (const std::size_t n : sizes_for(detail::finish_items<Key, detail::no_array>)) {
        for (const auto& [shape, keys] : key_shapes<Key>(n)) {
            for (const bool descending : {false, true}) {
                const sort_by by{.descending = descending};
                const auto order = order_of(keys, by);
                for (const int threads : {1, 2, 3}) {
                    // A third thread makes no difference for small arrays.
                    if (threads == 3 && n < 1000) continue;
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
TEST(Sort, Characters) { check_type<char>(); }
TEST(Sort, Words) { check_type<std::uint16_t>(); }
TEST(Sort, SignedWords) { check_type<std::int16_t>(); }
TEST(Sort, Enumerations) { check_type<shade>(); }
TEST(Sort, Integers) { check_type<std::uint32_t>(); }
TEST(Sort, SignedIntegers) { check_type<std::int32_t>(); }
TEST(Sort, LongIntegers) { check_type<std::uint64_t>(); }
TEST(Sort, SignedLongIntegers) { check_type<std::int64_t>(); }
TEST(Sort, WideIntegers) { check_type<uint128>(); }
TEST(Sort, SignedWideIntegers) { check_type<int128>(); }
TEST(Sort, Floats) { check_type<float>(); }
TEST(Sort, Doubles) { check_type<double>(); }
#ifdef __FLT16_MANT_DIG__
TEST(Sort, FloatsOf16Bits) { check_type<_Float16>(); }
#endif

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
    const std::unique_ptr<std::uint8_t[]> keys(new std::uint8_t[n]);
    for (std::size_t i = 0; i < n; ++i) {
        keys[i] = static_cast<std::uint8_t>(i * 0x9e3779b97f4a7c15U >> 45);
    }
    const auto hashes = [&] {
        std::vector<std::uint64_t> hash(128, 1);
        for (std::size_t i = 0; i < n; ++i) {
            std::uint64_t& mine = hash[keys[i] >> 1];
            mine = mine * 0x5851f42d4c957f2dU + (keys[i] & 1) + 1;
        }
        return hash;
    };
    const auto before = hashes();
    sort_keys(keys.get(), keys.get() + n, keys.get(), sort_by{.first_bit = 1});
    EXPECT_EQ(hashes(), before);
    std::size_t falls = 0;
    for (std::size_t i = 1; i < n; ++i) falls += keys[i] >> 1 < keys[i - 1] >> 1;
    EXPECT_EQ(falls, 0U);
}

}  // namespace lookback::test
