/// \file
/// What the words have been that threads use by atomic operations.
#pragma once

#include <cstdint>

namespace lookback::trial {

/// Only the last value of each word is kept, and all know it.
void forget_values();
void forget_value(std::uintptr_t at);

}  // namespace lookback::trial
