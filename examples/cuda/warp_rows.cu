// Rows of 32 items, a warp for each: scans with any operator, in either direction, and sums of
// flags by segments.
#include <lookback/kernel/binary.hpp>
#include <lookback/kernel/warp.hpp>
#include <lookback/operators.hpp>

#include "example.hpp"

struct row_results {
    int highest_ahead;  // the largest item from here on
    int rank;           // the number of this item in its run of equal items, from 0 on
    int length;         // the length of that run
    int bits;           // how many of the lowest 3 bits are set in the items before, in all
};

// [kernel]
__global__ void look_at_rows(const int* in, row_results* out) {
    using namespace lookback;
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;  // whole warps
    const int item = in[i];

    const int highest_ahead = warp::inclusive_scan<direction::backward>(item, maximum{});

    // The lanes of this lane's run of equal items, as a mask.
    const int before = __shfl_up_sync(warp::every_lane, item, 1);
    const unsigned run = warp::segment_lanes(warp::ballot(item != before));
    const int rank = warp::binary_exclusive_sum(true, run);
    const int length = warp::count(true, run);

    // Numbers of two bits, 0 to 3.
    const auto bits = static_cast<unsigned>(__popc(item & 7));
    out[i] = {highest_ahead, rank, length, warp::narrow_exclusive_sum<2>(bits)};
}
// [/kernel]

bool example() {
    const std::size_t rows = 4096;
    std::vector<int> in(rows * 32);
    unsigned state = 1;
    for (std::size_t i = 0; i < in.size(); ++i) {
        state = state * 1664525U + 1013904223U;
        // Runs of one to many items: each begins with a chance of one in 1 + (row % 16).
        in[i] =
            i % 32 > 0 && state >> 16 & (i / 32 % 16) ? in[i - 1] : static_cast<int>(state >> 24);
    }
    const device_array<int> in_device(in);
    const device_array<row_results> out(in.size());
    look_at_rows<<<rows / 8, 256>>>(in_device.data(), out.data());
    check(cudaGetLastError(), "launching");

    const auto got = out.get();
    std::size_t wrong = 0;
    for (std::size_t r = 0; r < in.size(); r += 32) {
        for (std::size_t i = r; i < r + 32; ++i) {
            row_results want{in[i], 0, 1, 0};
            for (std::size_t k = i; k < r + 32; ++k) {
                want.highest_ahead = in[k] > want.highest_ahead ? in[k] : want.highest_ahead;
            }
            while (i - static_cast<std::size_t>(want.rank) > r &&
                   in[i - static_cast<std::size_t>(want.rank) - 1] == in[i]) {
                ++want.rank;
            }
            want.length = want.rank + 1;
            for (std::size_t k = i + 1; k < r + 32 && in[k] == in[i]; ++k) ++want.length;
            for (std::size_t k = r; k < i; ++k) {
                want.bits += (in[k] & 1) + (in[k] >> 1 & 1) + (in[k] >> 2 & 1);
            }
            wrong += want.highest_ahead != got[i].highest_ahead || want.rank != got[i].rank ||
                     want.length != got[i].length || want.bits != got[i].bits;
        }
    }
    std::printf("%zu of %zu items wrong\n", wrong, in.size());
    return wrong == 0;
}

int main() { return run_example(example); }
