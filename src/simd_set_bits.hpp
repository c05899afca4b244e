// The numbers of the bits that are set in a byte: what vectors are compacted by. (Highway has such
// tables too, but inside of functions, where GCC 12 copies all of one to the stack for each vector:
// 100 to 240 ns a block of 64 items instead of 4 to 19. Of 4 bytes, looking up is faster than the
// instruction of AVX-512, too: docs/tuning_log.md.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lookback::detail {

struct set_bits_table {
    using numbers = std::array<std::uint8_t, 8>;  // ascending; then zeros
    alignas(64) std::array<numbers, 256> of{};
    std::array<numbers, 16> pairs_of{};  // for each bit of four two numbers, of halves of an item
    numbers behind{};                    // the last may be read with 16 bytes
};

inline constexpr set_bits_table set_bits = [] {
    set_bits_table table;
    for (unsigned byte = 0; byte < 256; ++byte) {
        std::size_t found = 0;
        for (std::uint8_t bit = 0; bit < 8; ++bit) {
            if (((byte >> bit) & 1) == 0) continue;
            if (byte < 16) {
                table.pairs_of[byte][2 * found] = static_cast<std::uint8_t>(2 * bit);
                table.pairs_of[byte][2 * found + 1] = static_cast<std::uint8_t>(2 * bit + 1);
            }
            table.of[byte][found++] = bit;
        }
    }
    return table;
}();

}  // namespace lookback::detail
