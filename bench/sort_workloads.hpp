/// \file
/// Sorting: what is sorted, what keys are like, and the arrays that all implementations work on.
#pragma once

#include <fmt/core.h>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "lookback/detail/key_words.hpp"
#include "memory.hpp"

namespace lookback::bench::sorting {

/// Where an item stood in the input: a value that shows where it comes from.
using place = std::uint32_t;

/// A pair, for implementations that sort structures. (It has the layout of Highway's K32V32.)
struct alignas(8) pair {
    place value;
    std::uint32_t key;
    friend bool operator==(const pair&, const pair&) = default;
};

template <class Key>
struct arrays {
    std::size_t items = 0;
    Key* in = nullptr;
    place* places = nullptr;  ///< 0, 1, 2, ...
    pair* pairs = nullptr;    ///< key and place together
    Key* out = nullptr;
    place* places_out = nullptr;
    pair* pairs_out = nullptr;

    arrays part(std::size_t number) const {
        const std::size_t first = number * items;
        return {items,       in + first,         places + first,   pairs + first,
                out + first, places_out + first, pairs_out + first};
    }
};

// What is sorted.
template <class Key>
struct keys {
    using key = Key;
    static constexpr bool to_keys = true, to_places = false;
    static std::string name() {
        return fmt::format("sort_keys {}{}", std::floating_point<Key> ? 'f' : 'u', 8 * sizeof(Key));
    }
};
struct pairs {
    using key = std::uint32_t;
    static constexpr bool to_keys = true, to_places = true;
    static std::string name() { return "sort_pairs u32+u32"; }
};
struct order {
    using key = std::uint32_t;
    static constexpr bool to_keys = false, to_places = true;
    static std::string name() { return "sort_order u32"; }
};

/// Bytes of one item, as they are read and written.
template <class Operation>
inline constexpr std::size_t item_bytes =
    sizeof(typename Operation::key) + (Operation::to_places ? sizeof(place) : 0);

enum class keys_are {
    random,
    all_equal,
    sorted,
    reversed,
    skewed,      ///< of all magnitudes, each as likely
    low_entropy  ///< three random words; a bit is set where all three have it
};
inline constexpr const char* names_of_data[] = {"random",   "all equal", "sorted",
                                                "reversed", "skewed",    "low entropy"};

/// Key i of n. `number` counts all keys, so it tells apart keys of different parts with the same i.
/// Floats are numbers, and not -0, because for the peers -0 equals +0.
template <class Key>
Key make_key(std::size_t i, std::size_t n, std::size_t number, keys_are kind) {
    constexpr std::size_t bits = 8 * sizeof(Key);
    const std::uint64_t random = random_bits(number), all = ~std::uint64_t{0};
    std::uint64_t share = random;  // of all words, in the order of keys
    switch (kind) {
        case keys_are::random: break;
        case keys_are::all_equal: share = 0x6789abcdef012345; break;
        case keys_are::sorted: share = i * (all / n); break;
        case keys_are::reversed: share = (n - 1 - i) * (all / n); break;
        case keys_are::skewed: share >>= random_bits(~number) % bits; break;
        case keys_are::low_entropy:
            share &= random_bits(~number) & random_bits(number ^ all << 40);
            break;
    }
    if constexpr (std::floating_point<Key>) {
        constexpr auto words =
            detail::word_of_key<Key>(std::numeric_limits<Key>::infinity()) + std::uint64_t{1};
        const auto word = static_cast<detail::uint128>(share) * words >> 64;
        return detail::key_of_word<Key>(static_cast<detail::key_word<Key>>(word)) + Key{0};
    } else {
        return static_cast<Key>(share >> (64 - bits));
    }
}

}  // namespace lookback::bench::sorting
