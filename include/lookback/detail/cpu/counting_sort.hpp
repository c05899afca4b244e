/// \file
/// Keys of one or two bytes without values are not moved: they are counted, and then written anew
/// from their counts.
///
/// Each key is read once, and each result is written once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <vector>

#include "lookback/detail/cpu/shares.hpp"
#include "lookback/detail/items.hpp"
#include "lookback/detail/key_words.hpp"
#include "lookback/sort.hpp"

namespace lookback::detail {

/// If there are fewer keys than twice the number of words, another sort is faster than going
/// through all counts.
template <class Key>
bool is_counted(const sort_by& by, std::size_t items) {
    constexpr int bits = word_bits<key_word<Key>>;
    return bits <= 16 && by.first_bit == 0 && by.last_bit == bits &&
           items >= std::size_t{2} << bits;
}

template <class Key, class In, class Out>
void counting_sort(const cpu& where, const In& in, const Out& out, std::size_t items,
                   bool descending) {
    constexpr std::size_t words = std::size_t{1} << word_bits<key_word<Key>>;
    constexpr std::size_t share = std::size_t{256} << 10;
    // Counted by the bits of the keys, which costs no conversion; words are needed only when the
    // results are written.
    std::vector<std::size_t> counts(words);
    std::mutex adding;
    detail::for_shares(where, items, share, [&](std::size_t begin, std::size_t end) {
        // Neighbours are counted in two tables: of two equal neighbours, the second need not wait
        // for the counter of the first.
        std::vector<std::uint32_t> here(2 * words);
        for (std::size_t i = begin; i < end; ++i) {
            ++here[i % 2 * words + detail::bits_of_key<Key>(detail::item(in, i))];
        }
        const std::lock_guard<std::mutex> alone(adding);
        for (std::size_t k = 0; k < words; ++k) counts[k] += here[k] + here[words + k];
    });
    std::vector<std::size_t> ends(words);  // where the keys of each word end
    std::size_t before = 0;
    const auto key_of = [&](std::size_t word) {
        return detail::key_of_word<Key>(static_cast<key_word<Key>>(word), descending);
    };
    for (std::size_t word = 0; word < words; ++word) {
        ends[word] = before += counts[detail::bits_of_key<Key>(key_of(word))];
    }
    detail::for_shares(where, items, share, [&](std::size_t begin, std::size_t end) {
        auto word = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), begin) -
                                             ends.begin());
        for (std::size_t i = begin; i < end; ++word) {
            const std::size_t run_end = std::min(end, ends[word]);
            const Key key = key_of(word);
            if constexpr (std::contiguous_iterator<Out>) {
                using to = std::iter_value_t<Out>;
                std::fill(std::to_address(out) + i, std::to_address(out) + run_end,
                          static_cast<to>(key));
            } else {
                for (std::size_t k = i; k < run_end; ++k) detail::put(out, k, key);
            }
            i = run_end;
        }
    });
}

}  // namespace lookback::detail
