/// \file
/// Division on a GPU by a number that stays the same for a whole launch. A division of 64-bit
/// integers takes about a hundred instructions, of 32-bit integers about twenty; the products here
/// take about fifteen and four.
#pragma once

#include <cstdint>

#include "lookback/detail/device/machine.hpp"

namespace lookback::detail::device {

/// A number, and its inverse times 2^64 (or 2^32, for N of 32 bits), rounded down. The upper half
/// of n times the inverse is n / value or one less, because the inverse is less than 2^64 / value
/// by at most 1.
template <class N>
class divisor_of {
 public:
    explicit divisor_of(N value)
        : value_(value), inverse_(value > 0 ? static_cast<N>(~N{0}) / value : 0) {}

    __host__ __device__ N value() const { return value_; }
    __device__ N quotient(N n) const {
        const N near = upper_half(n);
        return n - near * value_ < value_ ? near : near + 1;
    }
    __device__ N remainder(N n) const {
        const N near = n - upper_half(n) * value_;
        return near < value_ ? near : near - value_;
    }

 private:
    __device__ N upper_half(N n) const {
        if constexpr (sizeof(N) == 8) {
            return multiply_high(n, inverse_);
        } else {
            return static_cast<N>(std::uint64_t{n} * inverse_ >> 32);
        }
    }

    N value_;
    N inverse_;
};
using divisor = divisor_of<std::uint64_t>;
using divisor32 = divisor_of<std::uint32_t>;

}  // namespace lookback::detail::device
