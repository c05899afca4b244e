/// \file
/// Counts what a call allocates: in a program with new_bytes.cpp, every operator new adds to this
/// count.
#pragma once

#include <cstddef>

namespace lookback::bench {

/// Bytes that operator new has handed out so far, on all threads.
std::size_t new_bytes();

}  // namespace lookback::bench
