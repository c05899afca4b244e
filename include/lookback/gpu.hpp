/// \file
/// Where a primitive runs: a CUDA GPU, in programs compiled by nvcc.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "lookback/detail/device/runtime.hpp"
#include "lookback/detail/device/tuning.hpp"
#include "lookback/detail/device/workspace.hpp"

namespace lookback {

namespace detail::device {

struct access;

/// What is asked of CUDA about a kernel, once for each lookback::gpu: a device that is reset
/// forgets what was set for its kernels, and no lookback::gpu outlives that.
struct kernel_facts {
    int resident_blocks;  ///< that run at once on one multiprocessor
    int architecture;     ///< that it was compiled for: 90 for compute_90
    int cluster_blocks;   ///< of its largest cluster here
    int clusters;         ///< of so many blocks that run at once
};

}  // namespace detail::device

/// One stream of the current device, and the workspace that scans on it share.
///
///     lookback::gpu gpu{stream};
///     lookback::inclusive_scan(gpu, d_in, d_in + n, d_out);
///
/// Calls are asynchronous, in the order of the stream: one kernel each, unless their contract says
/// otherwise, no synchronisation, and no allocation once the workspace is large enough (it grows by
/// itself, which waits for the stream).
/// Inside the capture of a graph it cannot grow: `reserve` first. A graph may be replayed for as
/// long as the object lives, with other data in the same arrays.
///
/// Scans are launched so that they may start while the kernel before them ends, and let the next do
/// the same once that one has ended (programmatic dependent launch). A kernel of yours that is
/// launched in that way after a scan has to call cudaGridDependencySynchronize, which waits for all
/// scans before it; others wait by themselves.
///
/// Selections, partitions, runs and scans of segments of few items are cooperative launches: they
/// start when all their blocks, 128 at most (256 of a partition into one output), can run at once;
/// so not beside a kernel of yours that holds the multiprocessors and waits for their results.
///
/// One object serves one stream at a time: two scans that run at once need an object each, and so
/// do graphs that are replayed at once. Debug builds (no NDEBUG) stop a kernel that finds its
/// workspace in use. Several host threads may call with one object: each call enqueues its work as
/// a whole, and one that returns a count keeps the others waiting until it has it. (But each thread
/// has a cudaStreamPerThread of its own: an object on that one is its thread's.)
///
/// The stream must outlive the object, which waits for it at its end; so does the device, which may
/// not be reset before. Memory is allocated and freed on the object's device, and beside captures
/// of other streams.
class gpu {
 public:
    /// `memory` gives device memory for the workspace; cudaMalloc by default.
    explicit gpu(cudaStream_t stream = nullptr,
                 std::pmr::memory_resource* memory = detail::device::default_memory())
        : stream_(stream), memory_(memory) {
        detail::device::check(cudaGetDevice(&device_), "finding the current device");
        detail::device::check(
            cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device_),
            "asking the device for its multiprocessors");
        int major = 0;
        detail::device::check(
            cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device_),
            "asking the device for its compute capability");
        detail::device::check(
            cudaDeviceGetAttribute(&most_shared_bytes_, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                   device_),
            "asking the device for its shared memory");
        pipelines_ = major >= 9;
        int cooperates = 0;
        detail::device::check(
            cudaDeviceGetAttribute(&cooperates, cudaDevAttrCooperativeLaunch, device_),
            "asking the device whether launches can start as a whole");
        starts_together_ = cooperates != 0;
    }
    gpu(const gpu&) = delete;
    gpu& operator=(const gpu&) = delete;
    ~gpu() {
        const detail::device::with_device mine(device_);
        const detail::device::beside_captures others;
        bool any = false;
        for (const auto& r : regions_) any = any || r.at != nullptr;
        if (any || scratch_.at != nullptr || zeros_.at != nullptr) cudaStreamSynchronize(stream_);
        for (auto& r : regions_) release(r);
        release(scratch_);
        release(zeros_);
        for (auto& r : retired_) release(r);
    }

    friend gpu& execution_of(gpu& where) { return where; }

    cudaStream_t stream() const { return stream_; }

    /// Throws std::invalid_argument where another device is current than the one it was made for.
    void check_device() const {
        int current = 0;
        detail::device::check(cudaGetDevice(&current), "finding the current device");
        if (current != device_) {
            throw std::invalid_argument(
                "lookback: the current device is " + std::to_string(current) +
                "; expected the one that this lookback::gpu was made for, " +
                std::to_string(device_));
        }
    }

    /// Makes the workspace large enough for scans of up to `items` items with accumulators of type
    /// A. Memory: 8 bytes for each 5,440 accumulators of 4 bytes, 16 for as many of 8 bytes;
    /// room for 1,024 such tiles at least. Errors: cuda_error where memory cannot be had, and
    /// inside the capture of a graph; std::invalid_argument where another device is current.
    template <class A>
    void reserve(std::uint64_t items) {
        const auto whole = begin_call();
        region<A>(detail::device::most_tiles<A>(items));
    }
    /// The same for accumulators of up to 8 bytes, and for the primitives that keep or drop items,
    /// of up to 8 bytes, or fold or scan values of up to 4 by segments, in place too. Memory: 48
    /// bytes for each 2,240 items. For wider ones, a call before the capture, with as many items,
    /// makes the room; for scans along an axis, lookback::reserve (axis_scan.hpp).
    void reserve(std::uint64_t items) {
        const auto whole = begin_call();
        const std::uint64_t kept = 2 * (items / detail::device::least_compaction_tile + 1);
        region<std::uint32_t>(std::max(kept, detail::device::most_tiles<std::uint32_t>(items)));
        region<std::uint64_t>(std::max(kept, detail::device::most_tiles<std::uint64_t>(items)));
    }

    /// Makes the scratch memory large enough for calls that need some, and say how much in their
    /// contract. It grows by itself, under the rules of the workspace. Errors: those of `reserve`.
    void reserve_scratch(std::size_t bytes) {
        const auto whole = begin_call();
        scratch(bytes);
    }

 private:
    friend struct detail::device::access;
    template <class>
    friend class prefix_workspace;

    struct memory_region {
        void* at = nullptr;
        std::size_t bytes = 0;
    };

    // What every call does first. While the result lives, no call of another thread comes between.
    [[nodiscard]] std::unique_lock<std::recursive_mutex> begin_call() {
        std::unique_lock<std::recursive_mutex> whole(calls_);
        check_device();
        return whole;
    }

    // The region for accumulators of type A, with room for `tiles` tiles.
    template <class A>
    detail::device::workspace_view<A> region(std::uint64_t tiles) {
        constexpr std::size_t each = detail::device::status_bytes<A>;
        constexpr std::uint64_t least = 1024;
        memory_region& r = regions_[static_cast<int>(detail::device::format_of<A>)];
        if (r.bytes < detail::device::region_bytes(tiles, each)) {
            ensure(r, detail::device::region_bytes(std::max(tiles, least), each),
                   "gpu::reserve before, or lookback::reserve for an axis");
        }
        return {r.at, (r.bytes - sizeof(detail::device::claim_counter)) / each};
    }

    // At least `bytes` bytes that a call may write as it likes, until the next one.
    void* scratch(std::size_t bytes) {
        if (scratch_.bytes < bytes) ensure(scratch_, bytes, "gpu::reserve_scratch before");
        return scratch_.at;
    }

    // At least `bytes` bytes that are 0 where a call begins, and that it leaves so.
    void* zeros(std::size_t bytes) {
        if (zeros_.bytes < bytes) ensure(zeros_, bytes, "the same once before");
        return zeros_.at;
    }

    void refuse_in_capture(const std::string& what) const {
        cudaStreamCaptureStatus capturing{};
        detail::device::check(cudaStreamIsCapturing(stream_, &capturing),
                              "asking whether the stream is captured");
        if (capturing != cudaStreamCaptureStatusNone) {
            throw cuda_error(what, cudaErrorStreamCaptureUnsupported);
        }
    }

    // Makes a region as large: the only place that allocates. All bytes are 0 then, but for the
    // epoch in the counter, where it has one. Graphs may know the old memory, so it is kept; the
    // new one is twice as large at least, so that all that is kept adds up to no more than that.
    void ensure(memory_region& r, std::size_t bytes, const char* before) {
        check_device();
        refuse_in_capture("the workspace has " + std::to_string(r.bytes) +
                          " bytes for this, the call needs " + std::to_string(bytes) +
                          ", and it cannot grow while the stream is captured; call " + before);
        const detail::device::beside_captures others;
        retired_.reserve(retired_.size() + 1);
        memory_region fresh;
        fresh.bytes = std::max(bytes, 2 * r.bytes);
        fresh.at = memory_->allocate(fresh.bytes, alignof(detail::device::claim_counter));
        cudaError_t code = cudaMemsetAsync(fresh.at, 0, fresh.bytes, stream_);
        if (code == cudaSuccess && &r != &scratch_ && &r != &zeros_) {
            auto* const epoch =
                static_cast<unsigned char*>(fresh.at) + 4;  // little-endian: the upper half
            code = cudaMemsetAsync(epoch, detail::device::first_epoch, 1, stream_);
        }
        if (code == cudaSuccess) code = cudaStreamSynchronize(stream_);
        if (code != cudaSuccess) release(fresh);
        detail::device::check(code, "clearing the workspace");
        if (r.at != nullptr) retired_.push_back(r);  // there is room
        r = fresh;
    }

    void release(memory_region& r) {
        if (r.at != nullptr) {
            memory_->deallocate(r.at, r.bytes, alignof(detail::device::claim_counter));
        }
        r = {};
    }

    cudaStream_t stream_;
    std::pmr::memory_resource* memory_;
    int device_ = 0;
    int multiprocessors_ = 0;
    int most_shared_bytes_ = 0;  // of a block
    bool pipelines_ = false;
    bool starts_together_ = false;
    bool copies_in_bulk_ = true;     // tests: or item by item
    bool small_ = true;              // tests: or the drivers for many items
    unsigned most_blocks_ = 0;       // tests: no more than these
    bool last_block_first_ = false;  // tests: as if blocks started in the wrong order
    memory_region regions_[3];
    memory_region scratch_;
    memory_region zeros_;
    std::vector<memory_region> retired_;
    std::unordered_map<const void*, detail::device::kernel_facts> facts_;  // by kernel
    std::recursive_mutex calls_;  // held by each from its checks to its last launch
};

}  // namespace lookback
