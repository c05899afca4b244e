#include "table/images.hpp"

#include <algorithm>
#include <type_traits>

#include "lookback/box_filter.hpp"
#include "lookback/detail/cpu/scratch.hpp"
#include "lookback/detail/cpu/shares.hpp"
#include "lookback/detail/table_order.hpp"
#include "lookback/pixel.hpp"
#include "lookback/summed_area.hpp"
#include "table/gpu/image_window.hpp"

namespace lookback::table {

namespace {

using detail::scratch_array;

// Rows of pixels at a pitch; a pixel has `channels` interleaved channels.
template <class T>
struct pixel_rows {
    T* samples;
    std::size_t pitch;  // in pixels
    std::size_t channels;
};

// Copies the first `channels` of each pixel.
template <class T>
void copy_channels(const pixel_rows<const T>& from, const pixel_rows<T>& to, std::size_t height,
                   std::size_t width, std::size_t channels, int threads) {
    const std::size_t share = std::max<std::size_t>(1, (std::size_t{1} << 16) / width);
    const auto copy_row = [&](std::size_t y) {
        const T* in = from.samples + y * from.pitch * from.channels;
        T* out = to.samples + y * to.pitch * to.channels;
        for (std::size_t x = 0; x < width; ++x, in += from.channels, out += to.channels) {
            for (std::size_t k = 0; k < channels; ++k) out[k] = in[k];
        }
    };
    detail::for_shares(cpu{.threads = threads}, height, share,
                       [&](std::size_t begin, std::size_t end) {
                           for (std::size_t y = begin; y < end; ++y) copy_row(y);
                       });
}

// Makes the table of `wide` channels at a time.
template <class A, int wide>
void sum_channels(const machine& where, const A* in, const image_extents& extents,
                  std::size_t channels, A* out, const A* above) {
    using P = std::conditional_t<wide == 1, A, pixel<A, wide>>;
    const std::size_t images = extents.images, width = extents.width;
    const std::size_t rows = images * extents.height;
    const int threads = where.threads;
    // The value that changes no sum, for missing rows above and missing channels.
    constexpr A nothing = std::is_floating_point_v<A> ? A(-0.0) : A(0);
    const scratch_array<A> over(images * width * wide);
    std::fill_n(over.data(), images * width * wide, nothing);
    const auto sum = [&](const A* from, const image_extents& e, A* to, const A* row_above) {
        if constexpr (wide == 1) {
            if (where.gpu != nullptr) {
                return on_gpu::sum_areas(*where.gpu, from, e, to, row_above);
            }
        }
        summed_area_table(cpu{.threads = threads}, reinterpret_cast<const P*>(from), e,
                          reinterpret_cast<P*>(to),
                          table_above{reinterpret_cast<const P*>(row_above)});
    };
    if (channels == wide) return sum(in, extents, out, above == nullptr ? over.data() : above);
    const scratch_array<A> some(rows * width * wide);
    std::fill_n(some.data(), rows * width * wide, nothing);
    for (std::size_t first = 0; first < channels; first += wide) {
        const std::size_t count = std::min<std::size_t>(wide, channels - first);
        copy_channels<A>({in + first, extents.in_pitch, channels}, {some.data(), width, wide}, rows,
                         width, count, threads);
        if (above != nullptr) {
            copy_channels<A>({above + first, width, channels}, {over.data(), width, wide}, images,
                             width, count, threads);
        }
        sum(some.data(), {extents.height, width, images}, some.data(), over.data());
        copy_channels<A>({some.data(), width, wide}, {out + first, extents.out_pitch, channels},
                         rows, width, count, threads);
    }
}

// Integers may be added in any order. Floats are added in the order for their pixels; there is one
// order for all pixels of 16 bytes or more (detail/table_order.hpp). On a GPU they are added in the
// order for single numbers.
template <class A>
void sum_area_of(const machine& where, const A* in, const image_extents& extents,
                 std::size_t channels, A* out, const A* above) {
    constexpr bool in_any_order = detail::adds_exactly<A>;
    if (in_any_order || channels == 1 || where.gpu != nullptr) {
        sum_channels<A, 1>(where, in, extents, channels, out, above);
    } else if constexpr (!in_any_order) {
        if (channels == 2 && sizeof(A) == 4) {
            sum_channels<A, 2>(where, in, extents, channels, out, above);
        } else {
            sum_channels<A, 4>(where, in, extents, channels, out, above);
        }
    }
}

// Calls `filter(from, to)` for each channel.
template <class T, class Filter>
void filter_channels(const picture& p, int threads, const Filter& filter) {
    const auto* const in = static_cast<const T*>(p.in);
    auto* const out = static_cast<T*>(p.out);
    if (p.channels == 1) return filter(in, out);
    const scratch_array<T> channel(p.height * p.width), filtered(p.height * p.width);
    for (std::size_t k = 0; k < p.channels; ++k) {
        copy_channels<T>({in + k, p.width, p.channels}, {channel.data(), p.width, 1}, p.height,
                         p.width, 1, threads);
        filter(static_cast<const T*>(channel.data()), filtered.data());
        copy_channels<T>({filtered.data(), p.width, 1}, {out + k, p.width, p.channels}, p.height,
                         p.width, 1, threads);
    }
}
template <class Filter>
void filter_picture(const picture& p, int threads, const Filter& filter) {
    if (p.type == dtype::uint16) {
        filter_channels<std::uint16_t>(p, threads, filter);
    } else {
        filter_channels<std::uint8_t>(p, threads, filter);
    }
}

template <class Radius>
void blur_by(const machine& where, const picture& p, const Radius& radius, image_border border) {
    filter_picture(p, where.threads, [&](const auto* from, auto* to) {
        const image_extents extents{p.height, p.width};
        if (where.gpu == nullptr) {
            box_filter(cpu{.threads = where.threads}, from, extents, radius, to, border);
        } else if constexpr (std::is_integral_v<Radius>) {
            on_gpu::blur_image(*where.gpu, from, extents, {.one = radius}, border, to);
        } else {
            on_gpu::blur_image(*where.gpu, from, extents, {.each = radius}, border, to);
        }
    });
}

}  // namespace

void sum_area(const machine& where, dtype type, const void* in, const image_extents& extents,
              std::size_t channels, void* out, const void* above) {
    with_type(without_sign(type), [&]<class T>(std::type_identity<T>) {
        if constexpr (sizeof(T) >= 4 && (std::is_floating_point_v<T> || std::is_unsigned_v<T>)) {
            sum_area_of(where, static_cast<const T*>(in), extents, channels, static_cast<T*>(out),
                        static_cast<const T*>(above));
        }
    });
}

std::size_t strip_rows(const machine& where) {
    return where.gpu == nullptr ? detail::table_tile_rows : on_gpu::strip_rows;
}

void blur(const machine& where, const picture& picture, std::int32_t radius, image_border border) {
    blur_by(where, picture, radius, border);
}

void blur(const machine& where, const picture& picture, const std::int32_t* radii,
          image_border border) {
    blur_by(where, picture, radii, border);
}

// Depths are first converted to radii, so that fewer loops are compiled.
void blur(const machine& where, const picture& picture, const float* depths,
          const focus_settings& focus) {
    const std::size_t pixels = picture.height * picture.width;
    const detail::focus_radii<const float*> radius{depths, focus.focus, focus.aperture};
    const scratch_array<std::int32_t> all(pixels);
    for (std::size_t i = 0; i < pixels; ++i) {
        all.data()[i] = static_cast<std::int32_t>(radius[static_cast<std::ptrdiff_t>(i)]);
    }
    const std::int32_t* const radii = all.data();
    if (!focus.keep_sharp_apart) return blur(where, picture, radii, image_border::clamp);
    filter_picture(picture, where.threads, [&](const auto* from, auto* to) {
        const image_extents extents{picture.height, picture.width};
        constexpr auto border = image_border::clamp;
        if (where.gpu != nullptr) {
            on_gpu::blur_image(*where.gpu, from, extents, {.each = radii, .is_sharp_apart = true},
                               border, to);
            return;
        }
        constexpr auto what = detail::window_result::mean_of_blurred;
        const cpu on{.threads = where.threads};
        detail::filter_windows<what>(on, from, extents, radii, "radii", radii, to, border);
    });
}

}  // namespace lookback::table
