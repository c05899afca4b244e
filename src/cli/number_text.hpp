/// \file
/// One number as text: what a word is for a type, and why it is none.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "dtype.hpp"
#include "error.hpp"

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
