/// \file
/// How many flags of an array are set. A partition by flags into one output, both parts in order,
/// counts them first, so that it knows where the rest begins.
///
/// Cost: each flag is read once; one atomic operation for each block.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "lookback/detail/call.hpp"
#include "lookback/detail/classes.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/launch.hpp"
#include "lookback/detail/device/machine_memory.hpp"
#include "lookback/gpu.hpp"

namespace lookback::detail::device {

inline constexpr int counting_threads = 512;
inline constexpr int counting_rows = 16;  // flags that a thread reads at a time

/// Adds the number of flags that are set, those of class 0, to `*set`.
template <class Flag>
__global__ __launch_bounds__(counting_threads) void count_flags_kernel(const Flag* flags,
                                                                       item_count count,
                                                                       std::uint64_t* set) {
    constexpr std::uint64_t at_once = std::uint64_t{counting_threads} * counting_rows;
    auto& of_block = shared_memory<std::uint32_t>();
    if (thread_in_block() == 0) of_block = 0;
    wait_for_previous_kernel();
    const std::uint64_t n = count.get();
    std::uint32_t mine = 0;
    for (std::uint64_t first = block_in_grid() * at_once; first < n;
         first += blocks_in_grid() * at_once) {
        const std::uint64_t begin = first + static_cast<unsigned>(thread_in_block());
        const auto is_set = [&](int row) {
            Flag flag = flags[begin + static_cast<unsigned>(row * counting_threads)];
            return by_flag{}(flag) == 0;
        };
        if (n - first >= at_once) {
#pragma unroll
            for (int row = 0; row < counting_rows; ++row) mine += is_set(row) ? 1 : 0;
        } else {
            for (int row = 0; row < counting_rows; ++row) {
                const std::uint64_t at = begin + static_cast<unsigned>(row * counting_threads);
                if (at < n) mine += is_set(row) ? 1 : 0;
            }
        }
    }
    sync_block();
    const std::uint32_t of_warp = sum_of_lanes(mine);
    if (lane() == 0) add_in_block(&of_block, of_warp);
    sync_block();
    if (thread_in_block() == 0) fetch_add(set, of_block);
}

/// Writes the number of flags that are set to a place in device memory, and returns the place.
template <class Flag>
const std::uint64_t* count_flags(gpu& where, const Flag* flags, const item_count& count) {
    std::uint64_t* const set = access::flags_set(where);
    check(cudaMemsetAsync(set, 0, sizeof(*set), where.stream()), "clearing a count");
    constexpr auto kernel = count_flags_kernel<Flag>;
    const auto& known = access::facts<kernel>(where, counting_threads, 0);
    const std::uint64_t blocks = access::blocks(
        where, tiles_for(count.at_most, std::uint64_t{counting_threads} * counting_rows), known);
    start<kernel>(where, known, blocks, counting_threads, 0, flags, count, set);
    return set;
}

}  // namespace lookback::detail::device
