/// \file
/// The lookback::gpu of a stream, and what the calls of device_arrays.hpp share.
#pragma once

#include "lookback/gpu.hpp"
#include "table/device/device_arrays.hpp"

namespace lookback::on_device {

/// The lookback::gpu of this stream. The stream's device must be current.
gpu& gpu_at(const place& where);

/// Makes the device of a call current as long as this object lives.
class call {
 public:
    explicit call(const place& where) : current_(where.device), gpu_(gpu_at(where)) {}
    operator gpu&() const { return gpu_; }

 private:
    detail::device::with_device current_;
    gpu& gpu_;
};

/// Memory for a call: the caller's if given, or else memory of the stream, until the call is done.
class call_room {
 public:
    call_room(gpu& where, void* given, std::size_t bytes) : stream_(where.stream()), room_(given) {
        if (given != nullptr || bytes == 0) return;
        detail::device::check(cudaMallocAsync(&own_, bytes, stream_), "allocating memory");
        room_ = own_;
    }
    call_room(const call_room&) = delete;
    call_room& operator=(const call_room&) = delete;
    ~call_room() {
        if (own_ != nullptr) cudaFreeAsync(own_, stream_);
    }
    void* get() const { return room_; }

 private:
    cudaStream_t stream_;
    void* own_ = nullptr;
    void* room_;
};

/// The blocks of a kernel that has a thread for each of `groups` items, or groups of items.
inline unsigned blocks_for(std::size_t groups, unsigned threads) {
    return static_cast<unsigned>((groups + threads - 1) / threads);
}

[[noreturn]] void refuse(const char* what, item_type type);
[[noreturn]] void refuse_bytes(const char* what, std::size_t item_bytes);

}  // namespace lookback::on_device
