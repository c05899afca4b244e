/// \file
/// The word of a key: an unsigned integer. Words have the same order as their keys, so code that
/// sorts words by their bits sorts keys of any type.
///
///     unsigned     the word is the key
///     signed       the key with its sign bit flipped
///     float        a negative key: all bits flipped; otherwise the sign bit flipped. Then the
///                  number of negative NaNs is subtracted modulo 2^w, which moves them to the end:
///                  -infinity is 0, -0 comes right before +0, and every NaN after +infinity
///     descending   the complement of that: equal keys keep their order, NaNs come first
///
/// Each key has one word, and each word belongs to one key, so data may be moved in either form. An
/// enumeration has the words of its underlying integer type. bool and characters are integers.
#pragma once

#include <concepts>
#include <limits>
#include <type_traits>

#include "lookback/detail/half.hpp"
#include "lookback/detail/portability.hpp"
#include "lookback/detail/unsigned_words.hpp"

namespace lookback {
namespace detail {

template <class T>
inline constexpr bool is_integer_key =
    std::integral<T> || std::same_as<T, int128> || std::same_as<T, uint128>;
template <class T>
inline constexpr bool is_float_key =
    is_half<T> || (std::floating_point<T> && std::numeric_limits<T>::is_iec559 &&
                   (sizeof(T) == 4 || sizeof(T) == 8));

}  // namespace detail

/// The types of keys: integers of up to 16 bytes, enumerations of such integers, floats of 2, 4 or
/// 8 bytes (of 2: _Float16; compiled by nvcc __half and __nv_bfloat16 instead).
template <class T>
concept sort_key = detail::is_integer_key<T> || detail::is_float_key<T> || std::is_enum_v<T>;

namespace detail {

/// The type of a key's word.
template <sort_key Key>
using key_word = unsigned_word<sizeof(Key)>;
template <class Word>
inline constexpr int word_bits = 8 * static_cast<int>(sizeof(Word));

/// Converts the bits of a key to its word and back: one formula for all types and both directions.
template <class Word>
struct key_code {
    Word flip_negative;  ///< flipped in keys whose sign bit is set
    Word flip_positive;  ///< flipped in other keys
    Word negative_nans;  ///< their number
    Word flip_word;      ///< all bits for a descending order, none for an ascending one

    LOOKBACK_HD constexpr Word word(Word bits) const {
        const Word rising = static_cast<Word>(bits ^ flip(bits, flip_positive, flip_negative));
        return static_cast<Word>(static_cast<Word>(rising - negative_nans) ^ flip_word);
    }
    LOOKBACK_HD constexpr Word bits(Word of) const {
        const Word rising = static_cast<Word>(static_cast<Word>(of ^ flip_word) + negative_nans);
        // Where the two flips differ, the sign bit was flipped too.
        return static_cast<Word>(rising ^ flip(rising, flip_negative, flip_positive));
    }
    LOOKBACK_HD constexpr bool changes_nothing() const {
        return (flip_negative | flip_positive | negative_nans | flip_word) == 0;
    }

 private:
    // Without a branch: no processor can predict a branch on random signs.
    LOOKBACK_HD static constexpr Word flip(Word word, Word where_clear, Word where_set) {
        const Word is_set = static_cast<Word>(Word{0} - (word >> (word_bits<Word> - 1)));
        return static_cast<Word>(where_clear ^ ((where_clear ^ where_set) & is_set));
    }
};

template <sort_key Key>
LOOKBACK_HD constexpr key_code<key_word<Key>> key_code_of(bool descending) {
    using word = key_word<Key>;
    constexpr word none = 0, all = static_cast<word>(~none);
    constexpr word sign = static_cast<word>(word{1} << (word_bits<word> - 1));
    const word flip = descending ? all : none;
    if constexpr (std::is_enum_v<Key>) {
        return key_code_of<std::underlying_type_t<Key>>(descending);
    } else if constexpr (is_float_key<Key>) {
        constexpr int digits = is_half<Key> ? half_digits<Key> : std::numeric_limits<Key>::digits;
        constexpr int mantissa = digits - 1;
        return {all, sign, static_cast<word>((word{1} << mantissa) - 1), flip};
    } else if constexpr (static_cast<Key>(-1) < static_cast<Key>(0)) {
        return {sign, sign, none, flip};
    } else {
        return {none, none, none, flip};
    }
}

/// The bits of a key as they lie in memory, and the key with given bits.
template <sort_key Key>
LOOKBACK_HD constexpr key_word<Key> bits_of_key(Key key) {
    if constexpr (is_float_key<Key>) {
        return __builtin_bit_cast(key_word<Key>, key);
    } else {
        return static_cast<key_word<Key>>(key);
    }
}
template <sort_key Key>
LOOKBACK_HD constexpr Key key_of_bits(key_word<Key> bits) {
    if constexpr (is_float_key<Key>) {
        return __builtin_bit_cast(Key, bits);
    } else {
        return static_cast<Key>(bits);
    }
}

template <sort_key Key>
LOOKBACK_HD constexpr key_word<Key> word_of_key(Key key, bool descending = false) {
    return key_code_of<Key>(descending).word(detail::bits_of_key(key));
}
template <sort_key Key>
LOOKBACK_HD constexpr Key key_of_word(key_word<Key> word, bool descending = false) {
    return detail::key_of_bits<Key>(key_code_of<Key>(descending).bits(word));
}

}  // namespace detail
}  // namespace lookback
