/// \file
/// Means and variances over square windows of an image, computed from its summed-area table. Large
/// windows take as long as small ones, and each pixel may have a window of its own.
///
///     box_filter(image, image_extents{height, width}, 12, blurred);
///     box_filter(where, image.begin(), image_extents{height, width}, radii.begin(),
///                blurred.begin(), image_border::reflect);
///     depth_of_field(image, depth, image_extents{height, width}, focus_settings{.3F, 40.F}, out);
///
/// A window of radius r is the (2r + 1)^2 items around a pixel. All of them count, also those
/// beyond the edges of the image, whose values the border gives. Items are numbers or pixels of 1
/// to 4 channels; outputs have as many channels. Where items or outputs are floats, the mean is a
/// quotient of doubles. Where outputs are integers, it is rounded to nearest, ties to even. Results
/// are exact for integers of up to 32 bits if the sum over the window (for variances: the sum of
/// squares) fits in 64 bits. Windows of floats are differences of sums of doubles, so their error
/// is that of a sum over the whole image, about 1e-16 of it. The caller must avoid results that an
/// output of integers cannot hold (a mean of floats; a mean of signed integers in unsigned ones),
/// as in any conversion.
///
/// `radius` is an integer, or an iterator or range with one radius for each pixel, in rows without
/// gaps. Of radii for each pixel, those below 0 count as 0, and those above 2^23-1 count as 2^23-1.
///
/// Work O(n). On the CPU, means of integers in contiguous memory by a single radius are running
/// sums, which need no more memory than one row for each thread. On a GPU, two kinds of means of
/// integers of 1 or 2 bytes need no table: by a single radius of at most 48; and by radii for each
/// pixel up to 63 (pixels of several channels: 31) in large images, if blocks may have 132 to 198
/// KiB of shared memory. (But pixels of four channels other than unsigned bytes take the table.)
///
/// The table is in memory that the call allocates, by radii also where it turns out not to be
/// needed: 4 bytes a channel for images of unsigned bytes, 8 for others; 8 more for variances; and
/// 4 more a pixel where sharp pixels are kept apart. (On a GPU, rows are padded, and radii take
/// some bytes more: before a graph is captured, one call makes the room.) Stacks are filtered image
/// by image, or many small images at a time; on a GPU, its scratch memory holds the tables of all
/// images at once. Each item is read once (without a table about twice, mostly from cache), and
/// each output is written once or, by radii, twice with the same value. Where sharp pixels are kept
/// apart, items in focus are read twice and depths three times. (In images of unsigned bytes, a
/// radius above 2047 takes one look-up for each 4096 x 4096 items of its window.)
///
/// Errors: as in summed_area.hpp, and std::invalid_argument for a radius that is negative or more
/// than 2^23 - 1, a `focus` that is NaN, an `aperture` that is negative or NaN, and an output that
/// is the input.
///
/// Source: Crow 1984, "Summed-area tables for texture mapping"; the depth of field of Harris,
/// Sengupta & Owens 2007, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, section 39.3.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "lookback/detail/box_mean.hpp"
#include "lookback/detail/box_window.hpp"
#include "lookback/summed_area.hpp"

