// The numbers of the bits that are set in a byte: what vectors are compacted by where no
// instruction does that. (Highway has tables for it too, but inside functions, where GCC 12 copies
// all of one to the stack for each vector: 130 to 240 ns a block of 64 items instead of 6 to 20.)
#pragma once

#include <array>
#include <cstdint>

namespace lookback::detail {

struct set_bits_table {
    alignas(64) std::array<std::array<std::uint8_t, 8>, 256> of{};  // ascending; then zeros
    std::array<std::uint8_t, 8> behind{};  // the last may be read with 16 bytes
};

inline constexpr set_bits_table set_bits = [] {
    set_bits_table table;
    for (unsigned byte = 0; byte < 256; ++byte) {
        unsigned found = 0;
        for (std::uint8_t bit = 0; bit < 8; ++bit) {
            if ((byte >> bit) & 1) table.of[byte][found++] = bit;
        }
    }
    return table;
}();

}  // namespace lookback::detail
