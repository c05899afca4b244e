/// \file
/// The functions of the machine that strategies call without its namespace: a thread's place,
/// shared memory, the barrier.
#pragma once

#include "lookback/detail/device/hardware.hpp"

namespace lookback::strategies {

using detail::device::block_in_grid;
using detail::device::shared_memory;
using detail::device::sync_block;
using detail::device::thread_in_block;

}  // namespace lookback::strategies
