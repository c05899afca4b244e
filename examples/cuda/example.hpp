// What the examples on a GPU share: arrays on the device, and errors that say what failed.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

inline void check(cudaError_t code, const char* what) {
    if (code != cudaSuccess) {
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code));
    }
}

template <class T>
class device_array {
 public:
    explicit device_array(std::size_t items) : items_(items) {
        check(cudaMalloc(&data_, (items > 0 ? items : 1) * sizeof(T)), "allocating");
    }
    explicit device_array(const std::vector<T>& values) : device_array(values.size()) {
        check(cudaMemcpy(data_, values.data(), items_ * sizeof(T), cudaMemcpyHostToDevice),
              "copying to the device");
    }
    ~device_array() { cudaFree(data_); }
    device_array(const device_array&) = delete;
    device_array& operator=(const device_array&) = delete;

    T* data() const { return data_; }
    /// Waits for the device first.
    std::vector<T> get() const {
        std::vector<T> values(items_);
        check(cudaMemcpy(values.data(), data_, items_ * sizeof(T), cudaMemcpyDeviceToHost),
              "copying from the device");
        return values;
    }

 private:
    T* data_ = nullptr;
    std::size_t items_;
};

/// Runs an example, which returns whether its results were right. Returns the status for main: 77
/// without a device.
inline int run_example(bool (*example)()) {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::printf("no CUDA device: nothing was run\n");
        return 77;
    }
    try {
        return example() ? 0 : 1;
    } catch (const std::exception& e) {
        std::printf("%s\n", e.what());
        return 1;
    }
}
