/// \file
/// Where a real number, as it is written, lies among the numbers of a type. So the numbers of that
/// type can be compared with it as real numbers.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "table/condition.hpp"
#include "text.hpp"

namespace lookback::cli {

/// The largest number of the type that is less, the number that is equal, and the smallest number
/// that is greater.
template <number T>
struct place {
    std::optional<T> below, equal, above;
};

/// A number as written: 0.DIGITS times 10^point.
struct decimal {
    bool is_negative = false;
    bool is_whole = true;  ///< written without a point or an exponent
    std::string digits;    ///< without zeros at both ends; empty for 0
    std::int64_t point = 0;

    bool has_fraction() const { return static_cast<std::int64_t>(digits.size()) > point; }
    /// The part before the point; nothing if it is 10^20 or more.
    std::optional<std::uint64_t> whole_part() const;
};

/// Nothing if the text is no number; inf and nan are not numbers here.
std::optional<decimal> read_decimal(std::string_view text);

/// The place of an exact number among integers.
template <number T>
place<T> place_of(const decimal& exact) {
    constexpr T lowest = std::numeric_limits<T>::lowest(), highest = std::numeric_limits<T>::max();
    const std::optional<std::uint64_t> size = exact.whole_part();
    const auto most = exact.is_negative ? std::uint64_t{0} - static_cast<std::uint64_t>(lowest)
                                        : static_cast<std::uint64_t>(highest);
    if (!size || *size > most) {
        return exact.is_negative ? place<T>{.below = {}, .equal = {}, .above = lowest}
                                 : place<T>{.below = highest, .equal = {}, .above = {}};
    }
    const auto whole = static_cast<T>(exact.is_negative ? std::uint64_t{0} - *size : *size);
    place<T> is;
    if (whole != lowest) is.below = static_cast<T>(whole - 1);
    if (whole != highest) is.above = static_cast<T>(whole + 1);
    if (!exact.has_fraction()) {
        is.equal = whole;
    } else {
        (exact.is_negative ? is.above : is.below) = whole;
    }
    return is;
}

/// The place of a number that has the type itself.
template <number T>
place<T> place_of(T x) {
    place<T> is{.below = {}, .equal = x, .above = {}};
    if (x != lowest_number<T>) is.below = below(x);
    if (x != highest_number<T>) is.above = above(x);
    return is;
}

/// The place of a written number among floats. With a point or an exponent it means the nearest
/// float, as in the text of an input: 0.1 means the float that is printed as 0.1. Whole numbers are
/// exact.
template <number T>
place<T> place_of(const decimal& exact, std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    T x = 0;
    const auto found = std::from_chars(text.data(), text.data() + text.size(), x);
    if (found.ec == std::errc::result_out_of_range && exact.point > 0) {
        constexpr T most = std::numeric_limits<T>::max();
        return exact.is_negative ? place<T>{.below = lowest_number<T>, .equal = {}, .above = -most}
                                 : place<T>{.below = most, .equal = {}, .above = highest_number<T>};
    }
    place<T> is = place_of(x);
    if (!exact.is_whole) return is;
    char digits[400];  // the largest double has 309 digits
    const auto end =
        std::to_chars(digits, digits + sizeof(digits), x, std::chars_format::fixed).ptr;
    const std::optional<decimal> rounded = read_decimal({digits, end});
    const auto size = [](const decimal& d) {
        return std::pair(d.point, std::string_view(d.digits));
    };
    if (size(*rounded) == size(exact)) return is;
    const bool is_too_large = (size(*rounded) > size(exact)) != exact.is_negative;
    (is_too_large ? is.above : is.below) = x;
    is.equal.reset();
    return is;
}

}  // namespace lookback::cli
