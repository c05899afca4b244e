// What scans of segments are compared with.
#pragma once

#include <optional>

#include "support/kept_cases.hpp"

namespace lookback::test {

/// The definition: `heads[i]` begins a segment.
template <class T, class V, class Op>
std::vector<T> sequential(const std::vector<V>& in, const std::vector<bool>& heads,
                          const std::optional<T>& init, bool exclusive, const Op& op) {
    std::vector<T> out(in.size());
    std::optional<T> fold;
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (heads[i]) fold = init;
        const auto item = static_cast<T>(in[i]);
        if (exclusive) out[i] = *fold;
        fold = fold ? op(*fold, item) : item;
        if (!exclusive) out[i] = *fold;
    }
    return out;
}

template <class K>
std::vector<bool> heads_of(const std::vector<K>& keys) {
    std::vector<bool> heads(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) heads[i] = i == 0 || keys[i] != keys[i - 1];
    return heads;
}

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
