/// \file
/// What strategies ask of the machine by name: where a thread stands, shared memory, the barrier.
#pragma once

#include "lookback/cuda/hardware.hpp"

namespace lookback::strategies {

using detail::gpu::block_in_grid;
using detail::gpu::shared_memory;
using detail::gpu::sync_block;
using detail::gpu::thread_in_block;

}  // namespace lookback::strategies
