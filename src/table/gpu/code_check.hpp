/// \file
/// Checks whether this build has code for the GPU.
#pragma once

namespace lookback::on_gpu {

/// Throws std::runtime_error if none of the compiled code runs on the current device.
void check_that_there_is_code();

}  // namespace lookback::on_gpu
