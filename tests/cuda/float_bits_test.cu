// Sums of floats have the bits that another GPU computed. Prints them, for support/float_bits.hpp.
#include <gtest/gtest.h>

#include <cstdio>

#include "support/device.hpp"
#include "support/float_bits.hpp"

namespace lookback::test {
namespace {

TEST(FloatBits, AreThoseOfEveryGpu) {
    stream s;
    lookback::gpu gpu{s};
    const auto bits = float_bits(gpu);
    for (const auto& [name, hash] : bits) {
        std::printf("    {\"%s\", \"%s\"},\n", name.c_str(), hash.c_str());
    }
    EXPECT_EQ(bits, bits_of_a_gpu);
}

}  // namespace
}  // namespace lookback::test
