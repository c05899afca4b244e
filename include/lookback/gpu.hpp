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

/// Facts about a kernel that CUDA is asked for once for each lookback::gpu. They are not kept for
/// longer, because a device that is reset forgets the attributes of its kernels; no lookback::gpu
/// outlives a reset.
struct kernel_facts {
    int resident_blocks;  ///< blocks that run at once on one multiprocessor
    int architecture;     ///< the architecture it was compiled for: 90 for compute_90
    int cluster_blocks;   ///< blocks of its largest cluster on this device
    int clusters;         ///< clusters of cluster_blocks blocks that run at once
};

}  // namespace detail::device

/// One stream of the current device, and the workspace that scans on it share.
///
///     lookback::gpu gpu{stream};
///     lookback::inclusive_scan(gpu, d_in, d_in + n, d_out);
///
/// Calls are asynchronous, in the order of the stream. Unless its contract says otherwise, a call
/// is one kernel launch, without synchronisation, and without allocation once the workspace is
/// large enough. (The workspace grows by itself; growing waits for the stream.) While a graph is
/// captured the workspace cannot grow: call `reserve` before. A graph may be replayed as long as
/// the object lives, with other data in the same arrays.
///
/// Scans use programmatic dependent launch: a scan may start while the kernel before it is ending,
/// and the kernel after the scan may do the same, but not before the kernel ahead of the scan has
/// ended. If you launch a kernel in this way after a scan, it has to call
/// cudaGridDependencySynchronize, which waits for all scans before it. Kernels launched in the
/// usual way wait by themselves.
///
/// Selections, partitions, runs, and scans of segments and of rows, of few items, are cooperative
/// launches: they start when all their blocks can run at once. These are at most 128 blocks, 256
/// for a partition into one output. So they do not start beside a kernel of yours that holds the
/// multiprocessors while it waits for their results.
///
/// One object serves one stream at a time: two scans that run at the same time need an object each,
/// and so do graphs that are replayed at the same time. Debug builds (no NDEBUG) stop a kernel that
/// finds its workspace in use. Several host threads may call with one object: each call enqueues
/// its work as a whole, and a call that returns a count makes the others wait until it has the
/// count. (But each thread has its own cudaStreamPerThread: an object on that stream belongs to one
/// thread.)
///
/// The stream must outlive the object, whose destructor waits for it. The device must not be reset
/// before the object is destroyed. Memory is allocated and freed on the object's device; this is
/// also allowed while other streams are being captured.
class gpu {
 public:
    /// `memory` is where device memory for the workspace comes from; cudaMalloc by default. Errors:
    /// cuda_error where CUDA has no device.
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

    /// Throws std::invalid_argument if the current device is not the one that the object was made
    /// for.
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
    /// A. Memory: 8 bytes for each 5,440 accumulators of 4 bytes, 16 bytes for each 5,440
    /// accumulators of 8 bytes; at least as much as 1,024 such tiles need. Errors: cuda_error if
    /// memory cannot be allocated, or if the workspace has to grow while a graph is captured;
    /// std::invalid_argument if another device is current.
    template <class A>
    void reserve(std::uint64_t items) {
        const auto whole = begin_call();
        region<A>(detail::device::most_tiles<A>(items));
    }
    /// The same for accumulators of up to 8 bytes, for compactions and runs of items of up to 8
    /// bytes, and for folds and scans of values of up to 8 bytes by segments, all of them in place
    /// too. Memory: 48 bytes for each 2,240 items. For wider items or values, a call with
    /// as many items before the capture, in place if that is, makes the room; for scans along an
    /// axis, lookback::reserve does (axis_scan.hpp).
    void reserve(std::uint64_t items) {
        const auto whole = begin_call();
        const std::uint64_t kept = 2 * (items / detail::device::least_compaction_tile + 1);
        region<std::uint32_t>(std::max(kept, detail::device::most_tiles<std::uint32_t>(items)));
        region<std::uint64_t>(std::max(kept, detail::device::most_tiles<std::uint64_t>(items)));
    }

    /// Makes the scratch memory large enough for calls that need some; their contract says how
    /// much. It also grows by itself, under the same rules as the workspace. Errors: those of
    /// `reserve`.
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

    // The first step of every call. While the result lives, calls of other threads wait.
    [[nodiscard]] std::unique_lock<std::recursive_mutex> begin_call() {
        std::unique_lock<std::recursive_mutex> whole(calls_);
        check_device();
        return whole;
    }

    // The region for accumulators of type A, with room for `tiles` tiles.
    template <class A>
    detail::device::workspace_view<A> region(std::uint64_t tiles) {
        constexpr std::size_t each = detail::device::status_bytes<A>;
        constexpr std::uint64_t least = detail::device::least_region_tiles;
        memory_region& r = regions_[static_cast<int>(detail::device::format_of<A>)];
        if (r.bytes < detail::device::region_bytes(tiles, each)) {
            ensure(r, detail::device::region_bytes(std::max(tiles, least), each),
                   "gpu::reserve before, or lookback::reserve for an axis");
        }
        return {r.at, (r.bytes - sizeof(detail::device::claim_counter)) / each};
    }

    // At least `bytes` bytes of scratch memory, which hold a call's data until the next call.
    void* scratch(std::size_t bytes) {
        if (scratch_.bytes < bytes) ensure(scratch_, bytes, "gpu::reserve_scratch before");
        return scratch_.at;
    }

    // At least `bytes` bytes that are 0 when a call begins and that the call leaves at 0.
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

    // Makes a region at least `bytes` large: the only place that allocates. All its bytes are then
    // 0, except for the epoch in the counter, in regions that have one. Graphs may hold the address
    // of the old memory, so the old memory is kept. The new memory is at least twice as large, so
    // that all the old memory together is no larger than the new.
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
        if (r.at != nullptr) retired_.push_back(r);  // the reserve above made room
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
    bool copies_in_bulk_ = true;     // tests: false is a GPU without bulk copies
    bool small_ = true;              // tests: false uses the drivers for many items
    unsigned most_blocks_ = 0;       // tests: a limit on blocks; 0 is none
    bool last_block_first_ = false;  // tests: acts as if blocks started in the wrong order
    memory_region regions_[3];
    memory_region scratch_;
    memory_region zeros_;
    std::vector<memory_region> retired_;
    std::unordered_map<const void*, detail::device::kernel_facts> facts_;  // by kernel
    std::recursive_mutex calls_;  // held by each call from its checks to its last launch
};

}  // namespace lookback
