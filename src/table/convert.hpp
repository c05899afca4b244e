/// \file
/// Converts numbers to another type, reverses them, or squares them.
#pragma once

#include <cstddef>

#include "table/numbers.hpp"

namespace lookback::table {

/// Converts `items` numbers at `in`, which may be any address, as C++ does. Floats are not
/// converted to integers, because some of them would not fit.
void convert(dtype from, const void* in, std::size_t items, dtype to, void* out);

/// Converts one number.
inline scalar convert(dtype from, const scalar& x, dtype to) {
    std::byte in[8], out[8];
    x.put(from, in);
    convert(from, in, 1, to, out);
    return {to, out};
}

/// The same numbers from the last to the first. `out` may be `in`.
void reverse(dtype type, const void* in, std::size_t items, void* out);

/// The squares of numbers of 4 or 8 bytes, in the same type. `out` may be `in`.
void square(dtype type, const void* in, std::size_t items, void* out);

}  // namespace lookback::table
