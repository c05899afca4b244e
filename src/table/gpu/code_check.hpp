/// \file
/// Whether there is code for the GPU in this build.
#pragma once

namespace lookback::on_gpu {

/// Throws std::runtime_error where the current device takes none of the code that was compiled.
void check_that_there_is_code();

}  // namespace lookback::on_gpu
