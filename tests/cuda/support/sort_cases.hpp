// What the tests of sorting on GPUs share: keys of all kinds, arrays with poison around them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

#include "lookback/sort.hpp"
#include "support/device.hpp"
#include "support/sort_order.hpp"

namespace lookback::test {

using detail::key_word, detail::word_bits;

enum class kind { random, few, equal, sorted, reversed, pipe, sparse, edges, nearly, zipf };
inline constexpr kind all_kinds[] = {kind::random,   kind::few,  kind::equal,  kind::sorted,
                                     kind::reversed, kind::pipe, kind::sparse, kind::edges,
                                     kind::nearly,   kind::zipf};

template <class Key>
std::vector<Key> keys_of(kind how, std::size_t n) {
    using word = key_word<Key>;
    std::mt19937_64 random(17 + n);
    const auto any = [&] {
        auto bits = static_cast<word>(random());
        if constexpr (sizeof(word) == 16) bits = static_cast<word>(bits << 64 | random());
        return bits;
    };
    const word one = any(), mask = static_cast<word>(any() & any());
    // The ends of the order, where -infinity and NaNs are; zero; and +infinity, behind which there
    // are as many NaNs of each sign.
    const word nans = detail::key_code_of<Key>(false).negative_nans;
    const word edges[] = {0, detail::word_of_key(Key{}), static_cast<word>(0 - 2 * nans - 1)};
    std::vector<word> words(n);
    for (auto& w : words) {
        switch (how) {
            case kind::few: w = static_cast<word>(one ^ random() % 3); break;
            case kind::equal: w = one; break;
            case kind::sparse: w = static_cast<word>(any() & mask); break;
            case kind::edges:
                w = static_cast<word>(edges[random() % std::size(edges)] + random() % 5 - 2);
                break;
            case kind::zipf:
                w = static_cast<word>(1e6 / (1 + static_cast<double>(random() % 1'000'000)));
                break;
            default: w = any();
        }
    }
    if (how == kind::sorted || how == kind::reversed || how == kind::nearly) {
        std::sort(words.begin(), words.end());
    }
    if (how == kind::reversed) std::reverse(words.begin(), words.end());
    if (how == kind::nearly && n > 0) words[n / 2] = any();
    if (how == kind::pipe && n > 0) {
        std::sort(words.begin(), words.end() - n / 2);
        std::sort(words.end() - n / 2, words.end(), std::greater<>());
    }
    std::vector<Key> keys(n);
    for (std::size_t i = 0; i < n; ++i) keys[i] = detail::key_of_word<Key>(words[i]);
    return keys;
}

template <class T>
std::vector<T> in_order(const std::vector<T>& items, const std::vector<std::uint32_t>& order) {
    std::vector<T> sorted;
    sorted.reserve(items.size());
    for (const std::uint32_t i : order) sorted.push_back(items[i]);
    return sorted;
}

/// An array some items beyond its boundary, with poison around it.
template <class T>
class beside_poison {
 public:
    /// `more`: the number of further items that a call may be told it has room for.
    beside_poison(std::size_t n, std::size_t shift, std::size_t more = 0)
        : n_(n), shift_(shift), memory_(n + more + 32) {}
    beside_poison(const std::vector<T>& items, std::size_t shift, std::size_t more = 0)
        : beside_poison(items.size(), shift, more) {
        check(cudaMemcpy(data(), items.data(), n_ * sizeof(T), cudaMemcpyHostToDevice), "copying");
    }
    T* data() { return memory_.data() + shift_; }
    void expect(const std::vector<T>& want, const char* what) {
        std::vector<T> all(memory_.size());
        std::memset(static_cast<void*>(all.data()), poison, all.size() * sizeof(T));
        std::copy(want.begin(), want.end(), all.begin() + static_cast<std::ptrdiff_t>(shift_));
        const auto got = memory_.get();
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (std::memcmp(&got[i], &all[i], sizeof(T)) == 0) continue;
            ADD_FAILURE() << what << ": item " << static_cast<long>(i) - static_cast<long>(shift_)
                          << " of " << n_;
            return;
        }
    }

 private:
    std::size_t n_, shift_;
    device_array<T> memory_;
};

struct wide {
    std::uint32_t word[6];
};

}  // namespace lookback::test
