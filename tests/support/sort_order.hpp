// The order into which keys have to be sorted, found by comparisons.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "lookback/sort.hpp"
#include "support/key_order.hpp"

namespace lookback::test {

/// For each item of the sorted segments, its position in the input: sorted stably by a comparison,
/// or by its reverse.
template <class T, class Before>
std::vector<std::uint32_t> order_by(const std::vector<T>& items,
                                    const std::vector<std::size_t>& lengths, bool descending,
                                    const Before& before) {
    std::vector<std::uint32_t> order(items.size());
    std::iota(order.begin(), order.end(), 0U);
    auto begin = order.begin();
    for (const std::size_t n : lengths) {
        const auto end = begin + static_cast<std::ptrdiff_t>(n);
        std::stable_sort(begin, end, [&](std::uint32_t i, std::uint32_t j) {
            return descending ? before(items[j], items[i]) : before(items[i], items[j]);
        });
        begin = end;
    }
    return order;
}
template <class T, class Before>
std::vector<std::uint32_t> order_by(const std::vector<T>& items, bool descending,
                                    const Before& before) {
    return order_by(items, {items.size()}, descending, before);
}

/// The same as a sort by `by` puts keys into order.
template <class Key>
std::vector<std::uint32_t> order_in_segments(const std::vector<Key>& keys,
                                             const std::vector<std::size_t>& lengths,
                                             const sort_by& by) {
    return order_by(keys, lengths, false,
                    [&](const Key& a, const Key& b) { return sorts_before<Key>(by, a, b); });
}
template <class Key>
std::vector<std::uint32_t> order_of(const std::vector<Key>& keys, const sort_by& by) {
    return order_in_segments(keys, {keys.size()}, by);
}

}  // namespace lookback::test
