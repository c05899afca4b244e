/// \file
/// The transpose of an array, or of several that lie one behind another, in tiles of 32 x 32 in
/// shared memory, such that rows are read and rows are written (Ruetsch & Micikevicius 2009,
/// "Optimizing Matrix Transpose in CUDA"). One place in 33 is left out, so that the items of a
/// column of a tile lie in different banks. 2n.
#pragma once

#include "../device.cuh"
#include "../machine.cuh"

namespace lookback::strategies {

inline constexpr int transposed_side = 32;
inline constexpr int transposing_warps = 8;

template <class T>
struct transposed_tile {
    T x[transposed_side][transposed_side + 1];
};

/// An array has `down` rows of `across` tiles.
template <class T>
__global__ void __launch_bounds__(transposing_warps* transposed_side)
    transpose_kernel(const T* in, T* out, std::uint64_t height, std::uint64_t width, unsigned down,
                     unsigned across) {
    using detail::device::lane, detail::device::warp;
    auto& tile = shared_memory<transposed_tile<T>>();
    const unsigned row_of_tiles = block_in_grid() / across;
    const std::uint64_t left = std::uint64_t{block_in_grid() % across} * transposed_side;
    const std::uint64_t top = std::uint64_t{row_of_tiles % down} * transposed_side;
    const std::uint64_t array = row_of_tiles / down * (height * width);
    const auto x = static_cast<unsigned>(lane());
#pragma unroll
    for (unsigned y = warp(); y < transposed_side; y += transposing_warps) {
        if (top + y < height && left + x < width) {
            tile.x[y][x] = in[array + (top + y) * width + left + x];
        }
    }
    sync_block();
#pragma unroll
    for (unsigned y = warp(); y < transposed_side; y += transposing_warps) {
        if (left + y < width && top + x < height) {
            out[array + (left + y) * height + top + x] = tile.x[x][y];
        }
    }
}

/// The arrays do not overlap.
template <class T>
void transpose(const device& gpu, const T* in, T* out, std::uint64_t arrays, std::uint64_t height,
               std::uint64_t width) {
    const std::uint64_t down = ceil_div(height, transposed_side);
    const std::uint64_t across = ceil_div(width, transposed_side);
    start(gpu, transpose_kernel<T>, arrays * down * across, transposing_warps * transposed_side, in,
          out, height, width, down, across);
}

}  // namespace lookback::strategies