namespace lookback {

/// What is in focus, and how much the rest is blurred.
struct focus_settings {
    float focus;     ///< the depth that is sharp
    float aperture;  ///< the radius, in pixels, for a difference in depth of 1
    /// Whether pixels in focus (of radius 0) are left out of the windows of other pixels, so that a
    /// sharp foreground does not bleed into the background behind it.
    bool keep_sharp_apart = false;
};

namespace detail {

/// One radius for all pixels.
struct fixed_radius {
    std::int64_t radius;
    LOOKBACK_HD std::int64_t operator[](std::ptrdiff_t) const { return radius; }
};

/// The radius of each pixel from its depth: aperture * |depth - focus|, to the nearest integer. A
/// depth that is NaN is in focus.
template <class Depth>
struct focus_radii {
    Depth depth;
    float focus;
    float aperture;
    LOOKBACK_HD std::int64_t operator[](std::ptrdiff_t i) const {
        return of(static_cast<float>(depth[i]));
    }
    LOOKBACK_HD std::int64_t of(float deep) const {
        const float away = deep - focus;
        const float radius = aperture * (away < 0 ? -away : away);
        if (!(radius > 0)) return 0;
        if (radius >= static_cast<float>(largest_radius)) return largest_radius;
        return rounded<std::int64_t>(static_cast<double>(radius));
    }
};

template <class Item>
concept filterable =
    std::is_arithmetic_v<channel_type<Item>> && !std::same_as<channel_type<Item>, bool>;
template <class In, class Out>
concept filters =
    std::random_access_iterator<In> && filterable<std::iter_value_t<In>> &&
    filterable<std::iter_value_t<Out>> &&
    channels_of<std::iter_value_t<In>>::channels == channels_of<std::iter_value_t<Out>>::channels &&
    indexed_output<Out, std::iter_value_t<Out>>;
template <class Out>
concept floating_output = std::floating_point<channel_type<std::iter_value_t<Out>>>;
template <class Radius>
concept radii = (std::integral<Radius> && !std::same_as<Radius, bool>) ||
                (std::random_access_iterator<Radius> && std::integral<std::iter_value_t<Radius>> &&
                 !std::same_as<std::iter_value_t<Radius>, bool>);

/// What is computed from a window: the mean of its items, their variance, or the mean of the items
/// whose own radius is not 0 (then an item whose own radius is 0 is copied unchanged).
enum class window_result { mean, variance, mean_of_blurred };

/// How an execution filters: specialised in detail/cpu/box_filter.hpp and
/// detail/device/box_filter.hpp, with
///
///     template <window_result what, class In, class Radii, class Out>
///     static void run(where, In, const table_shape&, const Radii&, Out, image_border);
///
/// where `Radii` is fixed_radius, an iterator, or focus_radii. radius_of(radii[i]) is the radius of
/// pixel i, counted over all images in rows without gaps. No image is empty.
template <class Execution>
struct box_filters_on;

template <class R>
auto checked_radii(const R& radius) {
    if constexpr (std::integral<R>) {
        const bool fits = !(radius < R{}) && static_cast<std::uint64_t>(radius) <=
                                                 static_cast<std::uint64_t>(largest_radius);
        if (!fits) {
            throw std::invalid_argument("lookback: radius is " + std::to_string(radius) +
                                        "; expected 0 to " + std::to_string(largest_radius));
        }
        return fixed_radius{static_cast<std::int64_t>(radius)};
    } else {
        return radius;
    }
}
inline void check_focus(const focus_settings& settings) {
    if (settings.focus != settings.focus) {
        throw std::invalid_argument("lookback: focus_settings.focus is not a number");
    }
    if (!(settings.aperture >= 0)) {
        throw std::invalid_argument("lookback: focus_settings.aperture is " +
                                    std::to_string(settings.aperture) +
                                    "; expected 0 or a number of pixels");
    }
}
inline void check_border(image_border border) {
    if (border != image_border::clamp && border != image_border::zero &&
        border != image_border::reflect) {
        throw std::invalid_argument("lookback: image_border is " +
                                    std::to_string(static_cast<int>(border)) +
                                    "; expected clamp, zero or reflect");
    }
}

template <window_result what, class Where, class In, class Paired, class Radii, class Out>
Out filter_windows(Where& execution, const In& in, const image_extents& extents,
                   const Paired& paired, const char* name, const Radii& radii, const Out& out,
                   image_border border) {
    auto&& where = execution_of(execution);
    using on = execution_type<Where>;
    [[maybe_unused]] const auto whole = calls_on<on>::begin(where);
    const image_rows from = detail::input_rows(extents);
    const image_rows to = detail::output_rows(extents);
    detail::check_border(border);
    if (to.empty()) return out;
    detail::check_image_memory(in, from, "input", out, to, in_place::refused);
    if constexpr (!std::integral<Paired>) {
        const image_rows tight{to.images, to.height, to.width, to.width};
        detail::check_image_memory(paired, tight, name, out, to, in_place::refused);
    }
    box_filters_on<on>::template run<what>(where, in, detail::shape_of(from, to, false), radii, out,
                                           border);
    return out + static_cast<std::iter_difference_t<Out>>(to.span());
}

/// Checks the sizes of ranges: an image, an array with an item for each pixel (or a single radius),
/// and an output.
template <class In, class Paired, class Out>
void check_filter_ranges(const image_extents& extents, In& in, [[maybe_unused]] Paired& paired,
                         [[maybe_unused]] const char* name, Out& out) {
    const image_rows to = detail::output_rows(extents);
    detail::check_image_items("input", detail::input_rows(extents), detail::size_of(in));
    if constexpr (std::ranges::range<Paired>) {
        const std::size_t pixels = to.empty() ? 0 : to.images * to.height * to.width;
        detail::check_one_for_each(pixels, detail::size_of(paired), name);
    }
    detail::check_image_items("output", to, detail::size_of(out));
}

template <class A>
using beginning_of = decltype(detail::beginning<role::output>(std::declval<A&>()));

template <window_result what>
struct window_form : algorithm<window_form<what>, takes::nothing, 1, 1> {
    using algorithm<window_form<what>, takes::nothing, 1, 1>::operator();

