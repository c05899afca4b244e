/// \file
/// Means and variances from the sums over windows, on the CPU and on GPUs.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/portability.hpp"
#include "lookback/pixel.hpp"

namespace lookback::detail {

/// x to the nearest integer, ties to even; |x| < 2^51.
template <class To>
LOOKBACK_HD constexpr To rounded(double x) {
    constexpr double shift = 6755399441055744.0;  // 1.5 * 2^52: the nearest doubles are integers
    return static_cast<To>((x + shift) - shift);
}

/// sum / items: unrounded for outputs of floats, rounded to nearest, ties to even, for integers.
/// (For sums of less than 2^51 the quotient of doubles is a tie exactly when the true quotient is.)
template <class To, class Sum>
LOOKBACK_HD constexpr To mean_of(const Sum& sum, std::int64_t items) {
    if constexpr (!std::is_same_v<channel_type<Sum>, Sum>) {
        To mean{};
        for (int k = 0; k < channels_of<Sum>::channels; ++k) {
            mean.channel[k] = detail::mean_of<channel_type<To>>(sum.channel[k], items);
        }
        return mean;
    } else if constexpr (std::is_floating_point_v<To>) {
        return static_cast<To>(static_cast<double>(sum) / static_cast<double>(items));
    } else if constexpr (std::is_floating_point_v<Sum>) {
        return detail::rounded<To>(sum / static_cast<double>(items));
    } else {
        constexpr auto exact = static_cast<Sum>(std::int64_t{1} << (sizeof(Sum) < 8 ? 30 : 51));
        if (sizeof(Sum) < 8 ||
            (sum < exact && (std::is_unsigned_v<Sum> || sum > subtract(Sum{}, exact)))) {
            return detail::rounded<To>(static_cast<double>(sum) / static_cast<double>(items));
        }
        // Rounds down, then up if the remainder requires it.
        const auto n = static_cast<Sum>(items);
        Sum quotient = static_cast<Sum>(sum / n), rest = static_cast<Sum>(sum % n);
        if constexpr (std::is_signed_v<Sum>) {
            if (rest < 0) {
                --quotient;
                rest += n;
            }
        }
        const bool up = rest > n - rest || (rest == n - rest && (quotient & 1) != 0);
        return static_cast<To>(up ? quotient + 1 : quotient);
    }
}

/// The nearest integer to sum * inverse. `inverse` is 1 / items, for at most most_items_by<Real>
/// items, an odd number as that of every window. The result is what mean_of returns.
///
/// For such a mean differs by at least 1 / (2 items) from the values at which rounding changes. The
/// error of the product is less than 2^-22 of the mean for floats, even if -use_fast_math made the
/// inverse, and about 2^-52 for doubles. The sum is less than 2^21 or 2^51, so the error is smaller
/// than that difference.
template <class To, class Real, class Sum>
LOOKBACK_HD constexpr To rounded_product(const Sum& sum, Real inverse) {
    if constexpr (!std::is_same_v<channel_type<Sum>, Sum>) {
        To mean{};
        for (int k = 0; k < channels_of<Sum>::channels; ++k) {
            mean.channel[k] = detail::rounded_product<channel_type<To>>(sum.channel[k], inverse);
        }
        return mean;
    } else {
        // Floats from 2^23 to 2^24, and doubles from 2^52 to 2^53, are integers, and their bits
        // differ as they do.
        using bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
        constexpr Real shift = sizeof(Real) == 4 ? Real(0x1.8p23) : Real(0x1.8p52);
        const Real shifted = static_cast<Real>(sum) * inverse + shift;
        return static_cast<To>(static_cast<std::make_signed_t<bits>>(
            __builtin_bit_cast(bits, shifted) - __builtin_bit_cast(bits, shift)));
    }
}
/// How many items of `item_bits` bits a window may have whose mean is such a product.
template <class Real>
LOOKBACK_HD constexpr std::int64_t most_items_by(int item_bits) {
    const int spare = (sizeof(Real) == 4 ? 21 : 51) - item_bits;
    return spare > 0 ? std::int64_t{1} << spare : 0;
}

/// q/n - (s/n)^2 for a window's sum s and sum of squares q; at least 0.
template <class To, class Sum, class Squares>
LOOKBACK_HD constexpr To variance_of(const Sum& sum, const Squares& squares, std::int64_t items) {
    if constexpr (!std::is_same_v<channel_type<Sum>, Sum>) {
        To variance{};
        for (int k = 0; k < channels_of<Sum>::channels; ++k) {
            variance.channel[k] =
                detail::variance_of<channel_type<To>>(sum.channel[k], squares.channel[k], items);
        }
        return variance;
    } else {
        const auto n = static_cast<double>(items);
        const double mean = static_cast<double>(sum) / n;
        const double variance = static_cast<double>(squares) / n - mean * mean;
        return static_cast<To>(variance > 0 ? variance : 0);
    }
}

}  // namespace lookback::detail
