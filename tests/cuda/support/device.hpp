// What every GPU test needs: device memory, comparisons on the device, and a way to keep
// multiprocessors busy.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lookback::test {

/// Throws std::runtime_error, which names the failed action, if `code` is an error.
void check(cudaError_t code, const char* what);

/// True if there should be fewer and smaller cases: if LOOKBACK_REDUCED=1 is set, as by run-tests
/// under compute-sanitizer.
bool reduced();

/// Waits for the stream. Throws if it has failed, or if it does not end within a minute.
void wait_for(cudaStream_t stream);

inline constexpr int poison = 0xA5;  ///< every byte of memory that must not be written

/// A stream that does not wait for the default stream.
class stream {
 public:
    stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "a stream"); }
    ~stream() { cudaStreamDestroy(stream_); }
    stream(const stream&) = delete;
    stream& operator=(const stream&) = delete;
    operator cudaStream_t() const { return stream_; }
    void wait() const { wait_for(stream_); }

 private:
    cudaStream_t stream_ = nullptr;
};

/// Device memory, on a 256-byte boundary, poisoned.
template <class T>
class device_array {
 public:
    explicit device_array(std::size_t items) : items_(items) {
        check(cudaMalloc(&data_, (items + 1) * sizeof(T)), "allocating device memory");
        fill_with_poison();
    }
    explicit device_array(const std::vector<T>& values) : device_array(values.size()) {
        set(values);
    }
    ~device_array() { cudaFree(data_); }
    device_array(const device_array&) = delete;
    device_array& operator=(const device_array&) = delete;

    T* data() { return data_; }
    const T* data() const { return data_; }
    std::size_t size() const { return items_; }

    /// Both functions wait for the whole device first, and return when they are done.
    void fill_with_poison() {
        check(cudaDeviceSynchronize(), "running what was started");
        check(cudaMemset(data_, poison, (items_ + 1) * sizeof(T)), "poisoning");
        check(cudaDeviceSynchronize(), "poisoning");
    }
    void set(const std::vector<T>& values) {
        check(cudaDeviceSynchronize(), "running what was started");
        check(cudaMemcpy(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
              "copying to the device");
        check(cudaDeviceSynchronize(), "copying to the device");
    }
    std::vector<T> get() const {
        std::vector<T> values(items_);
        check(cudaDeviceSynchronize(), "running what was started");
        check(cudaMemcpy(values.data(), data_, items_ * sizeof(T), cudaMemcpyDeviceToHost),
              "copying from the device");
        return values;
    }

 private:
    T* data_ = nullptr;
    std::size_t items_;
};

/// What a comparison on the device found.
struct verdict {
    unsigned long long wrong;
    unsigned long long first;
};
__device__ inline void report(verdict* v, std::uint64_t at) {
    atomicAdd(&v->wrong, 1ULL);
    atomicMin(&v->first, static_cast<unsigned long long>(at));
}

/// Compares memory on the device, in the order of a stream.
class inspector {
 public:
    explicit inspector(cudaStream_t stream);
    ~inspector();
    inspector(const inspector&) = delete;
    inspector& operator=(const inspector&) = delete;

    /// Where a kernel on this stream reports, between `start` and `finish`.
    verdict* start();
    void finish();

    /// Starts to compare memory, and to compare `before` and `after` bytes beside it with the
    /// poison.
    void compare(const void* got, const void* want, std::size_t bytes, std::size_t before = 0,
                 std::size_t after = 0);

    /// Waits. Returns an empty string, or what the last comparison found. Positions are the
    /// reported ones divided by `unit`, counted from `origin`.
    std::string result(std::size_t unit = 1, std::size_t origin = 0);

 private:
    cudaStream_t stream_;
    verdict* on_device_ = nullptr;
    verdict* on_host_ = nullptr;
};

/// Occupies all but `free` multiprocessors, from construction until it is released, for 30 seconds
/// at most. Beside it nothing may be allocated or freed: CUDA would wait for it.
class hog {
 public:
    explicit hog(int free);
    ~hog();
    hog(const hog&) = delete;
    hog& operator=(const hog&) = delete;
    /// Releases the multiprocessors. Returns whether it had held them until now.
    bool release();

 private:
    struct shared_state;
    stream stream_;
    shared_state* state_ = nullptr;
};

}  // namespace lookback::test
