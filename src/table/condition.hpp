/// \file
/// Conditions on a number x, such as "0 <= x < 10 or isnan(x)".
///
/// The numbers for which such a condition holds are always a union of intervals, with or without
/// NaN.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "table/numbers.hpp"

namespace lookback::table {

/// low <= x <= high, where low <= high.
template <number T>
struct interval {
    T low;
    T high;
};

/// The numbers in any of the `intervals`, and NaN if `has_nan`. The intervals are in rising order,
/// with numbers between them.
template <number T>
struct condition {
    std::vector<interval<T>> intervals;
    bool has_nan = false;
};

template <number T>
inline constexpr T highest_number =
    std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity()
                                         : std::numeric_limits<T>::max();
template <number T>
inline constexpr T lowest_number =
    std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity()
                                         : std::numeric_limits<T>::lowest();

/// The neighbour of x among the numbers of its type. -0 and 0 count as one number.
template <number T>
T above(T x) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(x + 1);
    else
        return std::nextafter(x, highest_number<T>);
}
template <number T>
T below(T x) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(x - 1);
    else
        return std::nextafter(x, lowest_number<T>);
}

/// The numbers for which `c` does not hold.
template <number T>
condition<T> complement(const condition<T>& c) {
    condition<T> others{{}, std::is_floating_point_v<T> && !c.has_nan};
    T next = lowest_number<T>;
    for (const interval<T>& i : c.intervals) {
        if (next < i.low) others.intervals.push_back({next, below(i.low)});
        if (i.high == highest_number<T>) return others;
        next = above(i.high);
    }
    others.intervals.push_back({next, highest_number<T>});
    return others;
}

/// The numbers for which `a` or `b` holds.
template <number T>
condition<T> either(const condition<T>& a, const condition<T>& b) {
    condition<T> all{{}, a.has_nan || b.has_nan};
    std::vector<interval<T>> parts(a.intervals.size() + b.intervals.size());
    std::merge(a.intervals.begin(), a.intervals.end(), b.intervals.begin(), b.intervals.end(),
               parts.begin(), [](const auto& p, const auto& q) { return p.low < q.low; });
    for (const interval<T>& part : parts) {
        const bool goes_on =
            !all.intervals.empty() &&
            (part.low <= all.intervals.back().high || part.low == above(all.intervals.back().high));
        if (goes_on) {
            all.intervals.back().high = std::max(all.intervals.back().high, part.high);
        } else {
            all.intervals.push_back(part);
        }
    }
    return all;
}

/// The numbers for which both hold.
template <number T>
condition<T> both(const condition<T>& a, const condition<T>& b) {
    return complement(either(complement(a), complement(b)));
}

}  // namespace lookback::table
