/// \file
/// Included first in code that is instrumented: g++ instruments accesses, and calls of memcpy not.
#pragma once

#include <cstddef>

extern "C" void* memcpy(void* to, const void* from, std::size_t bytes) noexcept
    __asm__("lookback_trial_memcpy");
