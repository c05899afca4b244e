/// \file
/// Reads digits as a number, eight at a time, in the bytes of a word. Source: Lemire 2018, "Quickly
/// parsing eight digits" (lemire.me), after Mula.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lookback::cli {

struct short_integer {
    std::uint64_t value;
    int count;        ///< how many digits were read
    const char* end;  ///< behind the digits that were read; more digits may follow
};

/// How many bytes must be readable from the beginning of a token: a sign, 16 digits, and one byte
/// behind them.
inline constexpr std::ptrdiff_t short_integer_reach = 18;

/// Reads the digits at `at`, at most 8 or 16 of them.
template <int most = 16>
short_integer read_short_integer(const char* at) {
    static_assert(std::endian::native == std::endian::little);
    constexpr std::uint64_t powers[] = {1,      10,      100,      1000,     10000,
                                        100000, 1000000, 10000000, 100000000};
    short_integer all{0, 0, at};
    while (all.count < most) {
        std::uint64_t bytes;
        std::memcpy(&bytes, all.end, sizeof(bytes));
        bytes ^= 0x3030303030303030;  // digits become 0 to 9; the first other byte is found exactly
        const std::uint64_t others = (bytes | (bytes + 0x7676767676767676)) & 0x8080808080808080;
        const int count = others == 0 ? 8 : std::countr_zero(others) / 8;
        if (count == 0) break;
        bytes <<= 64 - 8 * count;  // as if zeros came before the digits
        bytes = bytes * 10 + (bytes >> 8);
        bytes = ((bytes & 0x000000FF000000FF) * 0x000F424000000064 +
                 ((bytes >> 16) & 0x000000FF000000FF) * 0x0000271000000001) >>
                32;
        all.value = all.value * powers[count] + (bytes & 0xFFFFFFFF);
        all.count += count;
        all.end += count;
        if (count < 8) break;
    }
    return all;
}

}  // namespace lookback::cli
