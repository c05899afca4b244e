// Keeps some items of each row of 32, in order, by one warp for each row: a ballot tells each lane
// how many wanted items lie before its own (Harris and Garland, GPU Computing Gems Jade Edition,
// chapter 3).
#include <lookback/kernel/binary.hpp>

#include "example.hpp"

// [kernel]
// Row r of `out` gets the positive items of row r of `in`; counts[r] is how many there are.
__global__ void keep_positive(const int* in, int rows, int* out, int* counts) {
    const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int row = thread / 32;
    if (row >= rows) return;  // a whole warp
    const int item = in[thread];
    const bool wanted = item > 0;
    const int place = lookback::warp::binary_exclusive_sum(wanted);
    if (wanted) out[row * 32 + place] = item;
    const int kept = lookback::warp::count(wanted);
    if (thread % 32 == 0) counts[row] = kept;
}
// [/kernel]

bool example() {
    const int rows = 10'000;
    std::vector<int> in(rows * 32);
    for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = static_cast<int>(i * 2654435761U >> 7) % 1000 - static_cast<int>(i / 32 % 1000);
    }
    const device_array<int> in_device(in), out(in.size()), counts(rows);
    keep_positive<<<(rows * 32 + 255) / 256, 256>>>(in_device.data(), rows, out.data(),
                                                    counts.data());
    check(cudaGetLastError(), "launching");

    const auto got = out.get();
    const auto got_counts = counts.get();
    std::size_t wrong = 0, all = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        std::size_t kept = 0;
        for (std::size_t i = r * 32; i < r * 32 + 32; ++i) {
            if (in[i] > 0) wrong += got[r * 32 + kept++] != in[i];
        }
        wrong += static_cast<std::size_t>(got_counts[r]) != kept;
        all += kept;
    }
    std::printf("%zu of %zu items kept, %zu wrong\n", all, in.size(), wrong);
    return wrong == 0;
}

int main() { return run_example(example); }
