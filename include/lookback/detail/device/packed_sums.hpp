/// \file
/// Sums of integers of 1 or 2 bytes that lie packed in words of 4 bytes. One instruction adds up a
/// word. The prefix sums of a word of bytes are computed as two pairs of numbers of 16 bits.
///
/// Cost: 1 instruction a word for the sum of a whole chunk; 8 for the prefix sums of bytes, 3 for
/// those of 16 bits. (One number after the other takes 8 and 11 for bytes, 4 and 5 for 16 bits.)
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "lookback/detail/device/machine.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail::device {

// Whether sums that are computed in V keep all bits of integers of `size` bytes. (void: the type of
// the items.)
template <class V, std::size_t size>
inline constexpr bool holds_sums_of = std::is_integral_v<V> && sizeof(V) >= size;
template <std::size_t size>
inline constexpr bool holds_sums_of<bool, size> = false;
template <std::size_t size>
inline constexpr bool holds_sums_of<void, size> = true;
template <class Op, std::size_t size>
inline constexpr bool adds_integers_of = false;
template <class V, std::size_t size>
inline constexpr bool adds_integers_of<plus<V>, size> = holds_sums_of<V, size>;
template <class V, std::size_t size>
inline constexpr bool adds_integers_of<std::plus<V>, size> = holds_sums_of<V, size>;

/// Whether `Op` adds integers of 1 or 2 bytes, modulo 256 or 65536: items, accumulators and results
/// are integers of the same size, so conversions between them change no bits, and the order of the
/// additions does not matter.
template <class Op, class A, class In = A, class Out = A>
inline constexpr bool adds_in_words =
    std::integral<A> && std::integral<In> && std::integral<Out> && sizeof(A) <= 2 &&
    sizeof(In) == sizeof(A) && sizeof(Out) == sizeof(A) && !std::is_same_v<A, bool> &&
    !std::is_same_v<Out, bool> && adds_integers_of<Op, sizeof(A)>;

/// The sum of the numbers of `size` bytes in a word, and of `sum`.
template <int size>
__device__ std::uint32_t add_word(std::uint32_t word, std::uint32_t sum) {
    return size == 1 ? dot4(word, 0x01010101U, sum) : dot2(word, 0x0101U, sum);
}

/// The sum of the first `count` numbers of `words` words: of none if `count` is negative, of all if
/// there are not more. Backward, the highest number of the last word comes first, here and below.
template <int size, bool backward, int words>
__device__ std::uint32_t sum_of_words(const std::uint32_t* word, int count) {
    constexpr int per_word = 4 / size;
    std::uint32_t sum = 0;
    if (count >= per_word * words) {
#pragma unroll
        for (int i = 0; i < words; ++i) sum = add_word<size>(word[i], sum);
    } else {
#pragma unroll
        for (int i = 0; i < words; ++i) {
            const int left = count - per_word * (backward ? words - 1 - i : i);
            const int bits = left < 0 ? 0 : left < per_word ? 8 * size * left : 32;
            const auto left_out = static_cast<std::uint32_t>(backward ? 0xFFFFFFFFULL >> bits
                                                                      : 0xFFFFFFFFULL << bits);
            sum = add_word<size>(word[i] & ~left_out, sum);
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

/// The same for numbers of 16 bits.
template <bool is_exclusive, bool backward, int words>
__device__ void scan_pairs(std::uint32_t* word, std::uint16_t before) {
    // For pick_bytes: a word of the low halves of two numbers, in the order of the scan.
    constexpr std::uint32_t both = backward ? 0x1054 : 0x5410;
    // What lies above 16 bits of these sums does not matter.
    std::uint32_t running = before;
#pragma unroll
    for (int i = 0; i < words; ++i) {
        std::uint32_t& pair = word[backward ? words - 1 - i : i];
        const std::uint32_t after_first = running + (backward ? pair >> 16 : pair);
        const std::uint32_t after_both = add_word<2>(pair, running);
        pair = is_exclusive ? pick_bytes(running, after_first, both)
                            : pick_bytes(after_first, after_both, both);
        running = after_both;
    }
}

/// Replaces the numbers of `size` bytes in `words` words by their prefix sums, which begin with
/// `before`.
template <int size, bool is_exclusive, bool backward, int words>
__device__ void scan_words(std::uint32_t* word, std::uint32_t before) {
    if constexpr (size == 1) {
        scan_bytes<is_exclusive, backward, words>(word, static_cast<std::uint8_t>(before));
    } else {
        scan_pairs<is_exclusive, backward, words>(word, static_cast<std::uint16_t>(before));
    }
}

}  // namespace lookback::detail::device
