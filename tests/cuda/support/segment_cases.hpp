// The results with which scans of segments are compared.
#pragma once

#include "support/compaction_cases.hpp"
#include "support/segments.hpp"

namespace lookback::test {

template <class V>
std::vector<V> values_of(std::uint64_t n) {
    std::vector<V> values(n);
    std::minstd_rand random(5);
    for (auto& v : values) {
        v = std::is_integral_v<V> ? static_cast<V>(random() * 40503U)
                                  : static_cast<V>(random() % 8);
    }
    return values;
}

}  // namespace lookback::test
