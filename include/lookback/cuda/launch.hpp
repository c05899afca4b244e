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

    static bool copies_in_bulk(const cuda& gpu) { return gpu.copies_in_bulk_; }
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

template <class Problem>
void launch_large(cuda& gpu, const Problem& problem) {
    using A = typename Problem::value_type;
    constexpr large_shape shape = large<sizeof(A)>;
    const std::uint64_t tiles = tiles_for(problem.count.at_most, large_tile_items<A>);
    const auto workspace = access::region<A>(gpu, tiles);
    if constexpr (Problem::can_be_aligned) {
        if (problem.aligned && access::copies_in_bulk(gpu)) {
            using ring = pipeline<A, shape.warps, shape.stages, shape.lead>;
            constexpr auto kernel = pipelined_kernel<Problem, ring>;
            const unsigned blocks =
                access::blocks<kernel>(gpu, tiles, ring::threads, ring::shared_bytes);
            kernel<<<blocks, ring::threads, ring::shared_bytes, gpu.stream()>>>(problem, workspace);
            return;
        }
    }
    constexpr auto kernel = staged_kernel<Problem, shape.warps>;
    constexpr int threads = shape.warps * warp_lanes;
    const unsigned blocks = access::blocks<kernel>(gpu, tiles, threads, 0);
    kernel<<<blocks, threads, 0, gpu.stream()>>>(problem, workspace);
}

template <int which, class Problem>
void launch_light(cuda& gpu, const Problem& problem) {
    using A = typename Problem::value_type;
    constexpr light_shape shape = light<A>[which];
    constexpr int threads = shape.warps * warp_lanes;
    constexpr std::uint64_t tile_items =
        static_cast<std::uint64_t>(shape.warps) * warp_items<Problem, shape.rows>::items;
    const std::uint64_t tiles = tiles_for(problem.count.at_most, tile_items);
    light_kernel<Problem, shape.warps, shape.rows, (shape.most_items > tile_items)>
        <<<static_cast<unsigned>(tiles), threads, 0, gpu.stream()>>>(
            problem, access::region<A>(gpu, tiles), access::last_block_first(gpu));
}

template <int which = 0, class Problem>
void launch(cuda& gpu, const Problem& problem) {
    using A = typename Problem::value_type;
    if constexpr (which < static_cast<int>(std::size(light<A>))) {
        if (problem.count.at_most <= light<A>[which].most_items) {
            launch_light<which>(gpu, problem);
        } else {
            return launch<which + 1>(gpu, problem);
        }
    } else {
        launch_large(gpu, problem);
    }
    check(cudaGetLastError(), "launching a scan");
}

}  // namespace lookback::detail::gpu
