/// \file
/// Box filters of integers by a single radius on the CPU, without a table: running sums down the
/// columns and along each row.
///
/// A column's sum over the rows of a window is the sum for the row above, plus the item that enters
/// below, minus the item that leaves above. A window's sum is the sum of the window to its left,
/// plus the column that enters, minus the column that leaves. Integers are exact modulo 2^bits in
/// whatever order they are added, so the results are those of a table. Each item is read twice, the
/// second time from the cache if it has room for 2 radius + 1 rows; each output is written once.
///
/// Images are cut into parts of at least 64 rows and 16384 samples. Parts are so large that what a
/// part reads of its neighbours is only a fraction of it, unless that would leave workers without
/// parts.
///
/// Source: McDonnell 1981, "Box-filtering techniques".
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "lookback/detail/box_mean.hpp"
#include "lookback/detail/box_window.hpp"
#include "lookback/detail/cpu/shares.hpp"
#include "lookback/detail/cpu/summed_area.hpp"
#include "lookback/detail/image_shape.hpp"

namespace lookback::detail {

/// How often each item of an axis counts in a window.
class item_weights {
 public:
    item_weights(const axis_window& window, std::size_t items, image_border border)
        : to_(detail::extended_prefix(window.last, static_cast<std::int64_t>(items), border)),
          from_(detail::extended_prefix(window.first, static_cast<std::int64_t>(items), border)) {}

    std::int64_t operator[](std::size_t i) const {
        std::int64_t weight = 0;
        for (int k = 0; k < 2; ++k) {
            if (i < to_.at[k]) weight += to_.weight[k];
            if (i < from_.at[k]) weight -= from_.weight[k];
        }
        return weight;
    }

 private:
    prefix_sum_at<std::int64_t> to_, from_;
};

/// A filter of images of `channels` interleaved samples of type T; results have as many samples of
/// type Result.
template <class T, int channels, class Result>
class running_box {
 public:
    running_box(const T* in, Result* out, const table_shape& s, std::int64_t radius,
                image_border border)
        : in_(in),
          out_(out),
          s_(s),
          radius_(radius),
          border_(border),
          items_(detail::window_items(radius)),
          values_(std::ldexp(static_cast<double>(items_), 8 * sizeof(T))) {}

    void run(const cpu& where) const {
        const std::size_t window = 2 * static_cast<std::size_t>(radius_) + 1;
        const auto workers = static_cast<std::size_t>(worker_limit(where));
        const std::size_t rows =
            std::clamp(4 * window, least_rows,
                       std::max(least_rows, detail::divided_up(s_.height, 4 * workers)));
        const std::size_t columns = std::max(least_samples / channels, 4 * window);
        const std::size_t bands = detail::divided_up(s_.height, rows);
        const std::size_t strips = std::max<std::size_t>(1, s_.width / columns);
        const std::size_t parts = bands * strips;
        // Images smaller than a part are taken several at a time.
        const std::size_t share = detail::divided_up(
            std::size_t{1} << 16, std::min(rows, s_.height) * divided_up(s_.width, strips));
        const auto part = [&](std::size_t number) {
            const std::size_t image = number / parts, strip = number % parts / bands;
            const std::size_t band = number % bands;
            const place at{image * s_.in_image,
                           image * s_.out_image,
                           {band * rows, std::min(s_.height, (band + 1) * rows)},
                           {s_.width * strip / strips, s_.width * (strip + 1) / strips}};
            if (sizeof(T) <= 2 && values_ <= 0x1p32) {
                if constexpr (sizeof(T) <= 2) filter<std::uint32_t>(at);
            } else {
                filter<std::uint64_t>(at);
            }
        };
        detail::for_shares(where, s_.images * parts, share,
                           [&](std::size_t begin, std::size_t end) {
                               for (std::size_t i = begin; i < end; ++i) part(i);
                           });
    }

 private:
    static constexpr std::size_t least_rows = 64, least_samples = std::size_t{1} << 14;
    static constexpr std::size_t block = 512;  // pixels whose windows' sums are divided together

