// The case table for integers, with every operator that has a SIMD kernel and one that has none.
#include "support/check_scan.hpp"

namespace lookback::test {

template <class T>
class ScanIntegers : public ::testing::Test {};

using integers = ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                  std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(ScanIntegers, integers);

TYPED_TEST(ScanIntegers, Plus) { check_exactly<TypeParam>(plus<>{}); }
TYPED_TEST(ScanIntegers, Multiplies) { check_exactly<TypeParam>(multiplies<>{}); }
TYPED_TEST(ScanIntegers, Minimum) { check_exactly<TypeParam>(minimum<>{}); }
TYPED_TEST(ScanIntegers, Maximum) { check_exactly<TypeParam>(maximum<>{}); }
TYPED_TEST(ScanIntegers, BitAnd) { check_exactly<TypeParam>(bit_and<>{}); }
TYPED_TEST(ScanIntegers, BitOr) { check_exactly<TypeParam>(bit_or<>{}); }
TYPED_TEST(ScanIntegers, BitXor) { check_exactly<TypeParam>(bit_xor<>{}); }

// With random bits, these operators reach their final value at once; sparse bits reach every lane.
TYPED_TEST(ScanIntegers, BitOperatorsOnSparseBits) {
    using T = TypeParam;
    const std::size_t n = 3 * scan_tile_items<T> + 5;
    std::vector<T> in(n, T{0});
    for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) {
        in[bit * (n / (8 * sizeof(T))) + bit] = static_cast<T>(T{1} << bit);
    }
    const auto check = [&](const auto& op) {
        const scan_case c{kind::inclusive, false, false, 2, n};
        const auto got = library_scan(in, c, op, T{});
        const auto want = sequential_scan<T>(in, c.what, c.backward, op, T{});
        EXPECT_TRUE(std::equal(got.begin(), got.end(), want.begin(), want.end()));
    };
    check(bit_or<>{});
    for (T& x : in) x = static_cast<T>(~x);
    check(bit_and<>{});
}

}  // namespace lookback::test
