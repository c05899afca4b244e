// The tree by which the SIMD kernels sum, or multiply, a row of 64 bytes (docs/design.md, "The
// tree"), as plain loops.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "lookback/operators.hpp"
#include "support/values.hpp"

namespace lookback::test {

/// The value with which an operation on floats begins. It is -0 for sums: +0 would change a sum of
/// which all items are -0.
template <class T>
T nothing_yet(plus<>) {
    return -T(0);
}
template <class T>
T nothing_yet(multiplies<>) {
    return T(1);
}

/// Values whose sums, or products, neither vanish nor overflow: factors are around 1 or -1.
template <class T>
std::vector<T> values_to_fold(std::size_t n, plus<>) {
    return random_values<T>(n, 3);
}
template <class T>
std::vector<T> values_to_fold(std::size_t n, multiplies<>) {
    std::vector<T> values = random_values<T>(n, 3);
    for (std::size_t i = 0; i < n; ++i)
        values[i] = (i % 7 == 3 ? T(-1) : T(1)) + values[i] / T(1e6);
    return values;
}

/// Running folds, by `op`, of a row's items, each from the last head on.
template <class T, class Op>
std::vector<T> row_sums(std::vector<T> lane, const std::vector<bool>& head, const Op& op) {
    constexpr std::size_t row = 64 / sizeof(T), block = 16 / sizeof(T);
    // Lane `to` adds lane `from`, if no head lies between them.
    const auto step = [&](const auto& from_of) {
        const std::vector<T> old = lane;
        for (std::size_t to = 0; to < row; ++to) {
            const auto from = from_of(to);
            if (!from || std::count(head.begin() + std::ptrdiff_t(*from) + 1,
                                    head.begin() + std::ptrdiff_t(to) + 1, true) > 0) {
                continue;
            }
            lane[to] = op(old[*from], old[to]);
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
