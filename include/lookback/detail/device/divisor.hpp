/// \file
/// Division on a GPU by a number that stays the same for a whole launch. A division of 64-bit
/// integers takes about a hundred instructions; the product here takes about fifteen.
#pragma once

#include <cstdint>

#include "lookback/detail/device/machine.hpp"

namespace lookback::detail::device {

/// A number, and its inverse times 2^64, rounded down. The upper half of n times the inverse is
/// n / value or one less, because the inverse is less than 2^64 / value by at most 1.
class divisor {
 public:
    explicit divisor(std::uint64_t value)
        : value_(value), inverse_(value > 0 ? ~std::uint64_t{0} / value : 0) {}

    __host__ __device__ std::uint64_t value() const { return value_; }
    __device__ std::uint64_t quotient(std::uint64_t n) const {
        const std::uint64_t near = multiply_high(n, inverse_);
        return n - near * value_ < value_ ? near : near + 1;
    }
    __device__ std::uint64_t remainder(std::uint64_t n) const {
        const std::uint64_t near = n - multiply_high(n, inverse_) * value_;
        return near < value_ ? near : near - value_;
    }

 private:
    std::uint64_t value_;
    std::uint64_t inverse_;
};

}  // namespace lookback::detail::device
