/// \file
/// What copies (copies.cpp) ask of the barriers with phases that they complete on (phases.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "simulator/gpu.hpp"

namespace lookback::trial {

/// The barrier at this address of a block; of the current one. Fails unless the current thread
/// knows that it was initialised.
phase_state& phase_of(gpu_block& b, std::uintptr_t at, code_place place);
phase_state& phase_at(std::uintptr_t at, code_place place);
/// A bulk copy of `bytes` has been written. Who waits for the phase knows that it was, not what
/// the thread knew that started it.
void land(phase_state& p, std::size_t bytes, const stamp& written);

}  // namespace lookback::trial
