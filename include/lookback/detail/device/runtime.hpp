/// \file
/// The host's interface to the CUDA runtime: errors, device memory, the current device.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory_resource>
#include <stdexcept>
#include <string>

namespace lookback {

/// Thrown where a call of CUDA has failed, or cannot be made.
class cuda_error : public std::runtime_error {
 public:
    cuda_error(const std::string& what, cudaError_t code)
        : std::runtime_error("lookback: " + what + ": " + cudaGetErrorString(code)), code_(code) {}
    cudaError_t code() const { return code_; }

 private:
    cudaError_t code_;
};

namespace detail::device {

inline void check(cudaError_t code, const char* what) {
    if (code == cudaSuccess) return;
    // Clears the error, where CUDA can, so that the next call does not see it.
    cudaGetLastError();
    throw cuda_error(what, code);
}

/// Device memory from cudaMalloc.
class device_memory final : public std::pmr::memory_resource {
    void* do_allocate(std::size_t bytes, std::size_t) override {
        void* p = nullptr;
        device::check(cudaMalloc(&p, bytes),
                      ("allocating " + std::to_string(bytes) + " bytes of device memory").c_str());
        return p;
    }
    void do_deallocate(void* p, std::size_t, std::size_t) override { cudaFree(p); }
    bool do_is_equal(const memory_resource& other) const noexcept override {
        return this == &other;
    }
};

inline std::pmr::memory_resource* default_memory() {
    static device_memory memory;
    return &memory;
}

/// While it lives, this thread may allocate and free device memory, although another thread
/// captures a graph in global mode.
class beside_captures {
 public:
    beside_captures() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    ~beside_captures() { cudaThreadExchangeStreamCaptureMode(&mode_); }
    beside_captures(const beside_captures&) = delete;
    beside_captures& operator=(const beside_captures&) = delete;

 private:
    cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

/// While it lives, this device is the current one. It is used by destructors, so it does not throw
/// on failure.
class with_device {
 public:
    explicit with_device(int device) : mine_(device) {
        if (cudaGetDevice(&before_) != cudaSuccess) before_ = mine_;
        if (before_ != mine_) cudaSetDevice(mine_);
    }
    ~with_device() {
        if (before_ != mine_) cudaSetDevice(before_);
    }
    with_device(const with_device&) = delete;
    with_device& operator=(const with_device&) = delete;

 private:
    int mine_;
    int before_ = 0;
};

}  // namespace detail::device
}  // namespace lookback
