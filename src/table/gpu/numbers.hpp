/// \file
/// Numbers and operators as the GPU's kernels know them, for code that nvcc does not compile.
/// Kernels have unsigned integers of 8 to 64 bits, float and double. They are told at run time what
/// is signed, so that signed types need no kernels of their own.
#pragma once

#include <cstdint>

namespace lookback::on_gpu {

enum class operation : std::uint8_t {
    sum,
    product,
    min,
    max,
    signed_min,  ///< of integers in two's complement
    signed_max,
    bit_and,
    bit_or,
    bit_xor
};

/// What the compared bits stand for.
enum class number_kind : std::uint8_t { unsigned_integer, signed_integer, real };

}  // namespace lookback::on_gpu
