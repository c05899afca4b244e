// Sums and products of floats: the documented tree, bit for bit, on any number of threads; the
// error bound; NaN, infinities and signed zeros.
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

#include "support/check_scan.hpp"

namespace lookback::test {
namespace {

// docs/design.md, "The tree", written as plain loops.
template <class T, class Op>
void scan_row_by_the_tree(T* x, const Op& op) {
    const std::size_t lanes = 64 / sizeof(T);
    const std::size_t block = 16 / sizeof(T);
    for (std::size_t distance = 1; distance < block; distance *= 2) {
        for (std::size_t i = lanes; i-- > 0;) {
            if (i % block >= distance) x[i] = op(x[i - distance], x[i]);
        }
    }
    for (std::size_t i = block; i < 2 * block; ++i) x[i] = op(x[block - 1], x[i]);
    for (std::size_t i = 3 * block; i < 4 * block; ++i) x[i] = op(x[3 * block - 1], x[i]);
    for (std::size_t i = 2 * block; i < 4 * block; ++i) x[i] = op(x[2 * block - 1], x[i]);
}

template <class T, class Op = plus<>>
std::vector<T> scan_by_the_tree(std::vector<T> x, kind what, bool backward, T init,
                                const Op& op = {}) {
    if (backward) std::reverse(x.begin(), x.end());
    const std::size_t lanes = 64 / sizeof(T);
    std::vector<T> out;
    std::optional<T> prefix;
    if (what != kind::inclusive) prefix = init;
    for (std::size_t first = 0; first < x.size(); first += scan_tile_items<T>) {
        const std::size_t end = std::min(x.size(), first + scan_tile_items<T>);
        const std::size_t half = first + (std::size_t{128} << 10) / sizeof(T);
        std::optional<T> first_half;  // its fold, once the second half has begun
        std::optional<T> carry;
        std::vector<T> local;
        const std::size_t step = end - first > 64 ? lanes : 64;  // a short tile item by item
        for (std::size_t r = first; r < end; r += step) {
            if (r == half) first_half = std::exchange(carry, std::nullopt);
            if (step == lanes && r + lanes <= end) {
                scan_row_by_the_tree(&x[r], op);
            } else {
                for (std::size_t i = r + 1; i < end; ++i) x[i] = op(x[i - 1], x[i]);
            }
            for (std::size_t i = r; i < std::min(end, r + step); ++i) {
                const T in_half = carry ? op(*carry, x[i]) : x[i];
                local.push_back(first_half ? op(*first_half, in_half) : in_half);
                if (i + 1 == std::min(end, r + step)) carry = in_half;
            }
        }
        if (what == kind::exclusive) out.push_back(*prefix);
        for (const T& v : local) out.push_back(prefix ? op(*prefix, v) : v);
        if (what == kind::exclusive) {
            prefix = out.back();
            out.pop_back();
        } else {
            prefix = out.back();
        }
    }
    if (backward) std::reverse(out.begin(), out.end());
    return out;
}

}  // namespace

template <class T>
class ScanFloats : public ::testing::Test {};
using floats = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ScanFloats, floats);

// `items(n)` makes the input.
template <class T, class Op>
void check_the_tree(const Op& op, T init, const auto& items) {
    for (const std::size_t n : edge_sizes<T>()) {
        if (sanitized && n > 3 * scan_tile_items<T>) continue;
        const std::vector<T> in = items(n);
        for (const kind what : {kind::inclusive, kind::inclusive_init, kind::exclusive}) {
            for (const bool backward : {false, true}) {
                const auto want = scan_by_the_tree<T>(in, what, backward, init, op);
                for (const bool in_place : {false, true}) {
                    for (const int threads : {1, 2, 3, 16}) {
                        const scan_case c{what, backward, in_place, threads, n};
                        for (const std::size_t shift : {0u, 1u, 4u, 13u}) {
                            const auto got = library_scan(in, c, op, init, shift);
                            ASSERT_TRUE(same_bits(got, want)) << c.text() << ", shift " << shift;
                        }
                    }
                }
            }
        }
    }
}

TYPED_TEST(ScanFloats, SumHasTheBitsOfTheTree) {
    using T = TypeParam;
    check_the_tree<T>(plus<>{}, T(0.3), [](std::size_t n) { return random_values<T>(n, n); });
}

// The floats of a pair have the tree of the pairs.
template <class T>
class ScanPairs : public ::testing::Test {};
using pairs = ::testing::Types<std::complex<float>, std::complex<double>, pixel<float, 2>>;
TYPED_TEST_SUITE(ScanPairs, pairs);

