/// \file
/// Folds and scans of integers of 1 or 2 bytes that lie packed in words of 4 bytes: sums, minima,
/// maxima, bitwise and, or, exclusive or. One instruction folds two pairs of numbers of 16 bits;
/// the bytes of a word are scanned as two such pairs.
///
/// Cost in instructions a word: sums 1 for the fold of a whole chunk, and 8 for the prefix sums of
/// bytes, 3 for those of 16 bits; the other operators 3 and 9 for bytes, 1 and 4 for 16 bits. (One
/// number after the other, a sum takes 8 and 11 for bytes, 4 and 5 for 16 bits.) Some 6 more where
/// a row begins in a warp; 1 to 5 by places.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

#include "lookback/detail/device/machine.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail::device {

/// How words of numbers of type `A` are folded. A pair is a word of two numbers of 16 bits. Folded
/// with `identity`, a number stays as it is.
template <class A>
struct packed_sum {
    static constexpr bool is_sum = true, is_ordered = false;
    static constexpr A identity = 0;
    // Where the lower number overflows, the upper one is 1 too large.
    __device__ static std::uint32_t pairs(std::uint32_t a, std::uint32_t b) { return a + b; }
};
template <class A>
struct packed_minimum {
    static constexpr bool is_sum = false, is_ordered = true;
    static constexpr A identity = std::numeric_limits<A>::max();
    __device__ static std::uint32_t pairs(std::uint32_t a, std::uint32_t b) {
        return least_pairs<std::is_signed_v<A>>(a, b);
    }
};
template <class A>
struct packed_maximum {
    static constexpr bool is_sum = false, is_ordered = true;
    static constexpr A identity = std::numeric_limits<A>::min();
    __device__ static std::uint32_t pairs(std::uint32_t a, std::uint32_t b) {
        return greatest_pairs<std::is_signed_v<A>>(a, b);
    }
};
/// A bitwise operator, which folds all bits of a word as it folds those of a number.
template <class A, class Op, A identity_>
struct packed_bits {
    static constexpr bool is_sum = false, is_ordered = false;
    static constexpr A identity = identity_;
    __device__ static std::uint32_t pairs(std::uint32_t a, std::uint32_t b) { return Op{}(a, b); }
};

// Whether an operator that computes in V (void: in the type of its operands) keeps all bits, or the
// order, of numbers of type A.
template <class V, class A>
inline constexpr bool keeps_bits =
    std::is_same_v<V, A> ||
    (std::is_integral_v<V> && !std::is_same_v<V, bool> && sizeof(V) >= sizeof(A));
template <class A>
inline constexpr bool keeps_bits<void, A> = true;
template <class V, class A>
inline constexpr bool keeps_order =
    keeps_bits<V, A> &&
    static_cast<V>(std::numeric_limits<A>::min()) < static_cast<V>(std::numeric_limits<A>::max());
template <class A>
inline constexpr bool keeps_order<void, A> = true;

// The way to fold packed numbers of type A by `Op`; void where there is none.
template <class Op, class A>
struct packed_fold_of {
    using type = void;
};
template <class V, class A>
struct packed_fold_of<plus<V>, A>
    : std::conditional<keeps_bits<V, A> && !std::is_same_v<A, bool>, packed_sum<A>, void> {};
template <class V, class A>
struct packed_fold_of<std::plus<V>, A> : packed_fold_of<plus<V>, A> {};
template <class V, class A>
struct packed_fold_of<minimum<V>, A>
    : std::conditional<keeps_order<V, A>, packed_minimum<A>, void> {};
template <class V, class A>
struct packed_fold_of<maximum<V>, A>
    : std::conditional<keeps_order<V, A>, packed_maximum<A>, void> {};
template <class V, class A>
struct packed_fold_of<bit_and<V>, A>
    : std::conditional<keeps_bits<V, A>, packed_bits<A, bit_and<>, static_cast<A>(-1)>, void> {};
template <class V, class A>
struct packed_fold_of<bit_or<V>, A>
    : std::conditional<keeps_bits<V, A>, packed_bits<A, bit_or<>, A{0}>, void> {};
template <class V, class A>
struct packed_fold_of<bit_xor<V>, A>
    : std::conditional<keeps_bits<V, A>, packed_bits<A, bit_xor<>, A{0}>, void> {};

/// The way to scan numbers packed in words, or void: items, accumulators and results have to be
/// integers of one size, 1 or 2 bytes, so that conversions between them change no bits (to bool,
/// only from bool).
template <class Op, class A, class In = A, class Out = A>
using packed_fold =
    typename std::conditional_t<std::integral<A> && std::integral<In> && std::integral<Out> &&
                                    sizeof(A) <= 2 && sizeof(In) == sizeof(A) &&
                                    sizeof(Out) == sizeof(A) &&
                                    std::is_same_v<In, bool> >= std::is_same_v<A, bool> &&
                                    std::is_same_v<A, bool> >= std::is_same_v<Out, bool>,
                                packed_fold_of<Op, A>, packed_fold_of<void, A>>::type;

