/// \file
/// Box filters on the CPU: the tables of some images are made in scratch memory, and then all
/// threads filter rows. (Means of integers by one radius need no table: running_box.hpp.)
///
/// With one radius for all pixels, the windows of a row of pixels have the same top and the same
/// bottom. The difference of the table's rows there is a row of sums, and each pixel takes the
/// difference of two of these sums. If each pixel has its own radius, each looks up its corners.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "lookback/box_filter.hpp"
#include "lookback/detail/cpu/running_box.hpp"
#include "lookback/detail/cpu/scratch.hpp"
#include "lookback/detail/cpu/shares.hpp"

namespace lookback::detail {

/// The exclusive table of one image.
template <class A>
struct image_table {
    const A* entries;
    std::size_t height, width;
    const A& operator()(std::size_t y, std::size_t x) const { return entries[y * (width + 1) + x]; }
    const A* row(std::size_t y) const { return entries + y * (width + 1); }
};

/// Sums over the windows of a row of pixels, which have the same height: the table's row at the
/// windows' bottom minus its row at their top.
template <class A>
void sums_of_columns(const image_table<A>& table, std::size_t y, std::int64_t radius,
                     image_border border, A* sums) {
    const axis_window window = detail::window_around(y, radius);
    const std::size_t entries = table.width + 1;
    if (detail::lies_within(window, table.height)) {
        const A* const top = table.row(static_cast<std::size_t>(window.first));
        const A* const bottom = table.row(static_cast<std::size_t>(window.last));
        for (std::size_t x = 0; x < entries; ++x) sums[x] = detail::subtract(bottom[x], top[x]);
        return;
    }
    std::fill_n(sums, entries, A{});
    const auto height = static_cast<std::int64_t>(table.height);
    const prefix_sum_at<std::int64_t> ends[2] = {
        detail::extended_prefix(window.last, height, border),
        detail::extended_prefix(window.first, height, border)};
    for (int end = 0; end < 2; ++end) {
        for (int k = 0; k < 2; ++k) {
            const std::int64_t weight = (end == 0 ? 1 : -1) * ends[end].weight[k];
            const A* const row = table.row(ends[end].at[k]);
            if (weight == 0) continue;
            for (std::size_t x = 0; x < entries; ++x) detail::accumulate(sums[x], row[x], weight);
        }
    }
}

/// The sum over the window of pixel x, from such a row of sums.
template <class A>
A sum_along(const A* sums, std::size_t width, std::size_t x, std::int64_t radius,
            image_border border) {
    const axis_window window = detail::window_around(x, radius);
    if (detail::lies_within(window, width)) {
        return detail::subtract(sums[window.last], sums[window.first]);
    }
    const auto items = static_cast<std::int64_t>(width);
    const auto to = detail::extended_prefix(window.last, items, border);
    const auto from = detail::extended_prefix(window.first, items, border);
    A sum{};
    for (int k = 0; k < 2; ++k) {
        detail::accumulate(sum, sums[to.at[k]], to.weight[k]);
        detail::accumulate(sum, sums[from.at[k]], -from.weight[k]);
    }
    return sum;
}

/// Items that are computed from their index, f(i), as the input of a table.
template <class A, class F>
struct computed_items {
    using value_type = A;
    using difference_type = std::ptrdiff_t;
    F f;
    A operator[](std::ptrdiff_t i) const { return f(static_cast<std::size_t>(i)); }
};

/// 1 for each item whose own radius is not 0. (It does not depend on the items, so all channels
/// share one table of counts.)
template <class Radii>
struct is_blurred {
    const Radii& radii;
    std::size_t first;
    std::uint32_t operator()(std::size_t i) const {
        return detail::radius_of(radii[static_cast<std::ptrdiff_t>(first + i)]) > 0;
    }
};

/// A filter of images by their tables. For a variance, `more` is the table of squares; for a mean
/// of blurred items, it is the table of their counts.
template <window_result what, class In, class Radii, class Out>
class table_filter {
    using Item = std::iter_value_t<In>;
    using Result = std::iter_value_t<Out>;
    using A = window_entry<Item>;
    using Wide = wide_entry<Item>;
    using More =
        std::conditional_t<what == window_result::variance, squares_entry<Item>, std::uint32_t>;
    static constexpr bool fixed = std::same_as<Radii, fixed_radius>;
    static constexpr std::size_t group_bytes = std::size_t{32} << 20;

