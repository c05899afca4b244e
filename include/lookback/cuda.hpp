/// \file
/// The name that GPUs had in version 0.1: lookback::cuda is lookback::gpu. Gone in the next one.
#pragma once

#include "lookback/gpu.hpp"
#include "lookback/scan.hpp"

namespace lookback {
using cuda [[deprecated("lookback::cuda is called lookback::gpu")]] = gpu;
}  // namespace lookback
