/// \file
/// Conditions (condition.hpp) as predicates for the loops: the condition is interpreted once, not
/// for each item.
///
/// Predicates of integers work on the bits, so that signed and unsigned integers have the same
/// loops: x is from low to high if x - low, which wraps around, is at most high - low. Source:
/// Warren, Hacker's Delight, 4-1.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "table/condition.hpp"
#include "table/table.hpp"

namespace lookback::table {

/// True in one interval, or, if `is_outside`, outside of it. It has no branches, so that a loop can
/// work on many items at a time.
template <class T>
struct one_interval;

template <std::unsigned_integral U>
struct one_interval<U> {
    U low;
    U width;
    bool is_outside;
    bool operator()(U x) const { return (static_cast<U>(x - low) <= width) != is_outside; }
};

template <std::floating_point T>
struct one_interval<T> {
    T low;
    T high;
    bool is_outside;
    bool is_wrong_for_nan;
    bool operator()(T x) const {
        const bool is_inside = static_cast<bool>(static_cast<int>(low <= x) & (x <= high));
        const bool is_nan = x != x;
        return (is_inside != is_outside) !=
               static_cast<bool>(static_cast<int>(is_nan) & is_wrong_for_nan);
    }
};

/// `flip` is the sign bit for signed integers: with that bit flipped, they have the order of
/// unsigned integers. 0 for other types.
template <class T>
struct many_intervals {
    const condition<T>& is;
    T flip = 0;
    bool operator()(T x) const {
        if constexpr (std::integral<T>) x ^= flip;
        const auto above = std::upper_bound(is.intervals.begin(), is.intervals.end(), x,
                                            [](T y, const auto& i) { return y < i.low; });
        if (x != x) return is.has_nan;
        return above != is.intervals.begin() && x <= (above - 1)->high;
    }
};

/// A table of the answers for all bytes.
struct wanted_bytes {
    std::array<bool, 256> holds;
    bool operator()(std::uint8_t x) const { return holds[x]; }
};

/// Calls `f` with the simplest predicate for T that holds for the wanted numbers. Integers are
/// given by their bits, as unsigned integers.
template <class T, class F>
decltype(auto) with_predicate(const wanted& which, [[maybe_unused]] bool is_signed, F&& f) {
    T flip = 0;
    if constexpr (std::integral<T>) {
        if (is_signed) flip = static_cast<T>(T{1} << (8 * sizeof(T) - 1));
    }
    const auto end_at = [&](std::size_t i) {
        const T end = static_cast<const T*>(which.ends)[i];
        if constexpr (std::integral<T>) return static_cast<T>(end ^ flip);
        return end;
    };
    condition<T> all{{}, which.has_nan};
    for (std::size_t i = 0; i < which.intervals; ++i) {
        all.intervals.push_back({end_at(2 * i), end_at(2 * i + 1)});
    }
    const condition<T> others = complement(all);
    const bool is_outside = all.intervals.size() != 1 && others.intervals.size() == 1;
    const condition<T>& one = is_outside ? others : all;
    if (one.intervals.size() > 1) {
        const many_intervals<T> is{all, flip};
        if constexpr (sizeof(T) == 1) {
            wanted_bytes bytes;
            for (std::size_t x = 0; x < 256; ++x) bytes.holds[x] = is(static_cast<T>(x));
            return f(bytes);
        } else {
            return f(is);
        }
    }
    const interval<T> i = one.intervals.front();
    if constexpr (std::integral<T>) {
        return f(one_interval<T>{static_cast<T>(i.low ^ flip), static_cast<T>(i.high - i.low),
                                 is_outside});
    } else {
        return f(one_interval<T>{i.low, i.high, is_outside, all.has_nan != is_outside});
    }
}

}  // namespace lookback::table
