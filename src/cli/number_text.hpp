/// \file
/// One number as text: what a word is for a type, and why it is none.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cfenv>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "dtype.hpp"
#include "error.hpp"
#include "half.hpp"

namespace lookback::cli {

enum class verdict { good, not_a_number, not_an_integer, out_of_range };

template <class T>
verdict read_number(std::string_view token, T& value) {
    // from_chars knows no plus sign.
    if (token.size() > 1 && token[0] == '+' && token[1] != '-') token.remove_prefix(1);
    // Nor a minus sign before unsigned numbers, where 0 is the one that may have it.
    if (std::is_unsigned_v<T> && token.size() > 1 && token[0] == '-' &&
        token.find_first_not_of('0', 1) == token.npos) {
        value = 0;
        return verdict::good;
    }
    const char* end = token.data() + token.size();
    const auto [stop, problem] = std::from_chars(token.data(), end, value);
    if constexpr (std::is_integral_v<T>) {
        if (problem == std::errc::result_out_of_range && stop == end) return verdict::out_of_range;
        if (problem == std::errc{} && stop == end) return verdict::good;
        double real = 0;  // to tell 1.5, -1 and 1e3 from what is no number at all
        if (read_number(token, real) == verdict::not_a_number) return verdict::not_a_number;
        const bool is_negative_integer = token.size() > 1 && token[0] == '-' &&
                                         std::all_of(token.begin() + 1, token.end(),
                                                     [](char c) { return c >= '0' && c <= '9'; });
        return is_negative_integer ? verdict::out_of_range : verdict::not_an_integer;
    } else {
        if (stop != end) return verdict::not_a_number;
        if (problem == std::errc{}) return verdict::good;
        if (problem != std::errc::result_out_of_range) return verdict::not_a_number;
        // Too large, or so small that it is 0: the C library tells which.
        const double real = std::strtod(std::string(token).c_str(), nullptr);
        if (std::abs(real) > 1) return verdict::out_of_range;
        value = static_cast<T>(real);
        return verdict::good;
    }
}

/// The float16 that is nearest to the number `token`, rounded once. `value` is the nearest float,
/// which may lie half way between two float16 where the number does not: then the number is read
/// again, as the odd one of the two floats around it, which does not. Source: Boldo & Melquiond
/// 2008, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd".
inline float nearest_half(std::string_view token, float value) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const std::uint16_t half = to_half(value);
    const bool is_near_middle =
        to_half(std::nextafter(value, -infinity)) != to_half(std::nextafter(value, infinity));
    if (value == 0 || !is_near_middle) return to_float(half);
    const std::string text(token);
    const auto rounded = [&](int mode) {
        const int usual = std::fegetround();
        std::fesetround(mode);
        const float number = std::strtof(text.c_str(), nullptr);
        std::fesetround(usual);
        return number;
    };
    const float low = rounded(FE_DOWNWARD), high = rounded(FE_UPWARD);
    return to_float(to_half(std::bit_cast<std::uint32_t>(low) % 2 == 1 ? low : high));
}

template <class T>
std::string explain(verdict why, std::string_view token) {
    switch (why) {
        case verdict::out_of_range:
            return fmt::format("{} is out of range for {}; expected {} to {}", quoted(token),
                               name(dtype_of<T>()), std::numeric_limits<T>::lowest(),
                               std::numeric_limits<T>::max());
        case verdict::not_an_integer:
            return fmt::format("{} is not an integer; expected {}", quoted(token),
                               name(dtype_of<T>()));
        default: return fmt::format("{} is not a number", quoted(token));
    }
}

}  // namespace lookback::cli
