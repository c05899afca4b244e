/// \file
/// From a problem to one kernel launch: the driver, by type and number of items; its tiles; its
/// blocks.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "lookback/cuda/execution.hpp"
#include "lookback/cuda/light.hpp"
#include "lookback/cuda/pipelined.hpp"
#include "lookback/cuda/staged.hpp"
#include "lookback/cuda/tuning.hpp"

namespace lookback::detail::gpu {

/// How many blocks of a kernel run at once on one multiprocessor. Asked once for each device.
template <auto kernel>
int resident_blocks(int device, int threads, int shared_bytes) {
    static std::array<std::atomic<int>, 64> known{};
    auto& cached = known[static_cast<std::size_t>(device) % known.size()];
    int blocks = cached.load(std::memory_order_relaxed);
    if (blocks > 0) return blocks;
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
          "asking for shared memory");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes),
          "asking how many blocks a multiprocessor holds");
    cached.store(blocks, std::memory_order_relaxed);
    return blocks;
}

/// What launches, and tests, may know of an execution.
struct access {
    template <class A>
    static workspace_view<A> region(cuda& gpu, std::uint64_t tiles) {
        return gpu.region<A>(tiles);
    }

    /// As many blocks as fit, or as there are tiles; one at least.
    template <auto kernel>
    static unsigned blocks(const cuda& gpu, std::uint64_t tiles, int threads, int shared_bytes) {
        const int resident = resident_blocks<kernel>(gpu.device_, threads, shared_bytes);
        std::uint64_t most =
            static_cast<std::uint64_t>(resident) * static_cast<std::uint64_t>(gpu.multiprocessors_);
        if (gpu.most_blocks_ > 0) most = std::min<std::uint64_t>(most, gpu.most_blocks_);
        return static_cast<unsigned>(std::max<std::uint64_t>(1, std::min(tiles, most)));
    }

    static bool is_sm90(const cuda& gpu) { return gpu.major_ >= 9; }
    static bool copies_in_bulk(const cuda& gpu, int shared_bytes) {
        constexpr int static_bytes = 4096;
        return gpu.copies_in_bulk_ && shared_bytes + static_bytes <= gpu.most_shared_bytes_;
    }
    static bool last_block_first(const cuda& gpu) { return gpu.last_block_first_; }

    // For tests.
    static void copy_in_bulk(cuda& gpu, bool yes) { gpu.copies_in_bulk_ = yes; }
    static void limit_blocks(cuda& gpu, unsigned most) { gpu.most_blocks_ = most; }
    static void start_last_block_first(cuda& gpu, bool yes) { gpu.last_block_first_ = yes; }
    template <class A>
    static void set_epoch(cuda& gpu, std::uint32_t epoch) {
        const std::uint64_t word = std::uint64_t{epoch} << 32;
        check(cudaMemcpyAsync(gpu.region<A>(1).counter, &word, sizeof(word), cudaMemcpyHostToDevice,
                              gpu.stream()),
              "setting the epoch");
        check(cudaStreamSynchronize(gpu.stream()), "setting the epoch");
    }
};

inline std::uint64_t tiles_for(std::uint64_t items, std::uint64_t tile_items) {
    return items / tile_items + (items % tile_items != 0);
}

/// Starts a kernel that calls wait_for_previous_kernel.
template <auto kernel, class... Arguments>
void start(cuda& gpu, std::uint64_t blocks, int threads, int shared_bytes,
           const Arguments&... arguments) {
    cudaLaunchAttribute may_start_early{};
    may_start_early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    may_start_early.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t how{};
    how.gridDim = dim3(static_cast<unsigned>(blocks));
    how.blockDim = dim3(static_cast<unsigned>(threads));
    how.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes);
    how.stream = gpu.stream();
    how.attrs = &may_start_early;
    how.numAttrs = access::is_sm90(gpu) ? 1 : 0;
    check(cudaLaunchKernelEx(&how, kernel, arguments...), "launching a scan");
}

/// Whether the pipelined driver can run this; if so, it has been started.
template <class Problem, class Workspace>
bool launch_pipelined(cuda& gpu, const Problem& problem, const Workspace& workspace,
                      std::uint64_t tiles) {
    if constexpr (Problem::can_be_aligned) {
        using A = typename Problem::value_type;
        constexpr large_shape shape = large<sizeof(A)>;
        using ring = pipeline<A, shape.warps, shape.stages, shape.lead>;
        if (problem.aligned && access::copies_in_bulk(gpu, ring::shared_bytes)) {
            constexpr auto kernel = pipelined_kernel<Problem, ring>;
            start<kernel>(gpu,
                          access::blocks<kernel>(gpu, tiles, ring::threads, ring::shared_bytes),
                          ring::threads, ring::shared_bytes, problem, workspace);
            return true;
        }
    }
    return false;
}

template <class Problem>
void launch_large(cuda& gpu, const Problem& problem) {
    using A = typename Problem::value_type;
    constexpr large_shape shape = large<sizeof(A)>;
    const std::uint64_t tiles = tiles_for(problem.count.at_most, large_tile_items<A>);
    const auto workspace = access::region<A>(gpu, tiles);
    if (launch_pipelined(gpu, problem, workspace, tiles)) return;
    constexpr auto kernel = staged_kernel<Problem, shape.warps>;
    constexpr int threads = shape.warps * warp_lanes;
    start<kernel>(gpu, access::blocks<kernel>(gpu, tiles, threads, 0), threads, 0, problem,
                  workspace);
}

template <int which, class Problem>
void launch_light(cuda& gpu, const Problem& problem) {
    using A = typename Problem::value_type;
    constexpr light_shape shape = light<A>[which];
    constexpr std::uint64_t tile_items =
        static_cast<std::uint64_t>(shape.warps) * warp_items<Problem, shape.rows>::items;
    constexpr bool many = shape.most_items > tile_items;
    const std::uint64_t tiles = tiles_for(problem.count.at_most, tile_items);
    start<light_kernel<Problem, shape.warps, shape.rows, many>>(
        gpu, tiles, shape.warps * warp_lanes, 0, problem, access::region<A>(gpu, many ? tiles : 0),
        access::last_block_first(gpu));
}

template <int which = 0, class Problem>
void launch(cuda& gpu, const Problem& problem) {
    using A = typename Problem::value_type;
    if constexpr (which < static_cast<int>(std::size(light<A>))) {
        if (problem.count.at_most > light<A>[which].most_items) {
            return launch<which + 1>(gpu, problem);
        }
        launch_light<which>(gpu, problem);
    } else {
        launch_large(gpu, problem);
    }
}

}  // namespace lookback::detail::gpu