/// The number in all places of a word: four times if it has 1 byte, else twice.
template <class A>
LOOKBACK_HD constexpr std::uint32_t in_all_places(A number) {
    return sizeof(A) == 1 ? static_cast<std::uint8_t>(number) * 0x01010101U
                          : static_cast<std::uint16_t>(number) * 0x00010001U;
}

/// Folds a word into `sum`, which holds several partial folds: see folded.
template <class Fold, class A>
__device__ std::uint32_t fold_word(std::uint32_t word, std::uint32_t sum) {
    if constexpr (Fold::is_sum) {
        return sizeof(A) == 1 ? dot4(word, 0x01010101U, sum) : dot2(word, 0x0101U, sum);
    } else if constexpr (sizeof(A) == 1) {
        // The upper byte of a pair's number decides, whatever the lower one is.
        return Fold::pairs(sum, Fold::pairs(word, word << 8));
    } else {
        return Fold::pairs(sum, word);
    }
}
/// The fold of all partial folds of `sum`.
template <class Fold, class A>
__device__ A folded(std::uint32_t sum) {
    if constexpr (Fold::is_sum) return static_cast<A>(sum);
    return static_cast<A>(Fold::pairs(sum, sum << 16) >> (32 - 8 * sizeof(A)));
}

/// Folds each number of `a` with the number at its place in `b`.
template <class Fold, class A>
__device__ std::uint32_t fold_places(std::uint32_t a, std::uint32_t b) {
    if constexpr (Fold::is_sum) {
        // The highest bits are added without carries, which would go into the next number.
        constexpr std::uint32_t highest = sizeof(A) == 1 ? 0x80808080U : 0x80008000U;
        return ((a & ~highest) + (b & ~highest)) ^ ((a ^ b) & highest);
    } else if constexpr (sizeof(A) == 1 && Fold::is_ordered) {
        // The upper byte of a pair's number decides, whatever the lower one is.
        return pick_bytes(Fold::pairs(a << 8, b << 8), Fold::pairs(a, b), 0x7351);
    } else {
        return Fold::pairs(a, b);
    }
}

/// The bits of a word that its first `count` numbers have, at least none and at most all. Backward,
/// the highest number of a word comes first, and that of the last word first of all, here and
/// below.
template <class A, bool backward>
__device__ std::uint32_t first_numbers(int count) {
    constexpr int size = sizeof(A), per_word = 4 / size;
    const int bits = count < 0 ? 0 : count < per_word ? 8 * size * count : 32;
    return static_cast<std::uint32_t>(backward ? ~(0xFFFFFFFFULL >> bits)
                                               : ~(0xFFFFFFFFULL << bits));
}
/// `word` with the numbers outside `bits` left out.
template <class Fold>
__device__ std::uint32_t only(std::uint32_t word, std::uint32_t bits) {
    return (word & bits) | (in_all_places(Fold::identity) & ~bits);
}

/// Leaves out the first `count` numbers of `words` words.
template <class Fold, class A, bool backward, int words>
__device__ void leave_out(std::uint32_t* word, int count) {
    constexpr int per_word = 4 / static_cast<int>(sizeof(A));
#pragma unroll
    for (int i = 0; i < words; ++i) {
        std::uint32_t& numbers = word[backward ? words - 1 - i : i];
        numbers = only<Fold>(numbers, ~first_numbers<A, backward>(count - per_word * i));
    }
}

/// The fold of the first `count` numbers of `words` words.
template <class Fold, class A, bool backward, int words>
__device__ A fold_words(const std::uint32_t* word, int count) {
    constexpr int per_word = 4 / static_cast<int>(sizeof(A));
    std::uint32_t sum = in_all_places(Fold::identity);
    if (count >= per_word * words) {
#pragma unroll
        for (int i = 0; i < words; ++i) sum = fold_word<Fold, A>(word[i], sum);
    } else {
#pragma unroll
        for (int i = 0; i < words; ++i) {
            const int left = count - per_word * (backward ? words - 1 - i : i);
            sum = fold_word<Fold, A>(only<Fold>(word[i], first_numbers<A, backward>(left)), sum);
        }
    }
    return folded<Fold, A>(sum);
}

/// Prefix folds of the numbers of words, one word after another.
template <class Fold, class A, bool is_exclusive, bool backward>
class word_scan {
 public:
    /// `before`: the fold of all numbers before the first word.
    __device__ explicit word_scan(A before)
        : running_(sizeof(A) == 1 ? pair_of(before) : static_cast<std::uint16_t>(before)) {}

    /// The prefix folds of the numbers of the next word.
    __device__ std::uint32_t next(std::uint32_t word) {
        if constexpr (sizeof(A) == 1) return next_bytes(word);
        if constexpr (sizeof(A) == 2) return next_pair(word);
    }

