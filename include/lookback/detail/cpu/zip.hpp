/// \file
/// Two arrays of the same length, read and written as one array of pairs.
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

#include "lookback/detail/items.hpp"

namespace lookback::detail {

template <class K, class V>
struct key_value {
    K key;
    V value;
};

template <class Keys, class Values>
struct zipped_input {
    using value_type = key_value<std::iter_value_t<Keys>, std::iter_value_t<Values>>;
    using difference_type = std::ptrdiff_t;
    Keys keys;
    Values values;

    value_type operator[](std::ptrdiff_t i) const {
        return {detail::item(keys, static_cast<std::size_t>(i)),
                detail::item(values, static_cast<std::size_t>(i))};
    }
};

/// `Pair` is the type that is assigned to an item: a key_value of the input's types.
template <class Pair, class Keys, class Values>
struct zipped_output {
    using value_type = Pair;
    using difference_type = std::ptrdiff_t;
    Keys keys;
    Values values;

    struct place {
        const zipped_output& out;
        std::size_t i;
        void operator=(Pair&& pair) const {
            detail::put(out.keys, i, std::move(pair.key));
            detail::put(out.values, i, std::move(pair.value));
        }
    };
    place operator[](std::ptrdiff_t i) const { return {*this, static_cast<std::size_t>(i)}; }
};

}  // namespace lookback::detail
