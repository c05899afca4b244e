/// \file
/// The GPUs of this machine, for code that nvcc does not compile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lookback::on_gpu {

struct gpu {
    std::string name;
    int major = 0;  ///< compute capability
    int minor = 0;
    int multiprocessors = 0;
    std::uint64_t memory_bytes = 0;
};

struct survey {
    std::vector<gpu> gpus;  ///< the first is the one that is used
    std::string why_none;   ///< if there are none
    std::string driver;     ///< newest CUDA version that the driver supports, such as 13.0
    std::string runtime;    ///< CUDA version that this was built with
};

/// Asks the driver. Cheap: nothing is started on any GPU.
survey find_gpus();

}  // namespace lookback::on_gpu
