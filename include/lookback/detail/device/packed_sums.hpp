/// \file
/// Sums of bytes four at a time. A word of four bytes is added up by one instruction, and turned
/// into four prefixes in two words that hold the even and the odd bytes with 8 bits of room each.
///
/// Cost: 1 instruction a word for a sum, 8 for prefixes. (One byte after the other takes 8 and 11.)
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/machine.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail::device {

/// Sums of these are sums modulo 256, in whatever order they are added.
template <class T>
concept byte_number = std::integral<T> && sizeof(T) == 1 && !std::same_as<T, bool>;

/// Whether `Op` adds values of type A, and items of type In become such values, and these results of
/// type Out, without a change of their bytes.
template <class Op, class A, class In, class Out>
inline constexpr bool adds_bytes = false;
template <class V, byte_number A, class In, byte_number Out>
inline constexpr bool adds_bytes<plus<V>, A, In, Out> =
    std::integral<In> && sizeof(In) == 1 && computes_in_integers<V> && !std::is_same_v<V, bool>;

/// The sum of the first `count` bytes of `words` words, or of all if there are not more. Backward,
/// the highest byte of the last word comes first, here and below.
template <bool backward, int words>
__device__ std::uint32_t sum_of_bytes(const std::uint32_t* word, int count) {
    std::uint32_t sum = 0;
    if (count >= 4 * words) {
#pragma unroll
        for (int i = 0; i < words; ++i) sum = dot4(word[i], 0x01010101U, sum);
    } else {
#pragma unroll
        for (int i = 0; i < words; ++i) {
            const int left = count - 4 * (backward ? words - 1 - i : i);
            const int bits = left < 0 ? 0 : left < 4 ? 8 * left : 32;
            const auto behind = static_cast<std::uint32_t>(0xFFFFFFFFULL << bits);
            const auto before = static_cast<std::uint32_t>(0xFFFFFFFFULL >> bits);
            sum = dot4(word[i] & ~(backward ? before : behind), 0x01010101U, sum);
        }
    }
    return sum;
}

/// Replaces the bytes of `words` words by their prefix sums, which begin with `before`.
template <bool is_exclusive, bool backward, int words>
__device__ void scan_bytes(std::uint32_t* word, std::uint8_t before) {
    // Two bytes as numbers of 16 bits, and the bytes of two such pairs as one word.
    constexpr std::uint32_t first_and_third = backward ? 0x4143 : 0x4240;
    constexpr std::uint32_t second_and_fourth = backward ? 0x4042 : 0x4341;
    constexpr std::uint32_t all_four = backward ? 0x0426 : 0x6240;
    constexpr std::uint32_t last_twice = 0x4242;
    std::uint32_t running = before * 0x00010001U;
#pragma unroll
    for (int i = 0; i < words; ++i) {
        std::uint32_t& bytes = word[backward ? words - 1 - i : i];
        const std::uint32_t a = pick_bytes(bytes, 0, first_and_third);
        const std::uint32_t b = pick_bytes(bytes, 0, second_and_fourth);
        // No number exceeds 5 * 255, so none runs over into the other.
        const std::uint32_t before_a = ((a + b) << 16) + running;
        const std::uint32_t before_b = before_a + a;
        const std::uint32_t behind_b = before_b + b;
        bytes = is_exclusive ? pick_bytes(before_a, before_b, all_four)
                             : pick_bytes(before_b, behind_b, all_four);
        running = pick_bytes(behind_b, 0, last_twice);
    }
}

}  // namespace lookback::detail::device
