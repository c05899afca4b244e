#include <stdexcept>

#include "code_check.hpp"
#include "lookback/gpu.hpp"

namespace lookback::on_gpu {

// CUDA is asked whether there is code for this kernel.
static __global__ void nothing() {}

void check_that_there_is_code() {
    cudaFuncAttributes attributes{};
    const cudaError_t code = cudaFuncGetAttributes(&attributes, nothing);
    if (code == cudaErrorNoKernelImageForDevice || code == cudaErrorInvalidDeviceFunction) {
        cudaGetLastError();  // clears the error
        throw std::runtime_error(
            "lookback: this build has no code for the compute capability of the first GPU; "
            "expected one made with it in CMAKE_CUDA_ARCHITECTURES");
    }
    detail::device::check(code, "starting CUDA");
}

}  // namespace lookback::on_gpu
