#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "support/device.hpp"

namespace lookback::test {

void check(cudaError_t code, const char* what) {
    if (code == cudaSuccess) return;
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code));
}

bool reduced() {
    const char* value = std::getenv("LOOKBACK_REDUCED");
    return value != nullptr && *value != '\0' && *value != '0';
}

void wait_for(cudaStream_t stream) {
    const auto begin = std::chrono::steady_clock::now();
    const std::chrono::seconds patience(reduced() ? 600 : 60);
    for (;;) {
        const cudaError_t code = cudaStreamQuery(stream);
        if (code != cudaErrorNotReady) return check(code, "running what was started");
        if (std::chrono::steady_clock::now() - begin > patience) {
            throw std::runtime_error("the device does not end what was started");
        }
    }
}

namespace {

__global__ void compare_bytes(const unsigned char* got, const unsigned char* want,
                              std::uint64_t bytes, std::uint64_t before, std::uint64_t after,
                              verdict* v) {
    const std::uint64_t all = before + bytes + after;
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < all;
         i += step) {
        const bool outside = i < before || i >= before + bytes;
        const int expected = outside ? poison : want[i - before];
        if (*(got - before + i) != expected) report(v, i);
    }
}

__global__ void clear(verdict* v) { *v = {0, ~0ULL}; }

}  // namespace

inspector::inspector(cudaStream_t stream) : stream_(stream) {
    check(cudaMalloc(&on_device_, sizeof(verdict)), "allocating device memory");
    check(cudaMallocHost(&on_host_, sizeof(verdict)), "allocating host memory");
    *on_host_ = {1, 0};  // nothing has been compared yet
}

inspector::~inspector() {
    cudaStreamSynchronize(stream_);
    cudaFree(on_device_);
    cudaFreeHost(on_host_);
}

verdict* inspector::start() {
    clear<<<1, 1, 0, stream_>>>(on_device_);
    check(cudaGetLastError(), "starting a comparison");
    return on_device_;
}

void inspector::finish() {
    check(cudaGetLastError(), "comparing on the device");
    check(cudaMemcpyAsync(on_host_, on_device_, sizeof(verdict), cudaMemcpyDeviceToHost, stream_),
          "reading what was found");
}

void inspector::compare(const void* got, const void* want, std::size_t bytes, std::size_t before,
                        std::size_t after) {
    verdict* const v = start();
    const std::size_t all = before + bytes + after;
    if (all > 0) {
        const std::size_t blocks = (all + 255) / 256;
        compare_bytes<<<static_cast<unsigned>(blocks < 2048 ? blocks : 2048), 256, 0, stream_>>>(
            static_cast<const unsigned char*>(got), static_cast<const unsigned char*>(want), bytes,
            before, after, v);
    }
    finish();
}

std::string inspector::result(std::size_t unit, std::size_t origin) {
    wait_for(stream_);
    if (on_host_->wrong == 0) return "";
    const auto at = static_cast<long long>(on_host_->first / unit);
    return std::to_string(on_host_->wrong) + " differences, the first at " +
           std::to_string(at - static_cast<long long>(origin));
}

// ---- the hog

// In the host's memory. These are plain words, each written by one side only, because memcheck does
// not allow the device's atomic operations there.
struct hog::shared_state {
    unsigned let_go;
    unsigned gave_up;
    unsigned running[1024];  // for each block
};

namespace {

__device__ std::uint64_t now() {
    std::uint64_t nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
}

__global__ void hold(volatile unsigned* running, const volatile unsigned* let_go,
                     volatile unsigned* gave_up) {
    if (threadIdx.x != 0) return;
    running[blockIdx.x] = 1;
    const std::uint64_t begin = now();
    while (*let_go == 0) {
        if (now() - begin > 30'000'000'000ULL) {
            *gave_up = 1;
            return;
        }
        __nanosleep(2000);
    }
}

}  // namespace

hog::hog(int free) {
    int device = 0, multiprocessors = 0, shared = 0;
    check(cudaGetDevice(&device), "finding the device");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "asking for the multiprocessors");
    check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "asking for the shared memory");
    // Takes all the shared memory that a block may have, so that no other block fits beside it.
    check(cudaFuncSetAttribute(hold, cudaFuncAttributeMaxDynamicSharedMemorySize, shared),
          "asking for shared memory");
    check(cudaHostAlloc(&state_, sizeof(*state_), cudaHostAllocMapped), "mapped memory");
    *state_ = {};
    const int blocks = std::clamp(multiprocessors - free, 1, 1024);
    hold<<<static_cast<unsigned>(blocks), 32, static_cast<unsigned>(shared), stream_>>>(
        state_->running, &state_->let_go, &state_->gave_up);
    check(cudaGetLastError(), "starting the hog");
    const auto begin = std::chrono::steady_clock::now();
    const volatile unsigned* const running = state_->running;
    while (std::count(running, running + blocks, 1U) < blocks) {
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(20)) {
            release();
            throw std::runtime_error("the hog's blocks do not all run at once");
        }
    }
}

bool hog::release() {
    *static_cast<volatile unsigned*>(&state_->let_go) = 1;
    const cudaError_t code = cudaStreamSynchronize(stream_);
    return code == cudaSuccess && *static_cast<volatile unsigned*>(&state_->gave_up) == 0;
}

hog::~hog() {
    release();
    cudaFreeHost(state_);
}

}  // namespace lookback::test

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    // A kernel that is loaded at its first launch would wait for running kernels, and streams that
    // share a queue would wait for each other. Beside a hog, neither may happen.
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    int devices = 0;
    const cudaError_t code = cudaGetDeviceCount(&devices);
    if (code != cudaSuccess || devices == 0) {
        std::printf("no CUDA device (%s): nothing was tested\n", cudaGetErrorString(code));
        return 77;
    }
    return RUN_ALL_TESTS();
}