    struct range {
        std::size_t begin, end;
    };
    struct place {
        std::size_t in, out;  // where the image begins
        range rows, columns;
    };

    template <class Sum>
    void filter(const place& at) const {
        const auto reach = static_cast<std::size_t>(radius_);
        // The columns that the windows cover, and one column of zeros.
        const range read{at.columns.begin - std::min(at.columns.begin, reach),
                         std::min(s_.width, at.columns.end + reach)};
        const std::size_t items = read.end - read.begin;
        std::vector<Sum> sums((items + 1) * channels);
        const auto row = [&](std::size_t y) {
            return in_ + (at.in + y * s_.in_pitch + read.begin) * channels;
        };
        const item_weights rows(detail::window_around(at.rows.begin, radius_), s_.height, border_);
        // The rows that the band's first window may cover.
        const std::size_t last_row = std::min(s_.height, at.rows.begin + reach + 1);
        for (std::size_t y = at.rows.begin - std::min(at.rows.begin, reach); y < last_row; ++y) {
            add(sums.data(), row(y), items * channels, static_cast<Sum>(rows[y]));
        }
        const item_weights columns(detail::window_around(at.columns.begin, radius_), s_.width,
                                   border_);
        std::vector<Sum> weights(std::min(s_.width, at.columns.begin + reach + 1) - read.begin);
        for (std::size_t x = 0; x < weights.size(); ++x) {
            weights[x] = static_cast<Sum>(columns[read.begin + x]);
        }
        const auto height = static_cast<std::int64_t>(s_.height);
        for (std::size_t y = at.rows.begin; y < at.rows.end; ++y) {
            if (y > at.rows.begin) {
                const axis_window now = detail::window_around(y, radius_);
                const std::size_t comes = detail::item_beyond(now.last - 1, height, border_);
                const std::size_t goes = detail::item_beyond(now.first - 1, height, border_);
                if (comes < s_.height && goes < s_.height) {
                    exchange(sums.data(), row(comes), row(goes), items * channels);
                } else if (comes < s_.height) {
                    add(sums.data(), row(comes), items * channels, Sum{1});
                } else if (goes < s_.height) {
                    add(sums.data(), row(goes), items * channels, static_cast<Sum>(-1));
                }
            }
            put_row(sums, weights, read, at.columns, out_ + (at.out + y * s_.out_pitch) * channels);
        }
    }

    template <class Sum>
    static void add(Sum* sums, const T* row, std::size_t samples, Sum weight) {
        if (weight == 0) return;
        for (std::size_t i = 0; i < samples; ++i) {
            sums[i] = static_cast<Sum>(sums[i] + weight * static_cast<Sum>(row[i]));
        }
    }
    template <class Sum>
    static void exchange(Sum* sums, const T* comes, const T* goes, std::size_t samples) {
        for (std::size_t i = 0; i < samples; ++i) {
            sums[i] =
                static_cast<Sum>(sums[i] + static_cast<Sum>(comes[i]) - static_cast<Sum>(goes[i]));
        }
    }

