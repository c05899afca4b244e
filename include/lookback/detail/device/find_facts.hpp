/// \file
/// Asks CUDA for what launches have to know of a kernel.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "lookback/gpu.hpp"

namespace lookback::detail::device {

/// Finds how many blocks a cluster of this kernel may have here, a power of two and at most `most`,
/// and how many such clusters run at once.
template <auto kernel>
void find_clusters(int threads, int shared_bytes, int most, kernel_facts& facts) {
    device::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
                  "asking for large clusters");
    for (int blocks = most; blocks > 1; blocks /= 2) {
        cudaLaunchAttribute cluster{};
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim = {static_cast<unsigned>(blocks), 1, 1};
        cudaLaunchConfig_t how{};
        how.gridDim = dim3(static_cast<unsigned>(blocks));
        how.blockDim = dim3(static_cast<unsigned>(threads));
        how.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes);
        how.attrs = &cluster;
        how.numAttrs = 1;
        int clusters = 0;
        if (cudaOccupancyMaxActiveClusters(&clusters, kernel, &how) != cudaSuccess) {
            cudaGetLastError();  // clusters of this size are not possible
        } else if (clusters > 0) {
            facts.cluster_blocks = blocks;
            facts.clusters = clusters;
            return;
        }
    }
}

/// Asks for as large an L1 cache as there is whenever the kernel runs. Otherwise a kernel without
/// shared memory takes what the kernel before it has left; one with 227 KB of shared memory leaves
/// 28 KB of cache.
template <auto kernel>
void prefer_cache() {
    device::check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxL1),
                  "asking for a large cache");
}

template <auto kernel, int most_cluster, bool by_cache>
kernel_facts find_facts(int threads, int shared_bytes) {
    if constexpr (by_cache) prefer_cache<kernel>();
    cudaFuncAttributes attributes{};
    device::check(cudaFuncGetAttributes(&attributes, kernel), "asking for a kernel's attributes");
    if (shared_bytes > 0) {
        device::check(
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
            "asking for shared memory");
    }
    int blocks = 0;
    device::check(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes),
        "asking how many blocks a multiprocessor holds");
    kernel_facts facts{std::max(1, blocks), attributes.ptxVersion, 1, 1};
    if (most_cluster > 1 && facts.architecture >= 90) {
        find_clusters<kernel>(threads, shared_bytes, most_cluster, facts);
    }
    return facts;
}

}  // namespace lookback::detail::device
