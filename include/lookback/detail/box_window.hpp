/// \file
/// Sums over windows of an image from its exclusive summed-area table, for any border, on the CPU
/// and on GPUs.
///
/// Along one axis let S[i] be the sum of the first i items, for i from 0 to n; S[0] = 0. The border
/// continues the image beyond its edges, and S with it. The sum from 0 up to an index i < 0 or i >
/// n is a combination of at most two entries of S with integer weights:
///
///     zero     S[0] for i < 0, S[n] for i > n
///     clamp    i * S[1] for i < 0, S[n] + (i - n) * (S[n] - S[n-1]) for i > n
///     reflect  2n items are a period, whose sum is 2 S[n]; in the second half of a period, which
///              runs backwards, the sum up to m is 2 S[n] - S[2n - m]
///
/// A sum over a window is the difference of two such sums along each axis: 4 entries of the table
/// if the window lies within the image, otherwise at most 16. Sums of integers are modulo 2^bits of
/// the table's entries, so the result is right whenever the window's own sum fits. A larger window
/// is cut into pieces whose sums fit.
///
/// Source: Crow 1984, "Summed-area tables for texture mapping".
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/portability.hpp"
#include "lookback/pixel.hpp"

namespace lookback {

/// What lies beyond an image's edges: its outermost items, zeros, or the mirrored image, in which
/// the outermost items come twice (d c b a | a b c d). SciPy calls these nearest, constant and
/// reflect; OpenCV calls them BORDER_REPLICATE, BORDER_CONSTANT and BORDER_REFLECT.
enum class image_border { clamp, zero, reflect };

namespace detail {

/// The largest radius of a filter. Windows then have less than 2^48 items.
inline constexpr std::int64_t largest_radius = (std::int64_t{1} << 23) - 1;

/// A sum along one axis: weight[0] * S[at[0]] + weight[1] * S[at[1]]. `Int`: int64_t, or, where
/// sides and radii are less than 2^30, int32_t.
template <class Int>
struct prefix_sum_at {
    std::make_unsigned_t<Int> at[2];
    Int weight[2];
};

/// The sum up to index `i` of an axis of `n` > 0 items that the border continues beyond its ends.
template <class Int>
LOOKBACK_HD constexpr prefix_sum_at<Int> extended_prefix(Int i, Int n, image_border border) {
    const auto at = [](Int k) { return static_cast<std::make_unsigned_t<Int>>(k); };
    if (i >= 0 && i <= n) return {{at(i), 0}, {1, 0}};
    switch (border) {
        case image_border::zero: return {{at(i < 0 ? 0 : n), 0}, {1, 0}};
        case image_border::clamp:
            if (i < 0) return {{1, 0}, {i, 0}};
            return {{at(n), at(n - 1)}, {1 + i - n, n - i}};
        default: break;
    }
    const Int period = 2 * n;
    Int periods = i / period;
    if (i < 0 && periods * period != i) --periods;  // rounded down
    const Int m = i - periods * period;
    if (m <= n) return {{at(m), at(n)}, {1, 2 * periods}};
    return {{at(period - m), at(n)}, {-1, 2 * periods + 2}};
}

/// The index of the item at position `i` of an axis of n > 0 items that the border continues beyond
/// its ends; n stands for a zero.
LOOKBACK_HD constexpr std::size_t item_beyond(std::int64_t i, std::int64_t n, image_border border) {
    const auto at = [](std::int64_t k) { return static_cast<std::size_t>(k); };
    if (i >= 0 && i < n) return at(i);
    if (border == image_border::zero) return at(n);
    if (border == image_border::clamp) return at(i < 0 ? 0 : n - 1);
    if (i < -n || i >= 2 * n) i = (i % (2 * n) + 2 * n) % (2 * n);
    return at(i < 0 ? -1 - i : i < n ? i : 2 * n - 1 - i);
}

/// Items [first, last) of an axis, which may lie beyond its ends.
template <class Int>
struct window_of {
    Int first;
    Int last;
};
using axis_window = window_of<std::int64_t>;
template <class Int>
LOOKBACK_HD constexpr window_of<Int> window_around(std::size_t x, Int radius) {
    const auto at = static_cast<Int>(x);
    return {at - radius, at + radius + 1};
}
template <class Int>
LOOKBACK_HD constexpr bool lies_within(const window_of<Int>& w, std::size_t items) {
    return w.first >= 0 && w.last <= static_cast<Int>(items);
}

/// entry * weight. Integers are multiplied modulo 2^bits, as unsigned ones.
template <class T>
LOOKBACK_HD constexpr auto weighted(const T& entry, std::int64_t weight) {
    if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<std::make_unsigned_t<T>>(entry) *
                              static_cast<std::make_unsigned_t<T>>(weight));
    } else if constexpr (std::is_floating_point_v<T>) {
        return entry * static_cast<T>(weight);
    } else {
        T product{};
        for (int k = 0; k < channels_of<T>::channels; ++k) {
            product.channel[k] = detail::weighted(entry.channel[k], weight);
        }
        return product;
    }
}

