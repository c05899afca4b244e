/// \file
/// The data of a sort on the CPU: words with the order of the keys (key_words.hpp), each with its
/// load.
///
/// The caller's keys become words when they are read, and the words become keys again at the end,
/// both in the cache. Everything in between is the same for all keys of one size, and depends only
/// on the bits of the words. A load travels with its word: it is a value, or the index of an item.
/// Load is no_array if there are none.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lookback/detail/call.hpp"
#include "lookback/detail/cpu/scratch.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/detail/key_words.hpp"
#include "lookback/sort.hpp"

namespace lookback::detail {

/// Bytes of a word and its load.
template <class Word, class Load>
inline constexpr std::size_t sorted_bytes =
    sizeof(Word) + (std::same_as<Load, no_array> ? 0 : sizeof(Load));

template <class Word, class Load>
struct sort_arrays;

/// The caller's keys and loads, as iterators. The loads may be input_positions or no_array.
template <class Key, class Load, class Keys, class Loads>
struct sort_input {
    Keys keys;
    Loads loads;
    bool descending;

    key_word<Key> word(std::size_t i) const {
        return detail::word_of_key<Key>(detail::item(keys, i), descending);
    }
    Load load([[maybe_unused]] std::size_t i) const {
        if constexpr (std::same_as<Loads, no_array>) {
            return {};
        } else if constexpr (std::same_as<Loads, input_positions>) {
            return static_cast<Load>(i);
        } else {
            return detail::item(loads, i);
        }
    }
    /// Whether the keys and loads are those of `to`.
    bool lies_in(const sort_arrays<key_word<Key>, Load>& to) const
        requires std::same_as<Keys, const Key*> &&
                 (std::same_as<Loads, no_array> || std::same_as<Loads, const Load*>)
    {
        bool loads_too = true;
        if constexpr (!std::same_as<Loads, no_array>) loads_too = loads == to.loads;
        return loads_too && static_cast<const void*>(keys) == to.words.at(0);
    }
};

/// Fetches the cache line after the one that `p` is in, to be written. (Always inlined, as are its
/// callers: GCC takes a function that only prefetches for one without effects, and drops calls.)
[[gnu::always_inline]] inline void prefetch_line_after(const void* p) {
    __builtin_prefetch(static_cast<const std::byte*>(p) + 64, 1);
}

/// Words in memory, which may be an array of keys of any type.
template <class Word>
class word_array {
 public:
    word_array() = default;
    explicit word_array(void* at) : at_(static_cast<std::byte*>(at)) {}

    Word operator[](std::size_t i) const {
        Word word;
        std::memcpy(&word, at(i), sizeof(Word));
        return word;
    }
    void put(std::size_t i, Word word) const { std::memcpy(at(i), &word, sizeof(Word)); }
    std::byte* at(std::size_t i) const { return at_ + i * sizeof(Word); }
    friend bool operator==(const word_array&, const word_array&) = default;

 private:
    std::byte* at_ = nullptr;
};

/// Words and loads in memory, in an array each.
template <class Word, class Load>
struct sort_arrays {
    word_array<Word> words;
    Load* loads;

    Word word(std::size_t i) const { return words[i]; }
    Load load([[maybe_unused]] std::size_t i) const {
        if constexpr (std::same_as<Load, no_array>) {
            return {};
        } else {
            return loads[i];
        }
    }
    void put(std::size_t i, Word word, [[maybe_unused]] const Load& load) const {
        words.put(i, word);
        if constexpr (!std::same_as<Load, no_array>) loads[i] = load;
    }
    [[gnu::always_inline]] void prefetch_after(std::size_t i) const {
        detail::prefetch_line_after(words.at(i));
        if constexpr (!std::same_as<Load, no_array>) detail::prefetch_line_after(loads + i);
    }
    /// The arrays from item `begin` on.
    sort_arrays from(std::size_t begin) const {
        if constexpr (std::same_as<Load, no_array>) {
            return {word_array<Word>(words.at(begin)), nullptr};
        } else {
            return {word_array<Word>(words.at(begin)), loads + begin};
        }
    }
    friend bool operator==(const sort_arrays&, const sort_arrays&) = default;
};

/// A word and its load in one number, if both have the same size. A scattered write is then one
/// store to one cache line.
template <class Word, class Load>
inline constexpr bool in_couples =
    !std::same_as<Load, no_array> && sizeof(Word) == sizeof(Load) && sizeof(Word) <= 8;

template <class Word, class Load>
struct sort_couples {
    using couple = unsigned_word<2 * sizeof(Word)>;
    couple* items;

