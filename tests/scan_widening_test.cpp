// The case table for sums that are wider than the items, and which calls have a kernel. (The
// kernels of all types are tested in simd_kernels_test.cpp.)
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <vector>

#include "support/check_scan.hpp"

namespace lookback::test {
namespace {

TEST(ScanWidening, BytesInFour) {
    check_exactly<std::uint32_t, std::uint8_t>(plus<std::uint32_t>{});
}
TEST(ScanWidening, SignedIntegersInEight) {
    check_exactly<std::int64_t, std::int32_t>(plus<std::int64_t>{});
}

// Items and accumulators at any offset.
TEST(ScanWidening, AtAnyOffset) {
    const std::size_t n = 70000;
    const auto in = random_values<std::int16_t>(n + 64, 3);
    for (std::size_t offset = 0; offset < 64; offset += 7) {
        std::vector<std::int64_t> out(n + 66, 77);
        std::int64_t* const first = out.data() + (64 - offset);
        lookback::exclusive_scan(cpu{1}, in.data() + offset, in.data() + offset + n, first,
                                 std::int64_t{-5});
        std::int64_t fold = -5;
        for (std::size_t i = 0; i < n; ++i) {
            ASSERT_EQ(first[i], fold) << i << " at " << offset;
            fold += in[offset + i];
        }
        EXPECT_EQ(first[n], 77);
        EXPECT_EQ(first[-1], 77);
    }
}

// Signed items of the accumulator's size, and bools, are integers too.
TEST(ScanWidening, OtherSignsAndBools) {
    const std::size_t n = 5000;
    const auto in = random_values<std::int32_t>(n, 4);
    const std::unique_ptr<bool[]> flags(new bool[n]);
    for (std::size_t i = 0; i < n; ++i) flags[i] = in[i] % 3 == 0;
    std::vector<std::uint32_t> sums(n), counts(n);
    lookback::inclusive_scan(cpu{}, in.data(), in.data() + n, sums.data(), plus<>{}, 7U);
    lookback::inclusive_scan(cpu{}, flags.get(), flags.get() + n, counts.data(), plus<>{}, 0U);
    std::uint32_t sum = 7, count = 0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += static_cast<std::uint32_t>(in[i]);
        count += flags[i] ? 1 : 0;
        ASSERT_EQ(sums[i], sum) << i;
        ASSERT_EQ(counts[i], count) << i;
    }
}

// Sums of floats in doubles have the bits of a scan of the same numbers as doubles.
TEST(ScanWidening, FloatsInEight) {
    for (const std::size_t n : {1, 63, 64, 65, 72, 1000, 16'384, 16'385, 32'768, 40'007, 600'001}) {
        const auto in = random_values<float>(n, n);
        const std::vector<double> wide(in.begin(), in.end());
        for (const int threads : {1, 3}) {
            for (const bool exclusive : {false, true}) {
                std::vector<double> want(n + 1, 77), got(n + 1, 77);
                const cpu where{threads};
                const auto scan = [&](const auto& from, double* out) {
                    if (exclusive) {
                        exclusive_scan(where, from.data(), from.data() + n, out, 0.1);
                    } else {
                        inclusive_scan(where, from.data(), from.data() + n, out, plus<double>{});
                    }
                };
                scan(wide, want.data());
                scan(in, got.data());
                EXPECT_EQ(std::memcmp(got.data(), want.data(), (n + 1) * sizeof(double)), 0)
                    << n << " items, threads " << threads << (exclusive ? ", exclusive" : "");
            }
        }
    }
}

template <class In, class Out, class T, class Op>
constexpr bool with_kernel = detail::has_kernel<In, Out, T, Op>;

using u8 = const std::uint8_t*;
using i32 = const int*;
using floats = const float*;
static_assert(with_kernel<u8, std::uint32_t*, std::uint32_t, plus<>>);
static_assert(with_kernel<u8, std::int32_t*, std::int32_t, std::plus<>>);
static_assert(with_kernel<const bool*, std::int64_t*, std::int64_t, plus<>>);
static_assert(with_kernel<const int*, unsigned*, unsigned, maximum<>>);
static_assert(!with_kernel<u8, std::uint32_t*, std::uint32_t, maximum<>>);
static_assert(!with_kernel<u8, std::uint16_t*, std::uint16_t, plus<>>);
static_assert(!with_kernel<const std::int8_t*, int*, int, plus<>>);
static_assert(!with_kernel<u8, std::uint64_t*, std::uint32_t, plus<>>);
static_assert(with_kernel<floats, double*, double, plus<>>);
static_assert(!with_kernel<floats, double*, double, minimum<>>);
static_assert(!with_kernel<floats, float*, double, plus<>>);
static_assert(!with_kernel<i32, double*, double, plus<>>);
static_assert(!with_kernel<std::reverse_iterator<u8>, std::reverse_iterator<int*>, int, plus<>>);

}  // namespace
}  // namespace lookback::test
