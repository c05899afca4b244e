/// \file
/// Compactions and runs, by any types: what is compared, and how it is judged and timed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "compaction.hpp"

namespace lookback::bench {

/// One primitive on one combination of types. Ours has to write the same
/// bytes as CUB's, and nothing behind them.
struct typed_contest {
    std::string op, type, data;
    int item_bytes;
    std::uint64_t read_bytes;            ///< of an item, in all inputs
    std::vector<std::uint64_t> outputs;  ///< bytes of an item of each, two at most
    bool counts = true;                  ///< whether it leaves a count at counts_at
    std::function<void()> fill;          ///< makes the input
    implementation ours, cub;
};

/// `off`: arrays begin off boundaries of 16 bytes, which is only said of the data.
void measure_typed(session& s, const observer& tell, const typed_contest& one, std::uint64_t n,
                   bool off);

/// Measures sizes on boundaries and `off_bytes` behind them. `make(n)` returns the contest
/// of n items.
template <class Make>
void measure_typed_sizes(session& s, const observer& tell, std::size_t item_bytes,
                         std::size_t off_bytes, const Make& make) {
    for (const int exponent : {16, 20, 24, 28}) {
        const std::uint64_t n = std::uint64_t{1} << exponent;
        for (const bool off : {false, true}) {
            s.begin_at(off ? off_bytes : 0);
            if (n * item_bytes <= s.array_bytes()) measure_typed(s, tell, make(n), n, off);
        }
    }
    s.begin_at(0);
}

}  // namespace lookback::bench
