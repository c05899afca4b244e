/// \file
/// Floats of 16 bits (IEEE 754 binary16), which are computed with as floats of 32 bits. Source:
/// Giesen 2012, "Half to float done quic", and its reverse. Multiplications and additions of floats
/// do the shifts, and so the hardware rounds.
#pragma once

#include <bit>
#include <cstdint>

namespace lookback::cli {

inline float to_float(std::uint16_t half) {
    constexpr std::uint32_t infinity = 0x1fU << 23;  // as half, shifted like the number
    const float scale = std::bit_cast<float>(std::uint32_t{(254 - 15) << 23});
    const std::uint32_t shifted = (half & 0x7fffU) << 13;
    std::uint32_t bits = std::bit_cast<std::uint32_t>(std::bit_cast<float>(shifted) * scale);
    if (shifted >= infinity) bits = shifted | 0x7f800000U;  // infinity, and NaN with its bits
    return std::bit_cast<float>(bits | (half & 0x8000U) << 16);
}

/// The nearest half. Of two that are equally near, the even one.
inline std::uint16_t to_half(float x) {
    const auto all = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t sign = all >> 16 & 0x8000U;
    const std::uint32_t bits = all & 0x7fffffffU;
    std::uint32_t half = 0;
    if (bits > 0x7f800000U) {
        half = 0x7c00U | (bits >> 13 & 0x3ffU);
        if (half == 0x7c00U) half = 0x7e00U;  // a NaN whose upper bits are all 0
    } else if (bits >= 0x477ff000U) {
        half = 0x7c00U;  // 65520 and more
    } else if (bits < 0x38800000U) {
        // Subnormal: the last bit of `least` is worth the smallest half, so the sum is rounded to
        // halves.
        const float least = std::bit_cast<float>(std::uint32_t{(127 - 15 + 23 - 10 + 1) << 23});
        half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(bits) + least) -
               std::bit_cast<std::uint32_t>(least);
    } else {
        half = (bits - 0x38000000U + 0xfffU + (bits >> 13 & 1U)) >> 13;
    }
    return static_cast<std::uint16_t>(half | sign);
}

}  // namespace lookback::cli
