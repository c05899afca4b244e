/// \file
/// Conditions that are not just a union of intervals (condition.hpp), as flags: a byte for each
/// number, 1 if it is wanted and 0 if not. Also selection by flags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "table/numbers.hpp"
#include "table/table.hpp"

namespace lookback::table {

/// The numbers of a condition<T> (condition.hpp), without the type.
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
        remainders,  ///< x modulo the divisor is in the set, of uint64 or, for floats, double
        all_of,
        any_of,
        none_of,
    };
    kind what;
    number_set set = {};
    std::uint64_t divisor = 1;
    std::vector<flag_test> parts = {};
};

/// Sets the flags of numbers for which the test holds to 1, others to 0. x modulo the divisor is at
/// least 0 and less than the divisor, for negative numbers too, as in NumPy. Work: for each part of
/// the test, a pass over blocks of 4096 numbers in the cache.
void find_flags(dtype type, const void* in, std::size_t items, const flag_test& test,
                std::uint8_t* flags, int threads);

/// Selects the numbers, of `bytes` bytes each, whose flag is not 0. `out` may be `in`. On the CPU.
std::size_t select_flagged(std::size_t bytes, const void* in, std::size_t items,
                           const std::uint8_t* flags, void* out, int threads);

}  // namespace lookback::table
