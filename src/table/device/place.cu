#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

constexpr const char* names[item_types] = {
    "int8",   "int16",   "int32",   "int64",   "uint8",    "uint16",    "uint32",
    "uint64", "float32", "float64", "float16", "bfloat16", "complex64", "complex128"};
constexpr std::size_t sizes[item_types] = {1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 2, 2, 8, 16};

// check_device asks CUDA whether there is code for this kernel.
__global__ void nothing() {}

using key = std::pair<int, void*>;

}  // namespace

std::size_t bytes_of(item_type type) { return sizes[static_cast<int>(type)]; }

void refuse(const char* what, item_type type) {
    throw std::invalid_argument(std::string("lookback: no ") + what + " of " +
                                names[static_cast<int>(type)] + " on a GPU");
}

void refuse_bytes(const char* what, std::size_t item_bytes) {
    throw std::invalid_argument(std::string("lookback: no ") + what + " of items of " +
                                std::to_string(item_bytes) + " bytes on a GPU");
}

int count_devices() {
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
    cudaGetLastError();  // clears the error
    return 0;
}

void check_device(const place& where) {
    int count = 0;
    detail::device::check(cudaGetDeviceCount(&count), "asking for GPUs");
    if (where.device < 0 || where.device >= count) {
        throw std::invalid_argument("lookback: device is " + std::to_string(where.device) +
                                    "; expected one of " + std::to_string(count));
    }
    const call here(where);
    cudaFuncAttributes attributes{};
    const cudaError_t code = cudaFuncGetAttributes(&attributes, nothing);
    if (code != cudaErrorNoKernelImageForDevice && code != cudaErrorInvalidDeviceFunction) {
        return detail::device::check(code, "starting CUDA");
    }
    cudaGetLastError();  // clears the error
    throw std::runtime_error(
        "lookback: this build has no code for the compute capability of device " +
        std::to_string(where.device) + "; expected one made with it in CMAKE_CUDA_ARCHITECTURES");
}

gpu& gpu_at(const place& where) {
    // Most calls name the same stream as the call before.
    thread_local key last_key{-1, nullptr};
    thread_local gpu* last = nullptr;
    const key here{where.device, where.stream};
    if (last != nullptr && last_key == here) return *last;
    static std::mutex finding;
    // Never freed: when the program ends, CUDA may be gone already.
    static auto* const all = new std::map<key, gpu*>;
    const std::lock_guard<std::mutex> lock(finding);
    gpu*& found = (*all)[here];
    if (found == nullptr) found = new gpu(static_cast<cudaStream_t>(where.stream));
    last_key = here;
    last = found;
    return *found;
}

}  // namespace lookback::on_device
