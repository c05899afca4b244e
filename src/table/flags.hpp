/// \file
/// Conditions that are more than a union of intervals (condition.hpp), as flags: a byte for each
/// number, 1 where it is wanted and 0 elsewhere. And selection by flags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "table/numbers.hpp"
#include "table/table.hpp"

namespace lookback::table {

/// The numbers of a condition<T> (condition.hpp), without its type.
class number_set {
 public:
    number_set() = default;
    template <class Condition>
    explicit number_set(const Condition& c) : intervals_(c.intervals.size()), has_nan_(c.has_nan) {
        const std::span bytes = std::as_bytes(std::span(c.intervals));
        ends_.assign(bytes.begin(), bytes.end());
    }

    wanted get() const { return {ends_.data(), intervals_, has_nan_}; }

 private:
    std::vector<std::byte> ends_;
    std::size_t intervals_ = 0;
    bool has_nan_ = false;
};

struct flag_test {
    enum class kind {
        numbers,     ///< x is in the set
        remainders,  ///< x modulo the divisor is: uint64 for integers, double for floats
        all_of,
        any_of,
        none_of,
    };
    kind what;
    number_set set = {};
    std::uint64_t divisor = 1;
    std::vector<flag_test> parts = {};
};

/// x modulo the divisor is from 0 on and below it, for negative numbers too, as in NumPy. Work: as
/// many passes over 4096 numbers in the cache as the test has parts.
void find_flags(dtype type, const void* in, std::size_t items, const flag_test& test,
                std::uint8_t* flags, int threads);

/// The numbers, of so many bytes each, whose flag is not 0. `out` may be `in`. On the CPU.
std::size_t select_flagged(std::size_t bytes, const void* in, std::size_t items,
                           const std::uint8_t* flags, void* out, int threads);

}  // namespace lookback::table
