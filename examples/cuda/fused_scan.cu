// A scan with the user's own work before and after it, in one kernel: out[i] is the length of
// the vector of items 0 to i, the root of a sum of squares.
#include <cmath>
#include <cstring>
#include <lookback/kernel/block.hpp>
#include <lookback/kernel/device_prefix.hpp>
#include <lookback/kernel/tile_io.hpp>
#include <lookback/operators.hpp>

#include "example.hpp"

// [kernel]
constexpr int threads = 256;
constexpr int per_thread = 9;  // an odd number of words: no bank conflicts
using tile = lookback::block::tile_io<float, threads, per_thread>;

__global__ void lengths(lookback::prefix_workspace<float> workspace, const float* in, unsigned n,
                        float* out) {
    using prefix = lookback::device_prefix<float>;
    using scan = lookback::block::scan<float, threads>;
    __shared__ prefix::memory prefix_memory;
    __shared__ scan::memory scan_memory;
    __shared__ tile::memory stage;

    prefix before(workspace, prefix_memory, 0.0F);
    while (before.claim()) {
        const unsigned first = before.tile() * tile::items_of_tile;
        const int items = static_cast<int>(min(n - first, unsigned{tile::items_of_tile}));
        float item[per_thread];
        tile(stage).load_blocked(in + first, item, items);
        for (float& x : item) x *= x;
        const float all = scan(scan_memory).inclusive(item, lookback::plus{}, items);
        const float sum = before.exclusive_prefix(all);
        for (float& x : item) x = sqrtf(sum + x);
        tile(stage).store_blocked(item, out + first, items);
        __syncthreads();  // before the stage takes another tile
    }
}
// [/kernel]

bool example() {
    const unsigned n = 20'000'003;
    std::vector<float> in(n);
    for (unsigned i = 0; i < n; ++i) in[i] = static_cast<float>(i * 2654435761U >> 8) * 0x1p-24F;
    const device_array<float> in_device(in), out(n);
    lookback::gpu gpu;
    const auto tiles = (n + tile::items_of_tile - 1) / tile::items_of_tile;
    const lookback::prefix_workspace<float> workspace(gpu, tiles);
    std::vector<float> first;
    for (const unsigned blocks : {workspace.blocks(lengths, threads), 7U}) {
        lengths<<<blocks, threads, 0, gpu.stream()>>>(workspace, in_device.data(), n, out.data());
        check(cudaGetLastError(), "launching");
        const auto got = out.get();
        if (first.empty()) first = got;
        if (std::memcmp(got.data(), first.data(), n * sizeof(float)) != 0) {
            std::printf("other bits with %u blocks\n", blocks);
            return false;
        }
    }
    double sum = 0;
    double worst = 0;
    for (unsigned i = 0; i < n; ++i) {
        sum += static_cast<double>(in[i]) * in[i];
        worst = std::fmax(worst, std::fabs(first[i] / std::sqrt(sum) - 1));
    }
    std::printf("%u items, at most %.1e off, the same bits with 7 blocks\n", n, worst);
    return worst < 1e-5;
}

int main() { return run_example(example); }