/// Adds entry * weight to `sum`. Weights of 1, 0 and -1 take no multiplication.
template <class A>
LOOKBACK_HD constexpr void accumulate(A& sum, const A& entry, std::int64_t weight) {
    if (weight == 1) {
        sum = static_cast<A>(plus<A>{}(sum, entry));
    } else if (weight == -1) {
        sum = subtract(sum, entry);
    } else if (weight != 0) {
        sum = static_cast<A>(plus<A>{}(sum, weighted(entry, weight)));
    }
}

/// The sum over a window of an image of height x width > 0 items, from its table: `entry(row,
/// column)` is an A.
template <class A, class Entry, class Int>
LOOKBACK_HD constexpr A window_sum(const Entry& entry, std::size_t height, std::size_t width,
                                   const window_of<Int>& rows, const window_of<Int>& columns,
                                   image_border border) {
    if (lies_within(rows, height) && lies_within(columns, width)) {
        const auto top = static_cast<std::size_t>(rows.first);
        const auto bottom = static_cast<std::size_t>(rows.last);
        const auto left = static_cast<std::size_t>(columns.first);
        const auto right = static_cast<std::size_t>(columns.last);
        return subtract<A>(subtract<A>(entry(bottom, right), entry(bottom, left)),
                           subtract<A>(entry(top, right), entry(top, left)));
    }
    const auto h = static_cast<Int>(height), w = static_cast<Int>(width);
    const auto top = detail::extended_prefix(rows.first, h, border);
    const auto bottom = detail::extended_prefix(rows.last, h, border);
    const auto left = detail::extended_prefix(columns.first, w, border);
    const auto right = detail::extended_prefix(columns.last, w, border);
    // Entries of row 0 and of column 0 are zeros.
    const auto sum_along = [&](auto row) {
        const auto read = [&](const prefix_sum_at<Int>& x, int k) {
            return x.at[k] != 0 && x.weight[k] != 0 ? static_cast<A>(entry(row, x.at[k])) : A{};
        };
        // All entries of a row are read before any is used, and nothing asks for a weight of 1: on
        // a GPU both would take longer than what they save.
        const A right0 = read(right, 0), right1 = read(right, 1);
        const A left0 = read(left, 0), left1 = read(left, 1);
        const auto difference = [](const A& a, Int weight_of_a, const A& b, Int weight_of_b) {
            return detail::subtract<A>(detail::weighted(a, weight_of_a),
                                       detail::weighted(b, weight_of_b));
        };
        return static_cast<A>(
            plus<A>{}(difference(right0, right.weight[0], left0, left.weight[0]),
                      difference(right1, right.weight[1], left1, left.weight[1])));
    };
    A sum{};
    const auto add_row = [&](auto row, Int weight) {
        if (row == 0 || weight == 0) return;
        sum = static_cast<A>(plus<A>{}(sum, detail::weighted(sum_along(row), weight)));
    };
    add_row(bottom.at[0], bottom.weight[0]);
    add_row(bottom.at[1], bottom.weight[1]);
    add_row(top.at[0], -top.weight[0]);
    add_row(top.at[1], -top.weight[1]);
    return sum;
}