 public:
    table_filter(const In& in, const table_shape& s, const Radii& radii, const Out& out,
                 image_border border)
        : in_(in),
          s_(s),
          radii_(radii),
          out_(out),
          border_(border),
          entries_((s.height + 1) * (s.width + 1)) {}

    void run(const cpu& where) {
        const std::size_t group = std::clamp<std::size_t>(
            group_bytes / (entries_ * (sizeof(A) + sizeof(More))), 1, s_.images);
        sums_ = scratch_array<A>(group * entries_);
        if (what != window_result::mean) more_ = scratch_array<More>(group * entries_);
        const std::size_t share = divided_up(std::size_t{1} << 14, s_.width);
        for (std::size_t first = 0; first < s_.images; first += group) {
            const std::size_t images = std::min(group, s_.images - first);
            make_tables(where, first, images);
            detail::for_shares(where, images * s_.height, share,
                               [&](std::size_t begin, std::size_t end) {
                                   std::vector<A> sums(fixed ? s_.width + 1 : 0);
                                   std::vector<More> more(fixed ? s_.width + 1 : 0);
                                   for (std::size_t row = begin; row < end; ++row) {
                                       filter_row(first, row / s_.height, row % s_.height,
                                                  sums.data(), more.data());
                                   }
                               });
        }
    }

 private:
    void make_tables(const cpu& where, std::size_t first, std::size_t images) {
        const auto from = in_ + static_cast<std::iter_difference_t<In>>(first * s_.in_image);
        const image_extents e{s_.height, s_.width, images, s_.in_pitch, 0};
        if constexpr (what == window_result::mean) {
            exclusive_summed_area_table(where, from, e, sums_.data());
        } else if constexpr (what == window_result::variance) {
            exclusive_summed_area_tables(where, from, e, sums_.data(), more_.data());
        } else {
            const std::size_t begin = first * s_.height * s_.width;
            const is_blurred<Radii> blurred{radii_, begin};
            const auto item = [&, blurred](std::size_t i) {
                const std::size_t at = i / s_.width * s_.in_pitch + i % s_.width;
                return blurred(i) != 0 ? static_cast<A>(detail::item(from, at)) : A{};
            };
            const image_rows tight{images, s_.height, s_.width, s_.width};
            const image_rows entries{images, s_.height + 1, s_.width + 1, s_.width + 1};
            const table_shape shape = detail::shape_of(tight, entries, true);
            summed_areas_on<cpu>::run<true>(where, computed_items<A, decltype(item)>{item}, shape,
                                            sums_.data(), no_array{}, no_array{});
            summed_areas_on<cpu>::run<true>(where, computed_items<More, is_blurred<Radii>>{blurred},
                                            shape, more_.data(), no_array{}, no_array{});
        }
    }

