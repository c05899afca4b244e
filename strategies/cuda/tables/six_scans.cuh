/// \file
/// A summed-area table by scans of single channels (Harris, Sengupta & Owens, GPU Gems 3, section
/// 39.3.2 and table 39-1). The image is taken apart into three arrays. All rows of each array are
/// scanned, the arrays are transposed, their rows, which were columns, are scanned, and the arrays
/// are put together as texels. The table stays transposed: the entry of pixel (x, y) lies at (y,
/// x).
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
