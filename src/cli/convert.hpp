/// \file
/// Numbers as numbers of another type.
#pragma once

#include <cstddef>

#include "dtype.hpp"

namespace lookback::cli {

/// `items` numbers at `in`, which may be any address, as C++ converts them. Floats do not become
/// integers, as not all of them would fit.
void convert(dtype from, const void* in, std::size_t items, dtype to, void* out);

}  // namespace lookback::cli