    void filter_row(std::size_t first, std::size_t image, std::size_t y, A* sums,
                    More* more) const {
        const image_table<A> table{sums_.data() + image * entries_, s_.height, s_.width};
        const image_table<More> others{
            what == window_result::mean ? nullptr : more_.data() + image * entries_, s_.height,
            s_.width};
        const std::size_t at = (first + image) * s_.out_image + y * s_.out_pitch;
        const std::size_t pixel_at = ((first + image) * s_.height + y) * s_.width;
        if constexpr (fixed) {
            const std::int64_t radius = radii_.radius, items = detail::window_items(radius);
            bool fits = std::same_as<Wide, A>;
            if (2 * radius + 1 <= piece_side<A>(item_bits<Item>)) fits = true;
            if (fits) {
                detail::sums_of_columns(table, y, radius, border_, sums);
                if constexpr (what == window_result::variance) {
                    detail::sums_of_columns(others, y, radius, border_, more);
                }
                const auto put = [&](std::size_t x, const A& sum, const More& squares) {
                    if constexpr (what == window_result::variance) {
                        detail::put(out_, at + x, detail::variance_of<Result>(sum, squares, items));
                    } else {
                        detail::put(out_, at + x, detail::mean_of<Result>(sum, items));
                    }
                };
                const auto put_at_edge = [&](std::size_t x) {
                    constexpr bool has_more = what == window_result::variance;
                    put(x, detail::sum_along(sums, s_.width, x, radius, border_),
                        has_more ? detail::sum_along(more, s_.width, x, radius, border_) : More{});
                };
                // Windows within the image need no test.
                const auto reach = static_cast<std::size_t>(radius);
                const std::size_t inner = std::min(s_.width, reach);
                const std::size_t end = std::max(inner, s_.width - inner);
                for (std::size_t x = 0; x < inner; ++x) put_at_edge(x);
                for (std::size_t x = inner; x < end; ++x) {
                    const std::size_t right = x + reach + 1, left = x - reach;
                    if constexpr (what == window_result::variance) {
                        put(x, detail::subtract(sums[right], sums[left]),
                            detail::subtract(more[right], more[left]));
                    } else {
                        put(x, detail::subtract(sums[right], sums[left]), More{});
                    }
                }
                for (std::size_t x = end; x < s_.width; ++x) put_at_edge(x);
                return;
            }
        }
        for (std::size_t x = 0; x < s_.width; ++x) {
            const std::int64_t radius =
                detail::radius_of(radii_[static_cast<std::ptrdiff_t>(pixel_at + x)]);
            detail::put(out_, at + x, result_at(table, others, first + image, y, x, radius));
        }
    }

    Result result_at(const image_table<A>& table, const image_table<More>& others,
                     std::size_t image, std::size_t y, std::size_t x, std::int64_t radius) const {
        const axis_window rows = detail::window_around(y, radius);
        const axis_window columns = detail::window_around(x, radius);
        const auto sum = [&] {
            return detail::wide_window_sum<Wide, A>(table, s_.height, s_.width, rows, columns,
                                                    border_, item_bits<Item>);
        };
        if constexpr (what == window_result::mean) {
            return detail::mean_of<Result>(sum(), detail::window_items(radius));
        } else if constexpr (what == window_result::variance) {
            const More squares =
                detail::window_sum<More>(others, s_.height, s_.width, rows, columns, border_);
            return detail::variance_of<Result>(sum(), squares, detail::window_items(radius));
        } else {
            if (radius == 0) {
                const std::size_t at = image * s_.in_image + y * s_.in_pitch + x;
                return detail::mean_of<Result>(static_cast<Wide>(detail::item(in_, at)), 1);
            }
            const auto count = detail::wide_window_sum<std::uint64_t, std::uint32_t>(
                others, s_.height, s_.width, rows, columns, border_, 8);
            return detail::mean_of<Result>(sum(), static_cast<std::int64_t>(count));
        }
    }

    const In in_;
    const table_shape& s_;
    const Radii& radii_;
    const Out out_;
    const image_border border_;
    const std::size_t entries_;  // of one table
    scratch_array<A> sums_;
    scratch_array<More> more_;
};

template <>
struct box_filters_on<cpu> {
    template <window_result what, class In, class Radii, class Out>
    static void run(const cpu& where, const In& in, const table_shape& s, const Radii& radii,
                    const Out& out, image_border border) {
        using item = std::iter_value_t<In>;
        using result = std::iter_value_t<Out>;
        using channel = channel_type<item>;
        if constexpr (what == window_result::mean && std::same_as<Radii, fixed_radius> &&
                      std::integral<channel> && contiguous_items_of<In, item> &&
                      contiguous_items_of<Out, result>) {
            using result_channel = channel_type<result>;
            running_box<channel, channels_of<item>::channels, result_channel>(
                reinterpret_cast<const channel*>(std::to_address(in)),
                reinterpret_cast<result_channel*>(std::to_address(out)), s, radii.radius, border)
                .run(where);
        } else {
            table_filter<what, In, Radii, Out>(in, s, radii, out, border).run(where);
        }
    }
};

}  // namespace lookback::detail
