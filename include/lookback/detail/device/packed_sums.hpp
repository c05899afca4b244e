/// \file
/// Sums of bytes four at a time. A word of four bytes is added up by one instruction. Its four
/// prefix sums are computed as two pairs of numbers of 16 bits.
///
/// Cost: 1 instruction a word for the sum of a whole chunk, 8 for prefix sums. (One byte after the
/// other takes 8 and 11.)
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

/// Whether `Op` adds bytes modulo 256: items, accumulators and results are integers of one byte, so
/// conversions between them change no bits.
template <class Op, class A, class In, class Out>
inline constexpr bool adds_bytes = false;
template <class V, byte_number A, class In, byte_number Out>
inline constexpr bool adds_bytes<plus<V>, A, In, Out> =
    std::integral<In> && sizeof(In) == 1 && computes_in_integers<V> && !std::is_same_v<V, bool>;

/// The sum of the first `count` bytes of `words` words: of none if `count` is negative, of all if
/// there are not more. Backward, the highest byte of the last word comes first, here and below.
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
            const auto left_out = static_cast<std::uint32_t>(backward ? 0xFFFFFFFFULL >> bits
                                                                      : 0xFFFFFFFFULL << bits);
            sum = dot4(word[i] & ~left_out, 0x01010101U, sum);
        }
    }
    return sum;
}

/// Replaces the bytes of `words` words by their prefix sums, which begin with `before`.
template <bool is_exclusive, bool backward, int words>
__device__ void scan_bytes(std::uint32_t* word, std::uint8_t before) {
    // For pick_bytes. The first two take two bytes of a word, in the order of the scan, as two
    // numbers of 16 bits. The third makes a word of the low bytes of two such pairs. The last takes
    // the low byte of the upper number for both numbers.
    constexpr std::uint32_t first_and_third = backward ? 0x4143 : 0x4240;
    constexpr std::uint32_t second_and_fourth = backward ? 0x4042 : 0x4341;
    constexpr std::uint32_t all_four = backward ? 0x0426 : 0x6240;
    constexpr std::uint32_t fourth_twice = 0x4242;
    std::uint32_t running = before * 0x00010001U;
#pragma unroll
    for (int i = 0; i < words; ++i) {
        std::uint32_t& bytes = word[backward ? words - 1 - i : i];
        const std::uint32_t a = pick_bytes(bytes, 0, first_and_third);
        const std::uint32_t b = pick_bytes(bytes, 0, second_and_fourth);
        // No number exceeds 5 * 255, so none runs over into the other.
        const std::uint32_t before_a = ((a + b) << 16) + running;
        const std::uint32_t before_b = before_a + a;
        const std::uint32_t after_b = before_b + b;
        bytes = is_exclusive ? pick_bytes(before_a, before_b, all_four)
                             : pick_bytes(before_b, after_b, all_four);
        running = pick_bytes(after_b, 0, fourth_twice);
    }
}

}  // namespace lookback::detail::device