    // A row of results, from the sums of the columns that were read.
    template <class Sum>
    void put_row(const std::vector<Sum>& sums, const std::vector<Sum>& weights, const range& read,
                 const range& columns, Result* out) const {
        std::array<Sum, channels> window{};
        for (std::size_t x = 0; x < weights.size(); ++x) {
            for (int k = 0; k < channels; ++k) {
                window[k] += weights[x] * sums[x * channels + static_cast<std::size_t>(k)];
            }
        }
        const auto reach = static_cast<std::size_t>(radius_);
        const auto width = static_cast<std::int64_t>(s_.width);
        const auto entry = [&](std::size_t x) {
            return sums.data() + ((x == s_.width ? read.end : x) - read.begin) * channels;
        };
        // First the difference between each window's sum and that of the window to its left, then
        // the sums.
        std::array<Sum, block * channels> some;
        for (std::size_t first = columns.begin; first < columns.end; first += block) {
            const std::size_t last = std::min(columns.end, first + block);
            const auto to = [&](std::size_t x) { return some.data() + (x - first) * channels; };
            const auto at_edge = [&](std::size_t x) {
                const axis_window now = detail::window_around(x, radius_);
                subtract(entry(detail::item_beyond(now.last, width, border_)),
                         entry(detail::item_beyond(now.first, width, border_)), channels, to(x));
            };
            const std::size_t inner = std::clamp(reach, first, last);
            const std::size_t behind =
                std::clamp(s_.width - std::min(s_.width, reach + 1), inner, last);
            for (std::size_t x = first; x < inner; ++x) at_edge(x);
            if (inner < behind) {  // within the image: no test
                subtract(entry(inner + reach + 1), entry(inner - reach),
                         (behind - inner) * channels, to(inner));
            }
            for (std::size_t x = behind; x < last; ++x) at_edge(x);
            for (std::size_t k = 0; k < channels; ++k) {
                window[k] = add_up(some.data() + k, last - first, window[k]);
            }
            put_means(some.data(), (last - first) * channels, out + first * channels);
        }
    }

    template <class Sum>
    static void subtract(const Sum* a, const Sum* b, std::size_t samples, Sum* to) {
        for (std::size_t i = 0; i < samples; ++i) to[i] = static_cast<Sum>(a[i] - b[i]);
    }

    // Replaces items by their exclusive sums, two at a time, so that each pair waits for only one
    // addition.
    template <class Sum>
    static Sum add_up(Sum* items, std::size_t count, Sum sum) {
        for (; count >= 2; count -= 2, items += 2 * channels) {
            const Sum one = items[0], both = one + items[channels];
            items[0] = sum;
            items[channels] = sum + one;
            sum += both;
        }
        if (count == 0) return sum;
        return sum + std::exchange(items[0], sum);
    }

    // Means are rounded to integers. A window has an odd number of items, so its mean differs by at
    // least 1 / (2 items) from the values at which rounding changes. So a product with 1 / items
    // rounds as the quotient does if its error is smaller than that: 2^-23 of the mean for floats,
    // 2^-52 for doubles.
    template <class Sum>
    void put_means(const Sum* sums, std::size_t samples, Result* out) const {
        using number = std::conditional_t<std::is_signed_v<T>, std::make_signed_t<Sum>, Sum>;
        if constexpr (std::is_integral_v<Result>) {
            if constexpr (sizeof(Sum) == 4) {
                if (sizeof(T) == 1 && values_ < 0x1p22) {
                    return put_products<float, std::int32_t>(sums, samples, out);
                }
                return put_products<double, number>(sums, samples, out);
            } else if (values_ < 0x1p51) {
                return put_products<double, std::int64_t>(sums, samples, out);
            }
        }
        if constexpr (sizeof(Sum) == 8 || std::is_floating_point_v<Result>) {
            for (std::size_t i = 0; i < samples; ++i) {
                out[i] = detail::mean_of<Result>(static_cast<number>(sums[i]), items_);
            }
        }
    }
    template <class Real, class Number, class Sum>
    void put_products(const Sum* sums, std::size_t samples, Result* out) const {
        constexpr Real shift = sizeof(Real) == 4 ? Real(0x1.8p23) : Real(0x1.8p52);
        const Real inverse = 1 / static_cast<Real>(items_);
        for (std::size_t i = 0; i < samples; ++i) {
            const Real mean = static_cast<Real>(static_cast<Number>(sums[i])) * inverse;
            out[i] = static_cast<Result>((mean + shift) - shift);  // an integer before the cast
        }
    }

    const T* const in_;
    Result* const out_;
    const table_shape& s_;
    const std::int64_t radius_;
    const image_border border_;
    const std::int64_t items_;  // of a window
    const double values_;       // the number of values that its sum may have
};

}  // namespace lookback::detail
