// The numbers of the set bits of a byte, by which vectors are compacted. (Highway has such tables
// too, but inside functions, where GCC 12 copies a whole table to the stack for each vector: a
// block of 64 items takes 100 to 240 ns instead of 4 to 19. For items of 4 bytes, looking up is
// also faster than the instruction of AVX-512: docs/tuning_log.md.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lookback::detail {

struct set_bits_table {
    using numbers = std::array<std::uint8_t, 8>;  // in ascending order, then zeros
    alignas(64) std::array<numbers, 256> of{};
    std::array<numbers, 16> pairs_of{};  // for each of four bits, two numbers: of an item's halves
    numbers behind{};                    // the last entry may be read with 16 bytes
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
