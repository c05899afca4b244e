/// \file
/// Kernels that judge every item of a result: their shape, and what they find.
#pragma once

#include <cstdint>
#include <limits>

#include "session.hpp"

namespace lookback::bench {

inline constexpr unsigned check_threads = 256;
inline constexpr std::uint64_t none_wrong = std::numeric_limits<std::uint64_t>::max();

inline unsigned check_blocks(std::uint64_t items) {
    const std::uint64_t blocks = (items + check_threads - 1) / check_threads;
    // Each thread checks several items.
    return static_cast<unsigned>(blocks < 16384 ? blocks : 16384);
}

/// Calls work(i) for those of `items` items that belong to this thread, in a kernel with
/// check_threads threads in each block.
template <class Work>
__device__ void for_each_item(std::uint64_t items, const Work& work) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * check_threads;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * check_threads + threadIdx.x; i < items;
         i += step) {
        work(i);
    }
}

/// Runs launch(found), whose kernel lowers *found to the first item that is wrong. Returns that
/// item, or none_wrong.
template <class Launch>
std::uint64_t first_wrong_item(const session& s, const Launch& launch) {
    auto* const found = reinterpret_cast<unsigned long long*>(s.flag());
    check(cudaMemsetAsync(found, 0xff, sizeof(*found), s.stream()), "preparing a check");
    launch(found);
    check(cudaGetLastError(), "launching a check");
    std::uint64_t wrong = 0;
    check(cudaMemcpyAsync(&wrong, found, sizeof(wrong), cudaMemcpyDeviceToHost, s.stream()),
          "fetching the verdict");
    s.synchronise();
    return wrong;
}

}  // namespace lookback::bench
