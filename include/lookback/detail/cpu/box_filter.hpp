/// \file
/// Box filters on the CPU: a table in scratch memory, then bands of rows by all threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "lookback/box_filter.hpp"
#include "lookback/detail/cpu/scratch.hpp"
#include "lookback/detail/cpu/shares.hpp"

namespace lookback::detail {

template <>
struct box_filters_on<cpu> {
    template <window_result what, class In, class Radii, class Out>
    static void run(const cpu& where, const In& in, const table_shape& s, const Radii& radii,
                    const Out& out, image_border border) {
        using Item = std::iter_value_t<In>;
        using Result = std::iter_value_t<Out>;
        using A = window_entry<Item>;
        using Wide = wide_entry<Item>;
        const std::size_t entries = (s.height + 1) * (s.width + 1);
        scratch_array<A> sums(entries);
        using S = squares_entry<Item>;
        scratch_array<S> squares(what == window_result::variance ? entries : 0);
        for (std::size_t image = 0; image < s.images; ++image) {
            const auto from = in + static_cast<std::iter_difference_t<In>>(image * s.in_image);
            const image_extents e{s.height, s.width, 1, s.in_pitch, 0};
            if constexpr (what == window_result::variance) {
                exclusive_summed_area_tables(where, from, e, sums.data(), squares.data());
            } else {
                exclusive_summed_area_table(where, from, e, sums.data());
            }
            const auto entry_of = [&](const auto* table) {
                return [table, &s](std::size_t y, std::size_t x) {
                    return table[y * (s.width + 1) + x];
                };
            };
            const auto filter_row = [&](std::size_t y) {
                for (std::size_t x = 0; x < s.width; ++x) {
                    const std::int64_t radius = detail::radius_of(
                        radii[static_cast<std::ptrdiff_t>((image * s.height + y) * s.width + x)]);
                    const axis_window rows = detail::window_around(y, radius);
                    const axis_window columns = detail::window_around(x, radius);
                    const std::int64_t items = detail::window_items(radius);
                    const Wide sum =
                        detail::wide_window_sum<Wide, A>(entry_of(sums.data()), s.height, s.width,
                                                         rows, columns, border, item_bits<Item>);
                    Result result;
                    if constexpr (what == window_result::variance) {
                        const S sum2 = detail::window_sum<S>(entry_of(squares.data()), s.height,
                                                             s.width, rows, columns, border);
                        result = detail::variance_of<Result>(sum, sum2, items);
                    } else {
                        result = detail::mean_of<Result>(sum, items);
                    }
                    detail::put(out, image * s.out_image + y * s.out_pitch + x, result);
                }
            };
            detail::for_shares(where, s.height, 1, [&](std::size_t begin, std::size_t end) {
                for (std::size_t y = begin; y < end; ++y) filter_row(y);
            });
        }
    }
};

}  // namespace lookback::detail
