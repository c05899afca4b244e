/// \file
/// The device as the benchmarks use it: one stream, the arrays that all cells share, and how a call
/// is timed.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lookback/gpu.hpp"
#include "result.hpp"

namespace lookback::bench {

using detail::device::check;

/// Something to be timed: `call` enqueues it on the session's stream.
struct implementation {
    std::string name;
    std::function<void()> call;
    bool waits = false;  ///< for the device, so that a graph cannot contain the call
};

class session {
 public:
    /// Allocates `arrays` arrays, two at least, of `most_bytes` each, or of as much as the device
    /// has room for.
    session(std::uint64_t most_bytes, int arrays);
    session(const session&) = delete;
    session& operator=(const session&) = delete;
    ~session();

    cudaStream_t stream() const { return stream_; }
    lookback::gpu& gpu() { return gpu_; }
    std::uint64_t array_bytes() const { return array_bytes_ - first_byte_; }
    void* array(int number) const {
        return static_cast<char*>(arrays_[static_cast<std::size_t>(number)]) + first_byte_;
    }
    /// array() begins so many bytes behind a boundary of 256 bytes from now on. The arrays are as
    /// much shorter.
    void begin_at(std::size_t byte) { first_byte_ = byte; }
    /// The first two arrays, always on a boundary.
    void* in() const { return arrays_[0]; }
    void* out() const { return arrays_[1]; }
    /// A number in device memory, for checks.
    std::uint64_t* flag() const { return flag_; }
    void synchronise() const { check(cudaStreamSynchronize(stream_), "running on the device"); }

    /// Device memory for a peer. It is kept: each call with this `slot` gets the same memory.
    void* scratch(int slot, std::size_t bytes);

    /// Times implementations on the device, interleaved: replays of graphs, or plain calls for
    /// those that wait. If a call cannot be timed, `trouble` says why.
    times device_times(const std::vector<implementation>& all, std::string& trouble) const;
    /// How long a plain call keeps the host.
    times host_times(const std::vector<implementation>& all) const;

 private:
    struct stream_owner {
        stream_owner() { check(cudaStreamCreate(&stream), "creating a stream"); }
        stream_owner(const stream_owner&) = delete;
        stream_owner& operator=(const stream_owner&) = delete;
        ~stream_owner() { cudaStreamDestroy(stream); }
        cudaStream_t stream = nullptr;
    };
    struct memory {
        void* at = nullptr;
        std::size_t bytes = 0;
    };

    stream_owner owner_;
    cudaStream_t stream_ = owner_.stream;
    lookback::gpu gpu_{stream_};
    std::uint64_t array_bytes_ = 0;
    std::vector<void*> arrays_;
    std::size_t first_byte_ = 0;
    std::uint64_t* flag_ = nullptr;
    std::vector<memory> scratch_;
};

/// Copies `bytes` bytes, a multiple of 16, with a kernel.
void copy(session& s, const void* from, void* to, std::uint64_t bytes);
/// The copies of so many bytes from in() to out() that calls are compared with.
std::vector<implementation> copies(session& s, std::uint64_t bytes);
/// The launch of a kernel that does nothing.
implementation empty_launch(const session& s);

}  // namespace lookback::bench
