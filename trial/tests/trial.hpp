// What every trial needs: many simulations, each from a seed; and arrays on the simulated GPU.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "lookback/scan.hpp"
#include "simulator/gpu.hpp"

#if defined(LOOKBACK_TRIAL_INSTRUMENTED) && !defined(LOOKBACK_TRIAL_HAS_MEMCPY)
#error "simulator/instrumented.hpp has to be included first"
#endif

namespace lookback::trial {

/// Draws the parts of a case: sizes, types, places.
class case_choices : public random_choices {
 public:
    using random_choices::random_choices;
    bool coin() { return one_in(2); }
    template <class T>
    const T& of(const std::vector<T>& some) {
        return some[below(some.size())];
    }
    /// What was drawn, for the report.
    std::string text;
    template <class T>
    T said(const std::string& name, T value) {
        text += (text.empty() ? "" : ", ") + name + " " + std::to_string(value);
        return value;
    }
    /// A number of items: none to a few tiles, often near the edges of tiles and warps.
    std::uint64_t size_around(std::uint64_t tile, std::uint64_t most_tiles) {
        std::uint64_t n = 0;
        if (coin()) {
            n = between(0, most_tiles) * tile + of<std::uint64_t>({0, 1, 2, 31, 32, 33, 1000});
            n -= std::min(n, of<std::uint64_t>({0, 0, 1, 2, 33}));
        } else {
            n = below(one_in(4) ? 100 : most_tiles * tile);
        }
        return said("n", std::min(n, most_tiles * tile));
    }
    /// By how many items an array begins off a boundary: mostly none.
    std::uint64_t shift() { return said("shift", one_in(3) ? below(5) : 0); }
};

/// Draws the driver, and the number of blocks, for the calls on `gpu`.
inline void choose_driver(case_choices& choices, lookback::gpu& gpu) {
    using detail::device::access;
    if (choices.one_in(3)) access::use_pipeline(gpu, false);
    if (choices.one_in(3)) access::copy_in_bulk(gpu, false);
    if (choices.coin()) access::use_small(gpu, false);
    if (choices.coin()) access::start_last_block_first(gpu, true);
    if (choices.one_in(3)) access::limit_blocks(gpu, static_cast<unsigned>(choices.between(1, 5)));
}

/// Sometimes gives the next launch on `gpu` the last epoch. Epochs then begin again, and the status
/// words, of values of type A, are cleared. (No other epoch may be given twice: tiles would take
/// old words for new ones.)
template <class A>
void choose_epoch(case_choices& choices, lookback::gpu& gpu) {
    if (choices.one_in(8)) {
        choices.said("last number", true);
        detail::device::access::set_epoch<A>(gpu, 0xffffffffU);
    }
}

/// A stream that does not wait for the default stream.
class gpu_stream {
 public:
    gpu_stream() { cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking); }
    ~gpu_stream() { cudaStreamDestroy(stream_); }
    gpu_stream(const gpu_stream&) = delete;
    gpu_stream& operator=(const gpu_stream&) = delete;
    operator cudaStream_t() const { return stream_; }

 private:
    cudaStream_t stream_ = nullptr;
};

/// Starts a kernel of a test.
template <class... Parameters, class... Arguments>
void start_kernel(cudaStream_t stream, void (*kernel)(Parameters...), unsigned blocks,
                  unsigned threads, bool may_start_early, const Arguments&... arguments) {
    cudaLaunchAttribute early{};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t how{};
    how.gridDim = dim3(blocks);
    how.blockDim = dim3(threads);
    how.stream = stream;
    how.attrs = &early;
    how.numAttrs = may_start_early ? 1 : 0;
    if (cudaLaunchKernelEx(&how, kernel, arguments...) != cudaSuccess) {
        throw failure("a kernel of the test was not launched");
    }
}

/// Calls `body` in one simulation after another. There are `schedules` simulations; if
/// LOOKBACK_TRIAL_SECONDS is set, as many as fit into this test's share of that time, from a random
/// seed on; if LOOKBACK_TRIAL_SEED is set, only that one. Stops at the first failure, and says how
/// to repeat it.
void for_schedules(int schedules, const std::function<void(case_choices&)>& body);

/// An array on the simulated GPU: `items` items, poisoned, `shift` items off a boundary of 256
/// bytes. The simulation reports every access outside the array.
template <class T>
class gpu_array {
 public:
    explicit gpu_array(std::uint64_t items, std::uint64_t shift = 0)
        : items_(items), shift_(shift) {
        if (cudaMalloc(&memory_, bytes()) != cudaSuccess) {
            throw failure("the simulated GPU has no memory for " + std::to_string(items) +
                          " items");
        }
        cudaMemset(memory_, poison, bytes());
        cudaStreamSynchronize(nullptr);  // other streams do not wait for the default stream
    }
    explicit gpu_array(const std::vector<T>& values, std::uint64_t shift = 0)
        : gpu_array(values.size(), shift) {
        set(values);
    }
    ~gpu_array() { cudaFree(memory_); }
    gpu_array(const gpu_array&) = delete;
    gpu_array& operator=(const gpu_array&) = delete;

    T* data() { return reinterpret_cast<T*>(memory_) + shift_; }
    /// Writes these values from item `first` on.
    void set(const std::vector<T>& values, std::uint64_t first = 0) {
        if (!values.empty()) {
            cudaMemcpy(data() + first, values.data(), values.size() * sizeof(T),
                       cudaMemcpyHostToDevice);
        }
    }
    /// Returns items after the GPU has finished its work.
    std::vector<T> get(std::uint64_t items, std::uint64_t first = 0) {
        std::vector<T> values(items);
        cudaDeviceSynchronize();
        if (items > 0) {
            cudaMemcpy(values.data(), data() + first, items * sizeof(T), cudaMemcpyDeviceToHost);
        }
        return values;
    }
    std::vector<T> get() { return get(items_); }
    std::uint64_t items() const { return items_; }
    /// Whether everything is untouched but the `used` items from item `first` on.
    bool is_untouched_around(std::uint64_t used, std::uint64_t first = 0) {
        std::vector<unsigned char> all(bytes());
        cudaDeviceSynchronize();
        cudaMemcpy(all.data(), memory_, bytes(), cudaMemcpyDeviceToHost);
        const std::size_t begin = (shift_ + first) * sizeof(T), end = begin + used * sizeof(T);
        for (std::size_t i = 0; i < all.size(); ++i) {
            if ((i < begin || i >= end) && all[i] != poison) return false;
        }
        return true;
    }

 private:
    static constexpr int poison = 0xA5;
    std::size_t bytes() const { return (items_ + shift_) * sizeof(T); }

    std::uint64_t items_, shift_;
    unsigned char* memory_ = nullptr;
};

/// Names the first item that differs.
template <class T>
::testing::AssertionResult same_items(const std::vector<T>& got, const std::vector<T>& want) {
    if (got.size() != want.size()) {
        return ::testing::AssertionFailure() << got.size() << " items, expected " << want.size();
    }
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (std::memcmp(&got[i], &want[i], sizeof(T)) != 0) {
            return ::testing::AssertionFailure()
                   << "item " << i << " of " << got.size() << " is wrong";
        }
    }
    return ::testing::AssertionSuccess();
}

}  // namespace lookback::trial