// Classes that look like a pair of floats, with additions of their own.
struct fold_of_maxima : std::complex<float> {
    friend fold_of_maxima operator+(const fold_of_maxima& a, const fold_of_maxima& b) {
        return a.real() < b.real() ? b : a;
    }
};
template <class T>
struct like_complex {
    using value_type = float;
    float real_part, imaginary_part;
    float imag() const { return imaginary_part; }
};
static_assert(detail::pair_of_floats<std::complex<float>>);
static_assert(!detail::pair_of_floats<fold_of_maxima>);
static_assert(!detail::pair_of_floats<like_complex<std::complex<float>>>);

TYPED_TEST(ScanPairs, SumHasTheBitsOfTheTree) {
    using T = TypeParam;
    check_the_tree<T>(plus<>{}, random_values<T>(1, 99)[0],
                      [](std::size_t n) { return random_values<T>(n, n); });
}

// Items around 1 and -1, so that products neither vanish nor overflow.
TYPED_TEST(ScanFloats, ProductHasTheBitsOfTheTree) {
    using T = TypeParam;
    check_the_tree<T>(multiplies<>{}, T(0.3), [](std::size_t n) {
        std::vector<T> in = random_values<T>(n, n);
        for (std::size_t i = 0; i < n; ++i) in[i] = (i % 7 == 3 ? T(-1) : T(1)) + in[i] / T(1e6);
        return in;
    });
}

TYPED_TEST(ScanFloats, SumHasTheSameBitsInEveryRun) {
    using T = TypeParam;
    const std::size_t n = 40 * scan_tile_items<T> + 7;
    const auto in = random_values<T>(n, 5);
    const scan_case one{kind::inclusive, false, false, 1, n};
    const auto first = library_scan(in, one, plus<>{}, T{});
    const std::vector<T> want(first.begin(), first.end());
    for (int run = 0; run < (sanitized ? 5 : 50); ++run) {
        const scan_case c{kind::inclusive, false, run % 2 == 1, 1 + run % 16, n};
        ASSERT_TRUE(same_bits(library_scan(in, c, plus<>{}, T{}), want)) << c.text();
    }
}

// With zeros, infinities and NaN among the items, results have the right signs and places, with any
// instruction set.
TYPED_TEST(ScanFloats, ProductsOfZerosInfinitiesAndNaN) {
    using T = TypeParam;
    const T infinity = std::numeric_limits<T>::infinity();
    for (const T special :
         {T(0), T(-0.0), infinity, -infinity, std::numeric_limits<T>::quiet_NaN()}) {
        for (const std::size_t at : {0u, 1u, 63u, 64u, 100u, 4099u, 4999u}) {
            std::vector<T> in(5000, T(1));
            for (std::size_t i = 0; i < in.size(); i += 3) in[i] = T(-1);
            in[at] = special;
            const auto want = scan_by_the_tree<T>(in, kind::inclusive, false, T(1), multiplies<>{});
            const scan_case c{kind::inclusive, false, false, 1, in.size()};
            const auto got = library_scan(in, c, multiplies<>{}, T(1));
            for (std::size_t i = 0; i < in.size(); ++i) {
                ASSERT_EQ(std::isnan(got[i]), std::isnan(want[i])) << special << " at " << at;
                if (std::isnan(want[i])) continue;
                ASSERT_EQ(got[i], want[i]) << special << " at " << at;
                ASSERT_EQ(std::signbit(got[i]), std::signbit(want[i])) << special << " at " << at;
            }
        }
    }
}

// Scans of pieces of whole tiles, each from the last output of the piece before, have the bits of
// one scan.
TYPED_TEST(ScanFloats, PiecesHaveTheBitsOfTheWhole) {
    using T = TypeParam;
    const std::size_t n = 7 * scan_tile_items<T> + 11;
    const auto in = random_values<T>(n, 6);
    std::vector<T> whole(n), pieces(n);
    lookback::inclusive_scan(in, whole);
    T carry{};
    for (std::size_t first = 0; first < n; first += 2 * scan_tile_items<T>) {
        const std::size_t end = std::min(n, first + 2 * scan_tile_items<T>);
        const T* from = in.data();
        if (first == 0) {
            lookback::inclusive_scan(from, from + end, pieces.data());
        } else {
            lookback::inclusive_scan(cpu{}, from + first, from + end, pieces.data() + first,
                                     plus<>{}, carry);
        }
        carry = pieces[end - 1];
    }
    EXPECT_TRUE(same_bits(pieces, whole));
}

// |error of out[i]| <= depth * eps * sum |x|, where depth is the longest path of the tree: 6 within
// a row, one for each row of half a tile, one for the other half, one for each tile.
TYPED_TEST(ScanFloats, SumIsWithinItsErrorBound) {
    using T = TypeParam;
    const std::size_t n = 20 * scan_tile_items<T> + 3;
    const auto in = random_values<T>(n, 8);
    std::vector<T> out(n);
    lookback::inclusive_scan(in, out);
    long double sum = 0, magnitude = 0;
    const auto depth =
        6.0L + static_cast<long double>(scan_tile_items<T>) / 2 / (64 / sizeof(T)) + 1 + 21;
    for (std::size_t i = 0; i < n; ++i) {
        sum += in[i];
        magnitude += std::abs(in[i]);
        const auto bound = depth * std::numeric_limits<T>::epsilon() * magnitude;
        ASSERT_LE(std::abs(static_cast<long double>(out[i]) - sum), bound) << "item " << i;
    }
}

