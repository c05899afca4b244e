// The order of keys, without the words that the library makes of them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "lookback/sort.hpp"

namespace lookback::test {

template <class Key>
using bits_of = detail::unsigned_word<sizeof(Key)>;

/// The number that a key of 16 bits is. (A processor without such numbers takes 10 ns to convert
/// one, and a sort compares millions.)
template <class Key>
float number_of(std::uint16_t bits) {
    static const std::vector<float> numbers = [] {
        std::vector<float> all(std::size_t{1} << 16);
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto of_key = static_cast<std::uint16_t>(i);
            Key key;
            std::memcpy(static_cast<void*>(&key), &of_key, sizeof(key));
            all[i] = static_cast<float>(key);
        }
        return all;
    }();
    return numbers[bits];
}

/// Whether `a` comes before `b` in ascending order.
template <class Key>
bool comes_before(const Key& a, const Key& b) {
    if constexpr (detail::is_float<Key>) {
        const auto number = [](const Key& key, const auto& bits) {
            if constexpr (detail::is_half<Key>) {
                return number_of<Key>(bits);
            } else {
                return key;
            }
        };
        bits_of<Key> a_bits, b_bits;
        std::memcpy(&a_bits, &a, sizeof(Key));
        std::memcpy(&b_bits, &b, sizeof(Key));
        constexpr int sign = 8 * static_cast<int>(sizeof(Key)) - 1;
        const bool a_negative = a_bits >> sign != 0, b_negative = b_bits >> sign != 0;
        const auto x = number(a, a_bits), y = number(b, b_bits);
        if (std::isnan(x) && std::isnan(y)) {
            // Positive NaNs rise with their bits; negative NaNs come after them, and fall.
            if (a_negative != b_negative) return b_negative;
            return a_negative ? b_bits < a_bits : a_bits < b_bits;
        }
        if (std::isnan(x) || std::isnan(y)) return std::isnan(y);
        return x < y || (x == y && a_negative && !b_negative);
    } else {
        return a < b;
    }
}

/// How many other keys of the type come before this one: its word, by which some bits are sorted.
template <class Key>
bits_of<Key> rank_of(const Key& key) {
    using word = bits_of<Key>;
    constexpr auto half_of_all = static_cast<word>(word{1} << (8 * sizeof(Key) - 1));
    if constexpr (detail::is_float<Key>) {
        word bits;
        std::memcpy(&bits, &key, sizeof(Key));
        constexpr int digits =
            detail::is_half<Key> ? detail::half_digits<Key> : std::numeric_limits<Key>::digits;
        constexpr auto infinity =
            static_cast<word>(half_of_all - static_cast<word>(word{1} << (digits - 1)));
        const auto magnitude = static_cast<word>(bits & (half_of_all - 1));
        // -infinity is 0. Negative NaNs go below that, modulo 2^w: to the end.
        return static_cast<word>(bits >= half_of_all ? infinity - magnitude
                                                     : infinity + 1 + magnitude);
    } else if constexpr (std::is_enum_v<Key>) {
        return rank_of(static_cast<std::underlying_type_t<Key>>(key));
    } else {
        constexpr bool is_signed = static_cast<Key>(-1) < static_cast<Key>(0);
        return static_cast<word>(static_cast<word>(key) + (is_signed ? half_of_all : word{0}));
    }
}

/// Whether a sort by `by` puts `a` before `b`, wherever they lie.
template <class Key>
bool sorts_before(const sort_by& by, const Key& a, const Key& b) {
    constexpr int bits = 8 * static_cast<int>(sizeof(Key));
    const int last = by.last_bit < 0 ? bits : by.last_bit;
    if (by.first_bit == last) return false;
    const Key& low = by.descending ? b : a;
    const Key& high = by.descending ? a : b;
    if (by.first_bit == 0 && last == bits) return comes_before(low, high);
    const auto part = [&](const Key& key) {
        const auto up = static_cast<bits_of<Key>>(rank_of(key) << (bits - last));
        return static_cast<bits_of<Key>>(up >> (bits - last + by.first_bit));
    };
    return part(low) < part(high);
}

}  // namespace lookback::test