    Word word(std::size_t i) const { return static_cast<Word>(items[i]); }
    Load load(std::size_t i) const {
        return std::bit_cast<Load>(static_cast<Word>(items[i] >> word_bits<Word>));
    }
    void put(std::size_t i, Word word, const Load& load) const {
        Word high;  // by memcpy, because a load may have padding
        std::memcpy(&high, &load, sizeof(Word));
        items[i] = static_cast<couple>(static_cast<couple>(high) << word_bits<Word> | word);
    }
    [[gnu::always_inline]] void prefetch_after(std::size_t i) const {
        detail::prefetch_line_after(items + i);
    }
    sort_couples from(std::size_t begin) const { return {items + begin}; }
    friend bool operator==(const sort_couples&, const sort_couples&) = default;
};

/// Memory for the words and loads between two passes.
template <class Word, class Load>
class between_memory {
    static constexpr bool both = in_couples<Word, Load>;

 public:
    using arrays = std::conditional_t<both, sort_couples<Word, Load>, sort_arrays<Word, Load>>;

    explicit between_memory(std::size_t items) : words_(items), loads_(both ? 0 : items) {}

    arrays get() const {
        if constexpr (both) {
            return {words_.data()};
        } else {
            return {word_array<Word>(words_.data()), loads_.data()};
        }
    }

 private:
    scratch_array<unsigned_word<(both ? 2 : 1) * sizeof(Word)>> words_;
    scratch_array<Load> loads_;
};
template <class Word, class Load>
using between_arrays = typename between_memory<Word, Load>::arrays;

/// `bits` bits of a word, from bit `first` on.
struct word_digit {
    int first;
    int bits;
    std::size_t values() const { return std::size_t{1} << bits; }

    template <class Word>
    std::size_t of(Word word) const {
        const Word down = static_cast<Word>(word >> first);
        return static_cast<std::size_t>(down & static_cast<Word>(values() - 1));
    }
};

/// How a sort treats words: it sorts by the bits of `mask` and, if the caller wants keys, makes
/// keys of the words at the end.
template <class Word>
struct word_order {
    Word mask;
    key_code<Word> code;
    bool keys_too;

    word_order(const sort_by& by, const key_code<Word>& of, bool wanted)
        : mask(static_cast<Word>(bits_below(by.last_bit) & ~bits_below(by.first_bit))),
          code(of),
          keys_too(wanted) {}

    Word operator()(Word word) const { return static_cast<Word>(word & mask); }
    /// The bits below `top` that it sorts by.
    Word below(int top) const { return static_cast<Word>(mask & bits_below(top)); }
    void to_keys(word_array<Word> words, std::size_t items) const {
        if (!keys_too || code.changes_nothing()) return;
        const key_code<Word> by = code;
        for (std::size_t i = 0; i < items; ++i) words.put(i, by.bits(words[i]));
    }

 private:
    static constexpr Word bits_below(int bit) {
        constexpr Word all = static_cast<Word>(~Word{0});
        return bit >= word_bits<Word> ? all : static_cast<Word>(~static_cast<Word>(all << bit));
    }
};

/// bits_of: one more than the number of the highest set bit, or 0. lowest_bit: the number of the
/// lowest set bit of a word that has one.
template <class Word>
int bits_of(Word word) {
    if constexpr (sizeof(Word) == 16) {
        if (const auto high = static_cast<std::uint64_t>(word >> 64); high != 0) {
            return 64 + detail::bits_of(high);
        }
    }
    return 64 - std::countl_zero(static_cast<std::uint64_t>(word));
}
template <class Word>
int lowest_bit(Word word) {
    if constexpr (sizeof(Word) == 16) {
        const auto low = static_cast<std::uint64_t>(word);
        return low != 0 ? std::countr_zero(low)
                        : 64 + std::countr_zero(static_cast<std::uint64_t>(word >> 64));
    } else {
        return std::countr_zero(word);
    }
}

/// Whether one of the words [begin, end) is less than the word before it.
template <class Word, class Source>
bool words_fall(Source from, word_order<Word> order, std::size_t begin, std::size_t end) {
    bool falls = false;
    for (std::size_t i = begin + 1; i < end; ++i) {
        falls |= order(from.word(i)) < order(from.word(i - 1));
    }
    return falls;
}

/// What reading words has shown: which bits are not the same in all words, and whether the words
/// are sorted. Each of the two takes a loop of its own, as long as it is undecided; for random
/// words the first block decides both.
template <class Word>
struct word_survey {
    Word varying = 0;
    bool sorted = true;

    static constexpr std::size_t block = 256;

    /// Looks at words [begin, end). `first` is the word that all others are compared with.
    template <class Source>
    void look(const Source& from, const word_order<Word>& order, Word first, std::size_t begin,
              std::size_t end) {
        const Word mask = order.mask;
        if (varying != mask) {
            Word differ = 0;
            for (std::size_t i = begin; i < end; ++i) {
                differ = static_cast<Word>(differ | (from.word(i) ^ first));
            }
            varying = static_cast<Word>(varying | (differ & mask));
        }
        sorted = sorted && !detail::words_fall(from, order, begin, end);
    }
    void add(const word_survey& other) {
        varying = static_cast<Word>(varying | other.varying);
        sorted &= other.sorted;
    }
};

}  // namespace lookback::detail
