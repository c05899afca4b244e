/// \file
/// The interface of barriers with phases (phases.cpp) for the copies that complete on them
/// (copies.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/gpu.hpp"

namespace lookback::trial {

/// The barrier at this address of block `b`, or of the current block. Both functions fail unless
/// the current thread knows that the barrier was initialised.
phase_state& phase_of(gpu_block& b, std::uintptr_t at, code_place place);
phase_state& phase_at(std::uintptr_t at, code_place place);
/// Says that a bulk copy of `bytes` bytes has been written. A thread that waits for the phase then
/// knows of the copy, but not what the thread that started it knew.
void land(phase_state& p, std::size_t bytes, const stamp& written);

}  // namespace lookback::trial
