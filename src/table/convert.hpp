/// \file
/// Numbers as numbers of another type, in another order, or squared.
#pragma once

#include <cstddef>

#include "table/numbers.hpp"

namespace lookback::table {

/// `items` numbers at `in`, which may be any address, as C++ converts them. Floats do not become
/// integers, as not all of them would fit.
void convert(dtype from, const void* in, std::size_t items, dtype to, void* out);

/// One of them.
inline scalar convert(dtype from, const scalar& x, dtype to) {
    std::byte in[8], out[8];
    x.put(from, in);
    convert(from, in, 1, to, out);
    return {to, out};
}

/// The same numbers from the last to the first. `out` may be `in`.
void reverse(dtype type, const void* in, std::size_t items, void* out);

/// The squares of numbers of 4 bytes or 8, as numbers of the same type. `out` may be `in`.
void square(dtype type, const void* in, std::size_t items, void* out);

}  // namespace lookback::table
