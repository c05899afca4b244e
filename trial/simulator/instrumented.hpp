/// \file
/// Included first in instrumented code: g++ instruments accesses, but not calls of memcpy.
#pragma once
#define LOOKBACK_TRIAL_HAS_MEMCPY 1

#include <cstddef>

extern "C" void* memcpy(void* to, const void* from, std::size_t bytes) noexcept
    __asm__("lookback_trial_memcpy");
