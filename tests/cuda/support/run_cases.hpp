// Arrays in runs of given lengths, and wide keys.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lookback/operators.hpp"

namespace lookback::test {

/// Keys in runs whose lengths repeat, so that runs of one item, of two and of more lie at every
/// place around the edges of tiles.
template <class K>
std::vector<K> keys_in_cycles(std::uint64_t n, const std::vector<std::uint64_t>& lengths) {
    std::vector<K> keys;
    for (std::uint64_t run = 0; keys.size() < n; ++run) {
        keys.insert(keys.end(), lengths[run % lengths.size()], K(run % 100));
    }
    keys.resize(n);
    return keys;
}

/// Calls `check(keys)` for the keys of each of these cycles of lengths, until one fails.
template <class K, class Check>
void on_all_cycles(std::uint64_t n, const std::vector<std::vector<std::uint64_t>>& cycles,
                   const Check& check) {
    for (std::size_t c = 0; c < cycles.size(); ++c) {
        SCOPED_TRACE("cycle " + std::to_string(c));
        check(keys_in_cycles<K>(n, cycles[c]));
        if (::testing::Test::HasFailure()) return;
    }
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

/// Its size is no power of two, and its alignment is that of a byte.
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
