// Scans of segments and down columns, by definition.
#pragma once

#include <optional>
#include <vector>

#include "lookback/axis_scan.hpp"

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

/// The definition: down the columns of each block.
template <class T, class V, class Op>
std::vector<T> down_columns(const std::vector<V>& in, const axis_extents& e,
                            const std::optional<T>& init, bool exclusive, const Op& op) {
    std::vector<T> out(in.size());
    std::vector<std::optional<T>> folds(e.inner);
    for (std::size_t i = 0; i < in.size(); ++i) {
        std::optional<T>& fold = folds[i % e.inner];
        if (i / e.inner % e.length == 0) fold = init;
        const auto item = static_cast<T>(in[i]);
        if (exclusive) out[i] = *fold;
        fold = fold ? static_cast<T>(op(*fold, item)) : item;
        if (!exclusive) out[i] = *fold;
    }
    return out;
}

}  // namespace lookback::test
