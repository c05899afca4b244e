/// \file
/// What the sort on the CPU reads and writes: keys, each with its load, and the order of the keys.
///
/// A load travels with its key: a value, or the number of an item. Where there are none, Load is
/// no_array.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include "lookback/detail/call.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/detail/key_words.hpp"
#include "lookback/sort.hpp"

namespace lookback::detail {

/// Bytes of a key and its load.
template <class Key, class Load>
inline constexpr std::size_t sorted_bytes =
    sizeof(Key) + (std::same_as<Load, no_array> ? 0 : sizeof(Load));

/// Keys and loads as the caller has them: iterators; the loads may be input_positions, or no_array.
template <class Key, class Load, class Keys, class Loads>
struct sort_input {
    Keys keys;
    Loads loads;

    Key key(std::size_t i) const { return detail::item(keys, i); }
    Load load([[maybe_unused]] std::size_t i) const {
        if constexpr (std::same_as<Loads, no_array>) {
            return {};
        } else if constexpr (std::same_as<Loads, input_positions>) {
            return static_cast<Load>(i);
        } else {
            return detail::item(loads, i);
        }
    }
};

/// The same in memory, to be written too.
template <class Key, class Load>
struct sort_arrays {
    Key* keys;
    Load* loads;

    Key key(std::size_t i) const { return keys[i]; }
    Load load([[maybe_unused]] std::size_t i) const {
        if constexpr (std::same_as<Load, no_array>) {
            return {};
        } else {
            return loads[i];
        }
    }
    void put(std::size_t i, const Key& key, [[maybe_unused]] const Load& load) const {
        keys[i] = key;
        if constexpr (!std::same_as<Load, no_array>) loads[i] = load;
    }
    /// From item `begin` on.
    sort_arrays from(std::size_t begin) const {
        if constexpr (std::same_as<Load, no_array>) {
            return {keys + begin, nullptr};
        } else {
            return {keys + begin, loads + begin};
        }
    }
    friend bool operator==(const sort_arrays&, const sort_arrays&) = default;
};

/// `bits` bits of a word, from bit `first` on.
struct word_digit {
    int first;
    int bits;
    std::size_t values() const { return std::size_t{1} << bits; }
};

/// The order of keys: that of some bits of their words.
template <class Key>
class key_order {
 public:
    using word = key_word<Key>;

    explicit key_order(const sort_by& by)
        : descending_(by.descending), mask_(bits_below(by.last_bit) & ~bits_below(by.first_bit)) {}

    word mask() const { return mask_; }
    word operator()(const Key& key) const {
        return static_cast<word>(detail::word_of_key<Key>(key, descending_) & mask_);
    }
    std::size_t digit(const Key& key, word_digit which) const {
        const word mask = static_cast<word>(which.values() - 1);
        const word down =
            static_cast<word>(detail::word_of_key<Key>(key, descending_) >> which.first);
        return static_cast<std::size_t>(static_cast<word>(down & mask));
    }

 private:
    static constexpr word bits_below(int bit) {
        constexpr word all = static_cast<word>(~word{0});
        return bit >= word_bits<word> ? all : static_cast<word>(~static_cast<word>(all << bit));
    }
    bool descending_;
    word mask_;
};

/// Behind the highest bit that is set, or 0; and the lowest one, of a word that has one.
template <class Word>
int bits_of(Word word) {
    if constexpr (sizeof(Word) == 16) {
        if (const auto high = static_cast<std::uint64_t>(word >> 64); high != 0) {
            return 64 + detail::bits_of(high);
        }
    }
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(word)));
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

/// What reading keys has shown: bits that are not the same in all of them, and whether they rise.
/// Each costs a loop of its own as long as there is something to find out: of random keys, the
/// first block tells all.
template <class Key>
struct key_survey {
    using word = key_word<Key>;
    word varying = 0;
    bool sorted = true;

    static constexpr std::size_t block = 256;

    /// Keys [begin, end), of which `first` is the word that others are compared with.
    template <class Source>
    void look(const Source& from, const key_order<Key>& order, word first, std::size_t begin,
              std::size_t end) {
        if (varying != order.mask()) {
            for (std::size_t i = begin; i < end; ++i) {
                varying = static_cast<word>(varying | (order(from.key(i)) ^ first));
            }
        }
        if (!sorted) return;
        word before = order(from.key(begin));
        bool falls = false;
        for (std::size_t i = begin + 1; i < end; ++i) {
            const word next = order(from.key(i));
            falls |= next < before;
            before = next;
        }
        sorted = !falls;
    }
    void add(const key_survey& other) {
        varying = static_cast<word>(varying | other.varying);
        sorted &= other.sorted;
    }
};

}  // namespace lookback::detail