 private:
    // Above a byte in a pair is 0, or its sign.
    static constexpr bool has_sign = std::is_signed_v<A> && !Fold::is_sum;
    __device__ static constexpr std::uint32_t pair_of(A number) {
        return has_sign ? static_cast<std::uint16_t>(number) * 0x00010001U
                        : static_cast<std::uint8_t>(number) * 0x00010001U;
    }
    __device__ static std::uint32_t pair_of_bytes(std::uint32_t bytes, std::uint32_t which) {
        return has_sign ? pick_bytes_or_signs(bytes, 0, which) : pick_bytes(bytes, 0, which);
    }

    __device__ std::uint32_t next_bytes(std::uint32_t bytes) {
        // For pick_bytes. The first two take two bytes of a word, in the order of the scan, as a
        // pair. The third moves a pair's lower number up. The fourth makes a word of the low bytes
        // of two pairs. The last takes the upper number twice.
        constexpr std::uint32_t first_and_third =
            has_sign ? (backward ? 0x91B3 : 0xA280) : (backward ? 0x4143 : 0x4240);
        constexpr std::uint32_t second_and_fourth =
            has_sign ? (backward ? 0x80A2 : 0xB391) : (backward ? 0x4042 : 0x4341);
        constexpr std::uint32_t lower_number_up = 0x1054;
        constexpr std::uint32_t all_four = backward ? 0x0426 : 0x6240;
        constexpr std::uint32_t upper_number_twice = Fold::is_sum ? 0x4242 : 0x3232;
        const std::uint32_t a = pair_of_bytes(bytes, first_and_third);
        const std::uint32_t b = pair_of_bytes(bytes, second_and_fourth);
        const std::uint32_t both = Fold::pairs(a, b);
        // No number of a sum exceeds 5 * 255, so none runs over into the other.
        const std::uint32_t before_a = Fold::pairs(
            Fold::identity == 0 ? both << 16
                                : pick_bytes(both, pair_of(Fold::identity), lower_number_up),
            running_);
        const std::uint32_t before_b = Fold::pairs(before_a, a);
        const std::uint32_t after_b = Fold::pairs(before_b, b);
        running_ = pick_bytes(after_b, 0, upper_number_twice);
        return is_exclusive ? pick_bytes(before_a, before_b, all_four)
                            : pick_bytes(before_b, after_b, all_four);
    }
    // What lies above 16 bits of running_ and of these folds does not matter.
    __device__ std::uint32_t next_pair(std::uint32_t pair) {
        // For pick_bytes: a word of the low halves of two words, in the order of the scan.
        constexpr std::uint32_t both = backward ? 0x1054 : 0x5410;
        const std::uint32_t before = running_;
        const std::uint32_t after_first = Fold::pairs(before, backward ? pair >> 16 : pair);
        running_ = Fold::is_sum ? fold_word<Fold, A>(pair, before)
                                : Fold::pairs(after_first, backward ? pair : pair >> 16);
        return is_exclusive ? pick_bytes(before, after_first, both)
                            : pick_bytes(after_first, running_, both);
    }

    std::uint32_t running_;  // bytes: a pair of equal numbers
};

/// Replaces the numbers of `words` words by their prefix folds, which begin with `before`.
template <class Fold, class A, bool is_exclusive, bool backward, int words>
__device__ void scan_words(std::uint32_t* word, A before) {
    word_scan<Fold, A, is_exclusive, backward> scan(before);
#pragma unroll
    for (int i = 0; i < words; ++i) {
        std::uint32_t& numbers = word[backward ? words - 1 - i : i];
        numbers = scan.next(numbers);
    }
}

/// The same where number `head`, if there are so many, begins a row with the fold `start`.
template <class Fold, class A, bool is_exclusive, bool backward, int words>
__device__ void scan_words(std::uint32_t* word, A before, int head, A start) {
    constexpr int per_word = 4 / static_cast<int>(sizeof(A));
    const std::uint32_t earlier = first_numbers<A, backward>(head % per_word);
    word_scan<Fold, A, is_exclusive, backward> scan(before), old = scan;
    std::uint32_t both_rows = 0;
#pragma unroll
    for (int i = 0; i < words; ++i) {
        std::uint32_t& numbers = word[backward ? words - 1 - i : i];
        if (i == head / per_word) {
            both_rows = numbers;
            numbers = only<Fold>(numbers, ~earlier);
            old = scan;
            scan = word_scan<Fold, A, is_exclusive, backward>(start);
        }
        numbers = scan.next(numbers);
    }
    const std::uint32_t of_old = old.next(both_rows);
#pragma unroll
    for (int i = 0; i < words; ++i) {
        std::uint32_t& numbers = word[backward ? words - 1 - i : i];
        if (i == head / per_word) numbers = (numbers & ~earlier) | (of_old & earlier);
    }
}

}  // namespace lookback::detail::device
