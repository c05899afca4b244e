/// \file
/// What a strategy needs of a CUDA GPU: a stream, and memory between its kernels.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

#include "lookback/scan.hpp"

namespace lookback::strategies {

using detail::device::check;

class device {
 public:
    explicit device(cudaStream_t stream = nullptr) : gpu_(stream) {
        int current = 0;
        check(cudaGetDevice(&current), "finding the current device");
        check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, current),
              "asking the device for its multiprocessors");
    }
    device(const device&) = delete;
    device& operator=(const device&) = delete;
    ~device() {
        cudaStreamSynchronize(stream());
        cudaFree(memory_);
    }

    cudaStream_t stream() const { return gpu_.stream(); }
    lookback::gpu& gpu() { return gpu_; }
    int multiprocessors() const { return multiprocessors_; }

    /// Returns at least `bytes` bytes, on a boundary of 256 bytes, which are valid until the next
    /// call. The memory grows when needed, which waits for the stream; so it must not grow while
    /// the stream is captured.
    std::byte* memory(std::size_t bytes) {
        if (bytes_ < bytes) {
            check(cudaStreamSynchronize(stream()), "waiting for the stream");
            check(cudaFree(memory_), "giving memory back");
            memory_ = nullptr;
            bytes_ = 0;
            check(cudaMalloc(&memory_, bytes), "allocating device memory");
            bytes_ = bytes;
        }
        return static_cast<std::byte*>(memory_);
    }

 private:
    lookback::gpu gpu_;
    int multiprocessors_ = 0;
    void* memory_ = nullptr;
    std::size_t bytes_ = 0;
};

/// Starts a kernel on the stream, in one-dimensional blocks.
template <class... Parameters, class... Arguments>
void start(const device& gpu, void (*kernel)(Parameters...), std::uint64_t blocks, int threads,
           const Arguments&... arguments) {
    cudaLaunchConfig_t how{};
    how.gridDim = dim3(static_cast<unsigned>(blocks));
    how.blockDim = dim3(static_cast<unsigned>(threads));
    how.stream = gpu.stream();
    check(cudaLaunchKernelEx(&how, kernel, static_cast<Parameters>(arguments)...),
          "launching a strategy's kernel");
}

/// Cuts the memory of a call into arrays. Without memory it only counts the bytes that they need.
class carver {
 public:
    explicit carver(std::byte* memory = nullptr) : memory_(memory) {}
    template <class T>
    T* take(std::uint64_t items) {
        T* const at = memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + bytes_);
        bytes_ += (items * sizeof(T) + 255) / 256 * 256;
        return at;
    }
    std::size_t bytes() const { return bytes_; }

 private:
    std::byte* memory_;
    std::size_t bytes_ = 0;
};

inline constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
}

}  // namespace lookback::strategies
