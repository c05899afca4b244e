/// \file
/// The past values of the words that threads access by atomic operations.
#pragma once

#include <cstddef>

namespace lookback::trial {

/// Forgets all but the last value of each word, which all threads then know.
void forget_values();
/// Forgets the values of words in memory that is no longer used.
void forget_values_in(const std::byte* at, std::size_t bytes);

}  // namespace lookback::trial
