/// \file
/// Random numbers by their place, the same in every run.
#pragma once

#include <cstdint>

namespace lookback::bench {

/// A hash of i (the finaliser of SplitMix64).
__device__ inline std::uint64_t random_bits(std::uint64_t i) {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
}

}  // namespace lookback::bench
