/// \file
/// What calls of window_kernels.hpp work with. Everything runs on the default stream, and so in
/// order.
#pragma once

#include <cuda_runtime.h>

#include <utility>

#include "lookback/gpu.hpp"
#include "window_kernels.hpp"

namespace lookback::on_gpu {

struct window_memory::state {
    struct array {
        void* at = nullptr;
        std::size_t bytes = 0;
    };

    lookback::gpu gpu;
    array arrays[3];
    array wanted;

    state() = default;
    state(const state&) = delete;
    state& operator=(const state&) = delete;
    ~state() {
        for (const array& a : arrays) cudaFree(a.at);
        cudaFree(wanted.at);
    }

    /// Room for `items` items in `a`. Its earlier content is lost.
    template <class T>
    static T* room(array& a, std::size_t items) {
        const std::size_t bytes = items * sizeof(T);
        if (a.bytes < bytes) {
            detail::device::check(cudaFree(std::exchange(a, {}).at), "freeing device memory");
            detail::device::check(cudaMalloc(&a.at, bytes), "allocating device memory");
            a.bytes = bytes;
        }
        return static_cast<T*>(a.at);
    }
};

template <class T>
void copy_items(T* to, const T* from, std::size_t items, cudaMemcpyKind way) {
    detail::device::check(cudaMemcpy(to, from, items * sizeof(T), way),
                          "copying to or from the GPU");
}

/// Copies the items of `in` to an array on the GPU.
template <class T>
T* upload(window_memory::state::array& a, const T* in, std::size_t items) {
    T* const there = window_memory::state::room<T>(a, items);
    copy_items(there, in, items, cudaMemcpyHostToDevice);
    return there;
}

/// The same, with an item `first` before them.
template <class T>
T* upload_behind(T first, window_memory::state::array& a, const T* in, std::size_t items) {
    T* const there = window_memory::state::room<T>(a, items + 1);
    copy_items(there, &first, 1, cudaMemcpyHostToDevice);
    copy_items(there + 1, in, items, cudaMemcpyHostToDevice);
    return there;
}

/// Copies items back. It waits until they are computed.
template <class T>
void download(T* out, const T* there, std::size_t items) {
    copy_items(out, there, items, cudaMemcpyDeviceToHost);
}

}  // namespace lookback::on_gpu
