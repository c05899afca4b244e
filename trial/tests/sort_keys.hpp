// Keys to be sorted on trial.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lookback/detail/key_words.hpp"
#include "tests/trial.hpp"

namespace lookback::trial {

/// Random; of few values; one; in order, against it, or up and down again; with digits that are the
/// same in all, with a few keys out of order, at either end of what their type holds.
template <class Key>
std::vector<Key> keys_of_a_kind(case_choices& choices, std::uint64_t n) {
    using word = detail::key_word<Key>;
    const auto kind = choices.said("kind", choices.below(9));
    const bool is_dirty = choices.said("dirty", choices.one_in(4));
    const std::uint64_t distinct = choices.of<std::uint64_t>({2, 3, 200});
    const auto mask = static_cast<word>(choices.bits() & choices.bits() << 8);
    const auto random = [&] {
        word bits = static_cast<word>(choices.bits());
        if constexpr (sizeof(word) > 8) bits = static_cast<word>(bits << 64 | choices.bits());
        return bits;
    };
    const word one = random();
    std::vector<Key> keys(n);
    for (auto& key : keys) {
        word bits = random();
        switch (kind) {
            case 0: break;
            case 1: bits = static_cast<word>(one ^ choices.below(distinct)); break;
            case 2: bits = one; break;
            case 3: bits = static_cast<word>(bits & mask); break;
            case 4: bits = static_cast<word>(choices.one_in(20) ? bits : one); break;
            case 5:
                bits = choices.coin() ? static_cast<word>(0 - choices.below(3))
                                      : static_cast<word>(choices.below(3));
                break;
            default: break;
        }
        key = detail::key_of_bits<Key>(bits);
    }
    if (kind >= 6) {
        std::stable_sort(keys.begin(), keys.end(), [&](Key a, Key b) {
            return detail::word_of_key(a) < detail::word_of_key(b);
        });
        if (kind == 7) std::reverse(keys.begin(), keys.end());
        if (kind == 8) {
            const std::vector<Key> sorted = keys;
            for (std::uint64_t i = 0; i < n; ++i) keys[i % 2 ? n - 1 - i / 2 : i / 2] = sorted[i];
        }
    }
    if (is_dirty && n > 0) keys[choices.below(n)] = detail::key_of_bits<Key>(random());
    return keys;
}

}  // namespace lookback::trial
