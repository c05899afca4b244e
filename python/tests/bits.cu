// What test_gpu.py compares with: sums of a file's floats by the C++ library, called as C++ users
// call it. The bits must be the same.
//
//     bits IN OUT ROWS COLUMNS     as one line, along the rows, along the columns

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "lookback/axis_scan.hpp"
#include "lookback/gpu.hpp"

int main(int, char** argv) {
    const std::size_t rows = std::strtoull(argv[3], nullptr, 10);
    const std::size_t columns = std::strtoull(argv[4], nullptr, 10);
    const std::size_t n = rows * columns;
    std::vector<float> items(n);
    std::FILE* const in = std::fopen(argv[1], "rb");
    std::FILE* const to = std::fopen(argv[2], "wb");
    if (in == nullptr || to == nullptr || std::fread(items.data(), 4, n, in) != n) return 1;
    float* x = nullptr;
    float* y = nullptr;
    if (cudaMalloc(&x, 4 * n) != cudaSuccess || cudaMalloc(&y, 4 * n) != cudaSuccess) return 2;
    cudaMemcpy(x, items.data(), 4 * n, cudaMemcpyHostToDevice);
    lookback::gpu gpu;
    const lookback::axis_extents shapes[] = {{1, n, 1}, {rows, columns, 1}, {1, rows, columns}};
    for (const auto& shape : shapes) {
        if (shape.outer == 1 && shape.inner == 1) {
            lookback::inclusive_scan(gpu, x, x + n, y);
        } else {
            lookback::inclusive_scan(gpu, x, shape, y);
        }
        cudaMemcpy(items.data(), y, 4 * n, cudaMemcpyDeviceToHost);
        if (std::fwrite(items.data(), 4, n, to) != n) return 3;
    }
    return std::fclose(to) == 0 ? 0 : 4;
}
