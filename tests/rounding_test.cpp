// Scans of floats round, and flush to zero, in the caller's mode at the time of the call, on all
// threads, also on those that were started before.
#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cstdint>
#include <random>
#include <vector>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

#include "lookback/lookback.hpp"

namespace lookback::test {
namespace {

constexpr std::size_t n = std::size_t{1} << 20;

// Numbers so small that many sums are subnormal.
std::vector<float> small_numbers() {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> some(-4e-38f, 4e-38f);
    std::vector<float> all(n);
    for (float& x : all) x = some(random);
    return all;
}

struct results {
    std::vector<std::uint32_t> sums, scaled, by_key;
    bool operator==(const results&) const = default;
};

std::vector<std::uint32_t> bits(const std::vector<float>& all) {
    std::vector<std::uint32_t> found(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) found[i] = std::bit_cast<std::uint32_t>(all[i]);
    return found;
}

results scans(const std::vector<float>& in, int threads) {
    static const std::vector<int> keys(n, 1);
    const cpu where{threads};
    results found;
    std::vector<float> out(n);
    lookback::inclusive_scan(where, in, out);
    found.sums = bits(out);
    lookback::inclusive_scan(where, in, out, [](float a, float b) { return 0.7f * a + b; });
    found.scaled = bits(out);
    lookback::inclusive_scan_by_key(where, keys, in, out);
    found.by_key = bits(out);
    return found;
}

// Expects the bits of the caller's mode on any number of threads, and not those of `usual`.
void expect_same_bits(const std::vector<float>& in, const results& usual) {
    const results alone = scans(in, 1);
    for (int again = 0; again < 5; ++again) {
        for (const int threads : {2, 4, 0}) EXPECT_TRUE(scans(in, threads) == alone) << threads;
    }
    EXPECT_TRUE(alone.sums != usual.sums);
}

}  // namespace

TEST(Rounding, IsTheCallersOnAllThreads) {
    const std::vector<float> in = small_numbers();
    const results usual = scans(in, 4);
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        ASSERT_EQ(std::fesetround(mode), 0);
        expect_same_bits(in, usual);
        std::fesetround(FE_TONEAREST);
    }
    EXPECT_TRUE(scans(in, 4) == usual);  // no thread keeps the mode
}

#if defined(__SSE2__)
TEST(Rounding, FlushesToZeroAsTheCallerDoes) {
    const std::vector<float> in = small_numbers();
    const results usual = scans(in, 4);
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);  // flush to zero, denormals are zero
    expect_same_bits(in, usual);
    _mm_setcsr(before);
    EXPECT_TRUE(scans(in, 4) == usual);
}
#endif

}  // namespace lookback::test
