// From the number of results of each input to the place of its first result: the list of Merrill &
// Garland 2016, section 1, [8,6,7,5,3,0,9] -> [0,8,14,21,26,29,29]. Each block finds the places of
// its results and writes them there, in one launch.
#include <lookback/kernel/block.hpp>
#include <lookback/kernel/device_prefix.hpp>
#include <lookback/operators.hpp>

#include "example.hpp"

// [kernel]
constexpr int threads = 32;

__global__ void allocate(lookback::prefix_workspace<int> places, const int* requests, int n,
                         int* offsets, int* owners) {
    using prefix = lookback::device_prefix<int>;
    using scan = lookback::block::scan<int, threads>;
    __shared__ prefix::memory prefix_memory;
    __shared__ scan::memory scan_memory;

    prefix before(places, prefix_memory, 0);
    while (before.claim()) {  // a tile is one request for each thread
        const int i = static_cast<int>(before.tile()) * threads + static_cast<int>(threadIdx.x);
        const int request = i < n ? requests[i] : 0;
        const auto [offset, all] = scan(scan_memory).exclusive(request, 0, lookback::plus{});
        const int first = before.exclusive_prefix(all) + offset;
        if (i < n) offsets[i] = first;
        for (int k = 0; k < request; ++k) owners[first + k] = i;  // uses the allocated places
    }
}
// [/kernel]

bool example() {
    const std::vector<int> requests = {8, 6, 7, 5, 3, 0, 9};
    const std::vector<int> want = {0, 8, 14, 21, 26, 29, 29};
    const int n = static_cast<int>(requests.size());
    const device_array<int> in(requests), offsets(requests.size()), owners(38);

    // [launch]
    lookback::gpu gpu;
    const auto tiles = static_cast<std::uint64_t>((n + threads - 1) / threads);
    const lookback::prefix_workspace<int> places(gpu, tiles);
    allocate<<<places.blocks(allocate, threads), threads, 0, gpu.stream()>>>(
        places, in.data(), n, offsets.data(), owners.data());
    // [/launch]
    check(cudaGetLastError(), "launching");

    const auto got = offsets.get();
    for (const int offset : got) std::printf("%d ", offset);
    std::printf("\n");
    bool right = got == want;
    const auto owner = owners.get();
    std::size_t at = 0;
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < requests[static_cast<std::size_t>(i)]; ++k) right &= owner[at++] == i;
    }
    return right && at == owner.size();
}

int main() { return run_example(example); }
