#include "blur_kernels.hpp"

#include <cstdint>

#include "lookback/pixel.hpp"

namespace lookback::cli {
namespace {

template <class T, class Filter>
void filter_channels(const image& in, image& out, const Filter& filter) {
    const auto as = [&]<class Pixel>() {
        filter(reinterpret_cast<const Pixel*>(in.samples.data()),
               reinterpret_cast<Pixel*>(out.samples.data()));
    };
    switch (in.channels) {
        case 1: return as.template operator()<T>();
        case 2: return as.template operator()<pixel<T, 2>>();
        case 3: return as.template operator()<pixel<T, 3>>();
        default: return as.template operator()<pixel<T, 4>>();
    }
}

// Calls `filter(from, to)` with pointers to the pixels.
template <class Filter>
void filter_pixels(const image& in, image& out, const Filter& filter) {
    if (in.type == dtype::uint16) {
        filter_channels<std::uint16_t>(in, out, filter);
    } else {
        filter_channels<std::uint8_t>(in, out, filter);
    }
}

template <class Radius>
void blur_by(const image& in, const Radius& radius, image_border border, int threads, image& out) {
    filter_pixels(in, out, [&](const auto* from, auto* to) {
        box_filter(cpu{.threads = threads}, from, image_extents{in.height, in.width}, radius, to,
                   border);
    });
}

}  // namespace

void blur(const image& in, std::int32_t radius, image_border border, int threads, image& out) {
    blur_by(in, radius, border, threads, out);
}

void blur(const image& in, const std::int32_t* radii, image_border border, int threads,
          image& out) {
    blur_by(in, radii, border, threads, out);
}

void blur(const image& in, const float* depths, const focus_settings& focus, int threads,
          image& out) {
    filter_pixels(in, out, [&](const auto* from, auto* to) {
        depth_of_field(cpu{.threads = threads}, from, depths, image_extents{in.height, in.width},
                       focus, to);
    });
}

}  // namespace lookback::cli