TYPED_TEST(ScanFloats, Minimum) { check_exactly<TypeParam>(minimum<>{}); }
TYPED_TEST(ScanFloats, Maximum) { check_exactly<TypeParam>(maximum<>{}); }

TYPED_TEST(ScanFloats, NotANumberStaysFromWhereItStands) {
    using T = TypeParam;
    const T nan = std::numeric_limits<T>::quiet_NaN();
    const std::size_t n = 3 * scan_tile_items<T> + 5;
    for (const std::size_t at :
         {std::size_t{0}, std::size_t{7}, scan_tile_items<T> - 1, scan_tile_items<T> + 21, n - 1}) {
        auto in = random_values<T>(n, at);
        in[at] = at % 2 == 0 ? nan : -nan;
        for (const int threads : {1, 4}) {
            std::vector<T> low(n), high(n), sum(n);
            lookback::inclusive_scan(cpu{threads}, in, low, minimum{});
            lookback::inclusive_scan(cpu{threads}, in, high, maximum{});
            lookback::inclusive_scan(cpu{threads}, in, sum);
            for (std::size_t i = 0; i < n; ++i) {
                ASSERT_EQ(std::isnan(low[i]), i >= at) << i;
                ASSERT_EQ(std::isnan(high[i]), i >= at) << i;
                ASSERT_EQ(std::isnan(sum[i]), i >= at) << i;
            }
        }
    }
}

// Numbers of all magnitudes, from the smallest to the largest, on both sides of zero, in order.
TYPED_TEST(ScanFloats, MinimumAndMaximumKnowTheOrderOfAllNumbers) {
    using T = TypeParam;
    using limits = std::numeric_limits<T>;
    std::vector<T> rising = {T(0), limits::denorm_min()};
    for (T x = rising.back(); x < limits::max() / 3; rising.push_back(x)) {
        x = std::max(x * T(1.7), std::nextafter(x, limits::infinity()));
    }
    rising.insert(rising.end(), {limits::max(), limits::infinity()});
    for (std::size_t i = 1, n = rising.size(); i < n; ++i) rising.push_back(-rising[i]);
    std::sort(rising.begin(), rising.end());
    ASSERT_GT(rising.size(), 5 * detail::short_tile_items);
    const std::vector<T> falling(rising.rbegin(), rising.rend());
    const std::size_t n = rising.size();
    std::vector<T> out(n);
    lookback::inclusive_scan(rising, out, maximum{});
    EXPECT_TRUE(same_bits(out, rising));
    lookback::inclusive_scan(falling, out, minimum{});
    EXPECT_TRUE(same_bits(out, falling));
    lookback::inclusive_scan(rising, out, minimum{});
    EXPECT_EQ(out, std::vector<T>(n, -limits::infinity()));
    lookback::inclusive_scan(falling, out, maximum{});
    EXPECT_EQ(out, std::vector<T>(n, limits::infinity()));
}

TYPED_TEST(ScanFloats, Infinities) {
    using T = TypeParam;
    const T inf = std::numeric_limits<T>::infinity();
    const std::size_t n = 2 * scan_tile_items<T> + 5;
    std::vector<T> in(n, T(1)), out(n);
    in[100] = inf;
    in[scan_tile_items<T> + 9] = -inf;
    lookback::inclusive_scan(cpu{2}, in, out);
    EXPECT_EQ(out[99], T(100));
    EXPECT_EQ(out[100], inf);
    EXPECT_EQ(out[scan_tile_items<T> + 8], inf);
    EXPECT_TRUE(std::isnan(out[scan_tile_items<T> + 9]));
    const std::vector<T> all_inf(n, inf);
    lookback::inclusive_scan(cpu{2}, all_inf, out, minimum{});
    EXPECT_EQ(out, all_inf);
}

// The kernels' identity must not turn a sum of negative zeros into a positive one.
TYPED_TEST(ScanFloats, NegativeZerosStayNegative) {
    using T = TypeParam;
    for (const std::size_t n : {std::size_t{1}, std::size_t{5}, std::size_t{16}, std::size_t{1000},
                                2 * scan_tile_items<T> + 3}) {
        const std::vector<T> in(n, T(-0.0));
        std::vector<T> out(n, T(1));
        lookback::inclusive_scan(cpu{2}, in, out);
        ASSERT_TRUE(same_bits(out, in)) << n;
    }
}

}  // namespace lookback::test
