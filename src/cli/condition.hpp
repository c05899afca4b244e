/// \file
/// Conditions on a number x, such as "0 <= x < 10 or isnan(x)", as predicates for the kernels.
///
/// Whatever a condition says, the numbers for which it holds are a union of intervals, and NaN or
/// not: so nothing of the text is left to interpret when it is asked of each item.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "dtype.hpp"

namespace lookback::cli {

/// low <= x <= high, where low <= high.
template <number T>
struct interval {
    T low;
    T high;
};

/// The numbers that `intervals`, which rise and have numbers in between, contain, and NaN if
/// `has_nan`.
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

/// The neighbour of x among the numbers of its type. -0 and 0 are one.
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

/// What does not hold where `c` does.
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

/// What holds where `a` or `b` does.
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

/// What holds where both do.
template <number T>
condition<T> both(const condition<T>& a, const condition<T>& b) {
    return complement(either(complement(a), complement(b)));
}

/// In or, if `is_outside`, out of one interval, which is empty where low > high. No branches: a
/// loop over it takes many items at a time.
template <number T>
struct one_interval {
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

template <number T>
struct many_intervals {
    const condition<T>& is;
    bool operator()(T x) const {
        const auto above = std::upper_bound(is.intervals.begin(), is.intervals.end(), x,
                                            [](T y, const auto& i) { return y < i.low; });
        if (x != x) return is.has_nan;
        return above != is.intervals.begin() && x <= (above - 1)->high;
    }
};

/// Calls `f` with the simplest predicate that is true where `c` holds.
template <number T, class F>
decltype(auto) with_predicate(const condition<T>& c, F&& f) {
    const condition<T> others = complement(c);
    const bool is_outside = c.intervals.size() > 1;
    const condition<T>& simpler = is_outside ? others : c;
    if (simpler.intervals.size() > 1) return f(many_intervals<T>{c});
    const interval<T> i = simpler.intervals.empty()
                              ? interval<T>{highest_number<T>, lowest_number<T>}
                              : simpler.intervals.front();
    return f(one_interval<T>{i.low, i.high, is_outside, c.has_nan != is_outside});
}

}  // namespace lookback::cli