    template <execution Where = cpu, class First, class Radius, class Out,
              class In = std::remove_cvref_t<First>>
        requires filters<In, Out> && radii<Radius> &&
                 (what == window_result::mean || floating_output<Out>)
    Out operator()(Where&& where, First&& first, image_extents extents, Radius radius, Out out,
                   image_border border = image_border::clamp) const {
        return detail::filter_windows<what, std::remove_reference_t<Where>, In>(
            where, first, extents, radius, "radius", detail::checked_radii(radius), out, border);
    }

    template <class Where = cpu, class In, class Radius, class Out,
              class = std::enable_if_t<execution<Where> && sized_input<In> && sized_output<Out> &&
                                       (std::integral<std::remove_cvref_t<Radius>> ||
                                        sized_input<Radius>)>>
    auto operator()(Where&& where, In&& in, image_extents extents, Radius&& radius, Out&& out,
                    image_border border = image_border::clamp) const
        -> std::invoke_result_t<const window_form&, Where&, iterator_of<In>, image_extents,
                                std::remove_cvref_t<beginning_of<Radius>>, iterator_of<Out>,
                                image_border> {
        detail::check_filter_ranges(extents, in, radius, "radii", out);
        return window_form{}(where, std::ranges::begin(in), extents,
                             detail::beginning<role::output>(radius), std::ranges::begin(out),
                             border);
    }
};

struct depth_of_field_form : algorithm<depth_of_field_form, takes::nothing, 1, 1> {
    using algorithm<depth_of_field_form, takes::nothing, 1, 1>::operator();

    template <execution Where = cpu, class First, class Depth, class Out,
              class In = std::remove_cvref_t<First>, class Depths = std::decay_t<Depth>>
        requires filters<In, Out> && std::random_access_iterator<Depths> &&
                 std::convertible_to<std::iter_reference_t<Depths>, float>
    Out operator()(Where&& where, First&& image, Depth&& depth, image_extents extents,
                   focus_settings settings, Out out) const {
        detail::check_focus(settings);
        const Depths depths = depth;
        const focus_radii<Depths> radii{depths, settings.focus, settings.aperture};
        const auto filter = [&]<window_result what>() {
            return detail::filter_windows<what, std::remove_reference_t<Where>, In>(
                where, image, extents, depths, "depth", radii, out, image_border::clamp);
        };
        return settings.keep_sharp_apart
                   ? filter.template operator()<window_result::mean_of_blurred>()
                   : filter.template operator()<window_result::mean>();
    }

    template <class Where = cpu, class In, class Depth, class Out,
              class = std::enable_if_t<execution<Where> && sized_input<In> && sized_input<Depth> &&
                                       sized_output<Out>>>
    auto operator()(Where&& where, In&& image, Depth&& depth, image_extents extents,
                    focus_settings settings, Out&& out) const
        -> std::invoke_result_t<const depth_of_field_form&, Where&, iterator_of<In>,
                                iterator_of<Depth>, image_extents, focus_settings,
                                iterator_of<Out>> {
        detail::check_filter_ranges(extents, image, depth, "depths", out);
        return depth_of_field_form{}(where, std::ranges::begin(image), std::ranges::begin(depth),
                                     extents, settings, std::ranges::begin(out));
    }
};

}  // namespace detail

/// The mean of each pixel's window. Returns the end of the output's last row.
///
///     box_filter(where, in, extents, radius, out, border = image_border::clamp)
inline constexpr detail::window_form<detail::window_result::mean> box_filter;

/// The variance of each pixel's window as a float: the mean of squares minus the square of the
/// mean. For integers it is as exact as doubles are. For floats the error is about 1e-16 of the sum
/// of squares over the image. The result is never below 0.
///
///     box_variance(where, in, extents, radius, out, border = image_border::clamp)
inline constexpr detail::window_form<detail::window_result::variance> box_variance;

/// Approximate depth of field: each pixel becomes the mean over a window whose radius is aperture *
/// |depth - focus|, rounded. So a pixel that is more out of focus has a larger window. There is one
/// depth for each pixel, in rows without gaps. Beyond the image's edges its outermost pixels are
/// repeated.
///
/// This is the method of GPU Gems 3: the pixel's own depth alone gives the size of its window, and
/// all pixels in the window count alike, wherever they lie. This has two artefacts. A blurred
/// background takes up the colours of a sharp object in front of it, as a halo. And a blurred
/// foreground ends sharply at its outline, because it does not blur the pixels behind it. With
/// `keep_sharp_apart`, pixels in focus do not count in the windows of others, and the halo is gone;
/// the sharp outline of a blurred foreground stays.
///
///     depth_of_field(where, image, depth, extents, focus_settings{focus, aperture}, out)
inline constexpr detail::depth_of_field_form depth_of_field;

}  // namespace lookback

#include "lookback/detail/cpu/box_filter.hpp"
#if LOOKBACK_GPU
#include "lookback/detail/device/box_filter.hpp"
#endif
