/// \file
/// Rows of linear recurrences y[i] = a[i] * y[i-1] + x[i] as one scan of affine maps (lookback/
/// operators.hpp), of floats and of complex numbers.
#pragma once

#include <math.h>

#include <cstddef>
#include <cstdint>

#include "lookback/operators.hpp"
#include "table/complex_number.hpp"

namespace lookback::on_device {

/// The maps y -> a y + x, read from the two arrays directly. The first factor of a row does not
/// matter, because y[-1] is 0.
template <class T>
struct maps_of {
    using value_type = affine_map<T>;
    using difference_type = std::ptrdiff_t;
    const T* a;
    const T* x;
    LOOKBACK_HD value_type operator[](std::ptrdiff_t i) const { return {a[i], x[i]}; }
};

template <class T>
LOOKBACK_HD T real_of(T x) {
    return x;
}
template <class T>
LOOKBACK_HD T real_of(const table::complex_number<T>& x) {
    return x.real;
}

/// The first map of a row must ignore everything before it, so that a row cannot pass a value that
/// is not finite to the next row. It is marked by a factor of -0 (of a complex one, the real part),
/// which other maps do not have.
template <class T>
LOOKBACK_HD bool is_first(const T& scale) {
    return scale == T{0} && signbit(real_of(scale));
}
/// (Not scale + 0: if the compiler fuses it with a product that underflows, the result is -0.)
template <class T>
LOOKBACK_HD T unmarked(const T& scale) {
    return scale == T{0} ? T{0} : scale;
}
template <class T>
struct maps_of_rows {
    using value_type = affine_map<T>;
    using difference_type = std::ptrdiff_t;
    maps_of<T> maps;
    std::uint64_t length;
    LOOKBACK_HD value_type operator[](std::ptrdiff_t i) const {
        const auto at = static_cast<std::uint64_t>(i);
        const bool is_narrow = (at | length) >> 32 == 0;
        const bool begins =
            is_narrow ? static_cast<std::uint32_t>(at) % static_cast<std::uint32_t>(length) == 0
                      : at % length == 0;
        const value_type map = maps[i];
        return {begins ? T{-0.0} : unmarked(map.scale), map.shift};
    }
};
struct affine_in_rows {
    template <class T>
    LOOKBACK_HD affine_map<T> operator()(const affine_map<T>& a, const affine_map<T>& b) const {
        if (is_first(b.scale)) return b;
        const affine_map<T> both = affine{}(a, b);
        return {is_first(a.scale) ? a.scale : unmarked(both.scale), both.shift};
    }
};

/// Writes the value that the composed map gives for 0.
template <class T>
struct shifts_to {
    using value_type = affine_map<T>;
    using difference_type = std::ptrdiff_t;
    struct at {
        T* y;
        LOOKBACK_HD void operator=(const value_type& map) const { *y = map.shift; }
    };
    T* y;
    LOOKBACK_HD at operator[](std::ptrdiff_t i) const { return {y + i}; }
};

}  // namespace lookback::on_device
