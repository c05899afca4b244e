// The order into which keys have to be sorted, found by comparisons.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <type_traits>
#include <vector>

#include "lookback/sort.hpp"

namespace lookback::test {

/// Whether `a` comes before `b` in ascending order, without the words that the library makes of
/// keys.
template <class Key>
bool comes_before(const Key& a, const Key& b) {
    if constexpr (std::is_floating_point_v<Key>) {
        using bits_type = std::conditional_t<sizeof(Key) == 4, std::int32_t, std::int64_t>;
        if (std::isnan(a) && std::isnan(b)) {
            bits_type x, y;  // positive NaNs rise with their bits; negative NaNs come after them
            std::memcpy(&x, &a, sizeof(x));
            std::memcpy(&y, &b, sizeof(y));
            using unsigned_bits = std::make_unsigned_t<bits_type>;
            if (std::signbit(a) != std::signbit(b)) return std::signbit(b);
            return std::signbit(a) ? static_cast<unsigned_bits>(y) < static_cast<unsigned_bits>(x)
                                   : x < y;
        }
        if (std::isnan(a) || std::isnan(b)) return std::isnan(b);
        return a < b || (a == b && std::signbit(a) && !std::signbit(b));
    } else {
        return a < b;
    }
}

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

/// The same for keys. The library's words serve only where some of their bits count; that words
/// have the order of their keys is tested in sort_bits_test.cpp.
template <class Key>
std::vector<std::uint32_t> order_in_segments(const std::vector<Key>& keys,
                                             const std::vector<std::size_t>& lengths,
                                             const sort_by& by) {
    using word = detail::key_word<Key>;
    constexpr int bits = detail::word_bits<word>;
    const int last = by.last_bit < 0 ? bits : by.last_bit;
    if (by.first_bit == 0 && last == bits) {
        return order_by(keys, lengths, by.descending, comes_before<Key>);
    }
    std::vector<word> parts(keys.size());  // the bits that count
    for (std::size_t i = 0; i < keys.size() && by.first_bit < last; ++i) {
        const auto high = static_cast<word>(detail::word_of_key<Key>(keys[i]) << (bits - last));
        parts[i] = static_cast<word>(high >> (bits - last + by.first_bit));
    }
    return order_by(parts, lengths, by.descending, std::less<>());
}
template <class Key>
std::vector<std::uint32_t> order_of(const std::vector<Key>& keys, const sort_by& by) {
    return order_in_segments(keys, {keys.size()}, by);
}

}  // namespace lookback::test
