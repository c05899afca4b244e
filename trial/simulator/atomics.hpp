/// \file
/// What the words have been that threads use by atomic operations.
#pragma once

#include <cstddef>

namespace lookback::trial {

/// Only the last value of each word is kept, and all know it.
void forget_values();
/// There is nothing to know any more.
void forget_values_in(const std::byte* at, std::size_t bytes);

}  // namespace lookback::trial
