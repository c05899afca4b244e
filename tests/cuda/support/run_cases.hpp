// Arrays in runs of given lengths, and wide keys.
#pragma once

#include <cstdint>
#include <vector>

#include "lookback/operators.hpp"

namespace lookback::test {

/// Lengths that keep runs of one item, of two and of more on every place around tiles' edges.
template <class K>
std::vector<K> keys_in_cycles(std::uint64_t n, const std::vector<std::uint64_t>& lengths) {
    std::vector<K> keys;
    for (std::uint64_t run = 0; keys.size() < n; ++run) {
        keys.insert(keys.end(), lengths[run % lengths.size()], K(run % 100));
    }
    keys.resize(n);
    return keys;
}

struct three_words {
    std::uint64_t low, middle, high;
    three_words() = default;
    LOOKBACK_HD explicit three_words(std::uint64_t x) : low(1), middle(2), high(x) {}
};
struct same_words {
    LOOKBACK_HD bool operator()(const three_words& a, const three_words& b) const {
        return a.low == b.low && a.middle == b.middle && a.high == b.high;
    }
};

/// Not a power of two, and no more aligned than a byte.
struct three_bytes {
    std::uint8_t byte[3];
    three_bytes() = default;
    LOOKBACK_HD explicit three_bytes(std::uint64_t x) : byte{1, 2, static_cast<std::uint8_t>(x)} {}
};
struct same_bytes {
    LOOKBACK_HD bool operator()(const three_bytes& a, const three_bytes& b) const {
        return a.byte[0] == b.byte[0] && a.byte[1] == b.byte[1] && a.byte[2] == b.byte[2];
    }
};

}  // namespace lookback::test
