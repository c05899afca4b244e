/// \file
/// A summed-area table by scans of single channels (Harris, Sengupta & Owens, GPU Gems 3, section
/// 39.3.2 and table 39-1). The image is taken apart into three arrays. All rows of each array are
/// scanned, the arrays are transposed, their rows, which were columns, are scanned, and the arrays
/// are put together as texels. The table stays transposed: the entry of pixel (x, y) lies at (y,
/// x), and look-ups swap their coordinates.
///
/// For channels of 4 bytes it moves, for each pixel, 15 bytes to take the image apart, 24 for three
/// scans, 24 for three transposes, 24 for three scans, and 28 to put the table together: 115. Rows
/// of more than 2048 items add 24, and so do columns. The least possible is 19.
#pragma once

#include "../device.cuh"
#include "image.cuh"
#include "row_scans.cuh"
#include "transpose.cuh"

namespace lookback::strategies {

template <class T>
__global__ void __launch_bounds__(pixel_threads)
    deinterleave_kernel(const rgb8* in, T* channels, std::uint64_t pixels) {
    const std::uint64_t i = detail::device::thread_in_grid();
    if (i >= pixels) return;
    const rgb8 pixel = in[i];
    channels[i] = static_cast<T>(pixel.red);
    channels[pixels + i] = static_cast<T>(pixel.green);
    channels[2 * pixels + i] = static_cast<T>(pixel.blue);
}

template <class T>
__global__ void __launch_bounds__(pixel_threads)
    interleave_kernel(const T* channels, pixel<T, 4>* out, std::uint64_t pixels) {
    const std::uint64_t i = detail::device::thread_in_grid();
    if (i >= pixels) return;
    store_texel(out + i,
                pixel<T, 4>{{channels[i], channels[pixels + i], channels[2 * pixels + i], T{}}});
}

/// The stages. Each may be called again, since none writes what it reads.
template <class T>
class six_scan_stages {
 public:
    /// For images that are not empty. It uses memory of `gpu`, which nothing else may use
    /// meanwhile.
    six_scan_stages(device& gpu, image_size size)
        : gpu_(gpu), size_(size), arrays_(cut_memory(gpu, size)) {}

    void deinterleave(const rgb8* in) const {
        start(gpu_, deinterleave_kernel<T>, pixel_blocks(), pixel_threads, in, arrays_.apart,
              size_.pixels());
    }
    void scan_rows() const { arrays_.rows.run(gpu_, arrays_.apart, arrays_.scanned, plus<>{}); }
    void transpose() const {
        strategies::transpose<T>(gpu_, arrays_.scanned, arrays_.apart, channels, size_.height,
                                 size_.width);
    }
    void scan_columns() const {
        arrays_.columns.run(gpu_, arrays_.apart, arrays_.scanned, plus<>{});
    }
    void interleave(pixel<T, 4>* out) const {
        start(gpu_, interleave_kernel<T>, pixel_blocks(), pixel_threads, arrays_.scanned, out,
              size_.pixels());
    }

 private:
    static constexpr std::uint64_t channels = 3;

    struct arrays {
        T* apart;
        T* scanned;
        row_scans<T> rows, columns;
    };
    // The elements of a braced list are evaluated in their order.
    static arrays cut(carver& memory, image_size size) {
        return {memory.take<T>(channels * size.pixels()), memory.take<T>(channels * size.pixels()),
                row_scans<T>(memory, channels * size.height, size.width),
                row_scans<T>(memory, channels * size.width, size.height)};
    }
    static arrays cut_memory(device& gpu, image_size size) {
        carver counted;
        cut(counted, size);
        carver memory(gpu.memory(counted.bytes()));
        return cut(memory, size);
    }
    std::uint64_t pixel_blocks() const { return ceil_div(size_.pixels(), pixel_threads); }

    device& gpu_;
    image_size size_;
    arrays arrays_;
};

/// The side of the square of pixels that a block looks up. Neighbours in a column lie side by side
/// in the table, so a square uses whole lines of it.
inline constexpr int look_up_side = 16;
static_assert(look_up_side * look_up_side == pixel_threads);

/// For each pixel, the sum over the window of 2 * radius + 1 rows and columns around it, as far as
/// it lies in the image, by four look-ups in a table that is transposed. A row has `across`
/// squares.
template <class T>
__global__ void __launch_bounds__(pixel_threads)
    look_up_kernel(const pixel<T, 4>* table, pixel<T, 4>* out, image_size size,
                   std::uint64_t radius, std::uint64_t across) {
    const auto thread = static_cast<unsigned>(thread_in_block());
    const std::uint64_t x = block_in_grid() % across * look_up_side + thread % look_up_side;
    const std::uint64_t y = block_in_grid() / across * look_up_side + thread / look_up_side;
    if (x >= size.width || y >= size.height) return;
    const std::uint64_t right = x + radius < size.width ? x + radius : size.width - 1;
    const std::uint64_t bottom = y + radius < size.height ? y + radius : size.height - 1;
    const auto entry = [&](std::uint64_t column, std::uint64_t row) {
        return load_texel(table + column * size.height + row);
    };
    pixel<T, 4> sum = entry(right, bottom);
    if (x > radius) sum = sum - entry(x - radius - 1, bottom);
    if (y > radius) sum = sum - entry(right, y - radius - 1);
    if (x > radius && y > radius) sum = sum + entry(x - radius - 1, y - radius - 1);
    store_texel(out + y * size.width + x, sum);
}

/// What the table is for: the sums over windows of an image that is not empty. The arrays do not
/// overlap.
template <class T>
void look_up_windows(const device& gpu, const pixel<T, 4>* table, image_size size,
                     std::uint64_t radius, pixel<T, 4>* out) {
    const std::uint64_t across = ceil_div(size.width, look_up_side);
    start(gpu, look_up_kernel<T>, ceil_div(size.height, look_up_side) * across, pixel_threads,
          table, out, size, radius, across);
}

struct six_scans {
    static constexpr bool is_transposed = true;

    template <class T>
    static void run(device& gpu, const rgb8* in, image_size size, pixel<T, 4>* out) {
        if (size.pixels() == 0) return;
        const six_scan_stages<T> stages(gpu, size);
        stages.deinterleave(in);
        stages.scan_rows();
        stages.transpose();
        stages.scan_columns();
        stages.interleave(out);
    }
};

}  // namespace lookback::strategies
