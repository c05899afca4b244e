/// \file
/// A summed-area table by naive steps (Hensley, Scheuermann, Coombe, Singh & Lastra 2005, "Fast
/// Summed-Area Table Generation and its Applications"). A pass adds to every texel the texel 2^i to
/// its left, for i = 0, 1, ... until rows are summed; then passes add texels above, until columns
/// are summed. With a radix of 4 or 16, a pass adds three or fifteen other texels, at multiples of
/// a power of the radix, and there are fewer passes. This is the scan of Hillis & Steele, all of it
/// in memory: O(n log n) work.
///
/// For channels of 4 bytes it moves, for each pixel, 19 bytes to make texels of the image, and 32
/// bytes a pass. There are log width + log height passes, to the base of the radix: 659 bytes at
/// 1024 x 1024 with radix 2. That is with caches that hold what several texels add; they do not
/// hold rows far above.
#pragma once

#include <utility>

#include "../device.cuh"
#include "image.cuh"

namespace lookback::strategies {

template <class T>
__global__ void __launch_bounds__(pixel_threads)
    make_texels_kernel(const rgb8* in, pixel<T, 4>* out, std::uint64_t pixels) {
    const std::uint64_t i = detail::device::thread_in_grid();
    if (i < pixels) store_texel(out + i, static_cast<pixel<T, 4>>(in[i]));
}

/// Adds the texels that lie 1, ..., radix - 1 times `distance` columns to the left, or as many rows
/// above. Each row is the work of `pieces` blocks.
template <int radix, bool upward, class T>
__global__ void __launch_bounds__(pixel_threads)
    add_texels_kernel(const pixel<T, 4>* in, pixel<T, 4>* out, std::uint64_t width,
                      std::uint64_t distance, unsigned pieces) {
    const std::uint64_t y = block_in_grid() / pieces;
    const std::uint64_t x =
        std::uint64_t{block_in_grid() % pieces} * pixel_threads + unsigned(thread_in_block());
    if (x >= width) return;
    const pixel<T, 4>* const at = in + y * width + x;
    const std::uint64_t place = upward ? y : x;
    const std::uint64_t step = upward ? distance * width : distance;
    pixel<T, 4> sum = load_texel(at);
#pragma unroll
    for (unsigned k = 1; k < radix; ++k) {
        if (k * distance <= place) sum = load_texel(at - k * step) + sum;
    }
    store_texel(out + y * width + x, sum);
}

template <int radix>
struct log_steps {
    static constexpr bool is_transposed = false;

    template <class T>
    static void run(device& gpu, const rgb8* in, image_size size, pixel<T, 4>* out) {
        if (size.pixels() == 0) return;
        carver counted;
        counted.take<pixel<T, 4>>(size.pixels());
        auto* other = carver(gpu.memory(counted.bytes())).template take<pixel<T, 4>>(size.pixels());
        const bool is_odd = (passes_over(size.width) + passes_over(size.height)) % 2 != 0;
        auto *from = is_odd ? other : out, *to = is_odd ? out : other;
        start(gpu, make_texels_kernel<T>, ceil_div(size.pixels(), pixel_threads), pixel_threads, in,
              from, size.pixels());
        add_passes<false>(gpu, size, size.width, from, to);
        add_passes<true>(gpu, size, size.height, from, to);
    }

 private:
    static int passes_over(std::uint64_t length) {
        int passes = 0;
        for (std::uint64_t distance = 1; distance < length; distance *= radix) ++passes;
        return passes;
    }

    // Leaves the sums in `from`.
    template <bool upward, class T>
    static void add_passes(const device& gpu, image_size size, std::uint64_t length,
                           pixel<T, 4>*& from, pixel<T, 4>*& to) {
        const auto pieces = static_cast<unsigned>(ceil_div(size.width, pixel_threads));
        for (std::uint64_t distance = 1; distance < length; distance *= radix) {
            start(gpu, add_texels_kernel<radix, upward, T>, size.height * pieces, pixel_threads,
                  from, to, size.width, distance, pieces);
            std::swap(from, to);
        }
    }
};

}  // namespace lookback::strategies
