/// \file
/// The older name of lookback::gpu, lookback::cuda. It goes in the version after 0.1.
#pragma once

#include "lookback/lookback.hpp"

namespace lookback {
using cuda [[deprecated("lookback::cuda is called lookback::gpu")]] = gpu;
}  // namespace lookback
