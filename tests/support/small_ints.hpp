// Sizes and items for tests of calls with unusual arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lookback::test {

inline constexpr std::size_t call_sizes[] = {0, 1, 63, 64, 65, 1000, 20'000, 300'001};

inline std::vector<int> small_ints(std::size_t n, std::uint64_t seed) {
    std::vector<int> values(n);
    std::uint64_t x = seed;
    for (int& value : values) {
        x = x * 6364136223846793005U + 1442695040888963407U;
        value = static_cast<int>(x >> 60) - 8;
    }
    return values;
}

}  // namespace lookback::test