/// The largest width and height of a piece of a window whose sum, for items of `item_bits` bits,
/// surely fits in the table's entries.
template <class A>
LOOKBACK_HD constexpr std::int64_t piece_side(int item_bits) {
    if constexpr (std::is_floating_point_v<channel_type<A>>) {
        return std::int64_t{1} << 32;
    } else {
        const int spare = static_cast<int>(sizeof(channel_type<A>)) * 8 - item_bits;
        return std::int64_t{1} << (spare > 0 ? spare / 2 : 0);
    }
}

/// The same for a window whose sum may not fit in the table's entries: the result is a Wide of 64
/// bits (for doubles, a double).
template <class Wide, class A, class Entry>
LOOKBACK_HD constexpr Wide wide_window_sum(const Entry& entry, std::size_t height,
                                           std::size_t width, axis_window rows, axis_window columns,
                                           image_border border, int item_bits) {
    const std::int64_t side = piece_side<A>(item_bits);
    if (std::is_same_v<Wide, A> ||
        (rows.last - rows.first <= side && columns.last - columns.first <= side)) {
        return static_cast<Wide>(window_sum<A>(entry, height, width, rows, columns, border));
    }
    if (border == image_border::zero) {  // nothing is added beyond the edges
        const auto clip = [](axis_window& window, std::size_t items) {
            const auto n = static_cast<std::int64_t>(items);
            if (window.first < 0) window.first = 0;
            if (window.last > n) window.last = n;
        };
        clip(rows, height);
        clip(columns, width);
    }
    Wide sum{};
    for (std::int64_t y = rows.first; y < rows.last; y += side) {
        for (std::int64_t x = columns.first; x < columns.last; x += side) {
            const axis_window piece_rows{y, y + side < rows.last ? y + side : rows.last};
            const axis_window piece_columns{x, x + side < columns.last ? x + side : columns.last};
            sum = sum + static_cast<Wide>(
                            window_sum<A>(entry, height, width, piece_rows, piece_columns, border));
        }
    }
    return sum;
}

/// The number of items of a window.
LOOKBACK_HD constexpr std::int64_t window_items(std::int64_t radius) {
    return (2 * radius + 1) * (2 * radius + 1);
}

/// A radius from an array. Below 0 it counts as 0, above the largest radius as the largest.
template <class R>
LOOKBACK_HD constexpr std::int64_t radius_of(const R& radius) {
    if (!(radius > R{})) return 0;
    if constexpr (std::is_integral_v<R>) {
        if (static_cast<std::make_unsigned_t<R>>(radius) >
            static_cast<std::uint64_t>(largest_radius)) {
            return largest_radius;
        }
    }
    return static_cast<std::int64_t>(radius);
}

/// The type in which windows of items of a type are summed: 32 bits for unsigned bytes, 64 bits for
/// other integers, double for floats. Squares are summed in 64 bits or double.
template <class T>
using window_channel = std::conditional_t<
    std::is_floating_point_v<T>, double,
    std::conditional_t<std::is_signed_v<T>, std::int64_t,
                       std::conditional_t<sizeof(T) == 1, std::uint32_t, std::uint64_t>>>;
template <class T>
using wide_channel =
    std::conditional_t<sizeof(window_channel<T>) == 4, std::uint64_t, window_channel<T>>;
template <class T>
using squares_channel = std::conditional_t<std::is_floating_point_v<T>, double, std::uint64_t>;

template <class Item>
using window_entry = typename channels_of<Item>::template with<window_channel<channel_type<Item>>>;
template <class Item>
using wide_entry = typename channels_of<Item>::template with<wide_channel<channel_type<Item>>>;
template <class Item>
using squares_entry =
    typename channels_of<Item>::template with<squares_channel<channel_type<Item>>>;
template <class Item>
inline constexpr int item_bits = static_cast<int>(sizeof(channel_type<Item>)) * 8;

}  // namespace detail
}  // namespace lookback
