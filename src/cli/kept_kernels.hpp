/// \file
/// Loops over numbers in memory whose results are as long as the numbers make them. Results go to
/// memory that has room for one for each number; the functions return how many there are.
#pragma once

#include <cstddef>

#include "condition.hpp"
#include "dtype.hpp"

namespace lookback::cli {

template <number T>
struct kept_kernels {
    /// Numbers for which `is` holds.
    static std::size_t select(const T* in, std::size_t items, T* out, const condition<T>& is,
                              int threads);
};

}  // namespace lookback::cli
