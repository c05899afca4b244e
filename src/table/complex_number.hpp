/// \file
/// Complex numbers in the layout of NumPy, C and C++, multiplied as NumPy does: by four products.
/// (The product of std::complex takes several times as long, because it corrects results that are
/// NaN but should be infinite.) On CPUs and GPUs.
#pragma once

#include <concepts>

#include "lookback/detail/portability.hpp"

namespace lookback::table {

template <std::floating_point T>
struct complex_number {
    T real = 0;
    T imaginary = 0;

    friend bool operator==(const complex_number&, const complex_number&) = default;
    friend LOOKBACK_HD complex_number operator+(const complex_number& a, const complex_number& b) {
        return {a.real + b.real, a.imaginary + b.imaginary};
    }
    friend LOOKBACK_HD complex_number operator*(const complex_number& a, const complex_number& b) {
        return {a.real * b.real - a.imaginary * b.imaginary,
                a.real * b.imaginary + a.imaginary * b.real};
    }
};

}  // namespace lookback::table
