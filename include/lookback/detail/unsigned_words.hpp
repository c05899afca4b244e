/// \file
/// Unsigned integers by their size.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lookback::detail {

// The standard library does not count these as integers when extensions are off.
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

template <std::size_t bytes>
struct word_of_bytes {};
template <>
struct word_of_bytes<1> {
    using type = std::uint8_t;
};
template <>
struct word_of_bytes<2> {
    using type = std::uint16_t;
};
template <>
struct word_of_bytes<4> {
    using type = std::uint32_t;
};
template <>
struct word_of_bytes<8> {
    using type = std::uint64_t;
};
template <>
struct word_of_bytes<16> {
    using type = uint128;
};
/// The unsigned integer of 1, 2, 4, 8 or 16 bytes.
template <std::size_t bytes>
using unsigned_word = typename word_of_bytes<bytes>::type;

}  // namespace lookback::detail
