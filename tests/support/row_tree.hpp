// The tree by which the SIMD kernels sum a row of 64 bytes (docs/design.md, "The tree"), in plain
// lines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace lookback::test {

/// Running sums of a row's items, from the last head on.
template <class T>
std::vector<T> row_sums(std::vector<T> lane, const std::vector<bool>& head) {
    constexpr std::size_t row = 64 / sizeof(T), block = 16 / sizeof(T);
    // Lane `to` adds lane `from`, where no head lies between.
    const auto step = [&](const auto& from_of) {
        const std::vector<T> old = lane;
        for (std::size_t to = 0; to < row; ++to) {
            const auto from = from_of(to);
            if (!from || std::count(head.begin() + std::ptrdiff_t(*from) + 1,
                                    head.begin() + std::ptrdiff_t(to) + 1, true) > 0) {
                continue;
            }
            lane[to] = old[*from] + old[to];
        }
    };
    using lane_number = std::optional<std::size_t>;
    for (std::size_t d = 1; d < block; d *= 2) {
        step([&](std::size_t i) { return i % block < d ? lane_number{} : i - d; });
    }
    for (const std::size_t group : {block, 2 * block}) {
        step([&](std::size_t i) {
            return i / group % 2 == 0 ? lane_number{} : i / group * group - 1;
        });
    }
    return lane;
}

}  // namespace lookback::test
