/// \file
/// Conditions on a number x, such as "0 <= x < 10 or isnan(x)", as predicates for the kernels.
///
/// Whatever a condition says, the numbers for which it holds are a union of intervals, and NaN or
/// not: so nothing of the text is left to interpret when it is asked of each item.
#pragma once

#include <algorithm>
#include <limits>
#include <string_view>
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
inline constexpr T highest_number = std::numeric_limits<T>::has_infinity
                                        ? std::numeric_limits<T>::infinity()
                                        : std::numeric_limits<T>::max();
template <number T>
inline constexpr T lowest_number = std::numeric_limits<T>::has_infinity
                                       ? -std::numeric_limits<T>::infinity()
                                       : std::numeric_limits<T>::lowest();

/// What `text` says: comparisons of x with numbers of type T, ranges, isnan(x), and, or, not and
/// parentheses. Throws `error` with the column; `where` is for the message.
template <number T>
condition<T> parse_condition(std::string_view text, std::string_view where);

/// What does not hold where `c` does.
template <number T>
condition<T> complement(const condition<T>& c);

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
