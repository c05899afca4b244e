/// \file
/// Loops over numbers in memory whose results are as long as the numbers make them. Results go to
/// memory that has room for one for each number; the functions return how many there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "condition.hpp"
#include "dtype.hpp"
#include "workplace.hpp"

namespace lookback::cli {

template <number T>
struct kept_kernels {
    /// Numbers for which `is` holds.
    static std::size_t select(const T* in, std::size_t items, T* out, const condition<T>& is,
                              const workplace& where);

    /// The same; the others to `rest`.
    static std::size_t partition(const T* in, std::size_t items, T* out, T* rest,
                                 const condition<T>& is, const workplace& where);

    /// The first of each run of equal numbers.
    static std::size_t unique(const T* in, std::size_t items, T* out, const workplace& where);

    /// The same, and the lengths of the runs.
    static std::size_t run_length_encode(const T* in, std::size_t items, T* out,
                                         std::int64_t* lengths, const workplace& where);

    /// Sets `heads` to 1 for the first of each run of equal numbers, to 0 for the others. The first
    /// of all may go on with the run of a number `before`. There is one number or more.
    static void find_heads(const T* in, std::size_t items, const std::optional<T>& before,
                           std::uint8_t* heads, int threads);
};

}  // namespace lookback::cli
