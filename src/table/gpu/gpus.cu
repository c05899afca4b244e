#include <cuda_runtime.h>

#include "gpus.hpp"

namespace lookback::on_gpu {

static std::string version(int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

survey find_gpus() {
    survey found;
    int driver = 0;  // stays 0 if there is none
    int runtime = 0;
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    found.driver = version(driver);
    found.runtime = version(runtime);
    int count = 0;
    cudaError_t code = cudaGetDeviceCount(&count);
    for (int i = 0; i < count && code == cudaSuccess; ++i) {
        cudaDeviceProp properties{};
        code = cudaGetDeviceProperties(&properties, i);
        if (code != cudaSuccess) break;
        found.gpus.push_back({properties.name, properties.major, properties.minor,
                              properties.multiProcessorCount, properties.totalGlobalMem});
    }
    cudaGetLastError();  // clears the error
    if (code != cudaSuccess) found.gpus.clear();
    if (!found.gpus.empty()) return found;
    if (driver == 0) {
        found.why_none = "no NVIDIA driver is installed";
    } else if (code == cudaErrorInsufficientDriver) {
        found.why_none = "the NVIDIA driver knows CUDA up to " + found.driver + "; expected " +
                         found.runtime + " or newer";
    } else if (code == cudaSuccess || code == cudaErrorNoDevice) {
        found.why_none = "the NVIDIA driver shows no GPU";
    } else {
        found.why_none = std::string("the NVIDIA driver fails: ") + cudaGetErrorString(code);
    }
    return found;
}

}  // namespace lookback::on_gpu
