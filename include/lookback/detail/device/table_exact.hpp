/// \file
/// Rows of tiles whose sums are the same in any order: of integers, and of pixels of integers. Each
/// lane sums its own columns downward first, and only what it has for each row goes across the
/// lanes.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/table_movers.hpp"
#include "lookback/detail/device/table_row.hpp"
#include "lookback/pixel.hpp"

namespace lookback::detail::device {

/// Whether `A` consists of words that are summed by themselves.
template <class A>
inline constexpr bool sums_words =
    std::is_integral_v<channel_type<A>> && sizeof(channel_type<A>) == 4;

/// Whether a lane's items are the bytes of one word, which a single instruction sums.
template <class In, class A>
inline constexpr bool sums_bytes = [] {
    using T = channel_type<In>;
    return std::is_integral_v<T> && std::is_unsigned_v<T> && !std::is_same_v<T, bool> &&
           sizeof(T) == 1 && sums_words<A> &&
           channels_of<In>::channels == channels_of<A>::channels &&
           sizeof(In) * table_row<A>::of_lane == 4;
}();

template <class A>
struct exact_rows {
    static constexpr int of_lane = table_row<A>::of_lane, lanes = table_row<A>::lanes;
    using entries = typename table_row<A>::entries;

    __device__ static A plus(const A& a, const A& b) { return lookback::plus<A>{}(a, b); }

    /// Adds to each of the lane's columns the row's items up to that column; returns the sum of all
    /// the lane's items of the row. Only the first `used` items count.
    template <class In, class Value>
    __device__ static A add_row(entries& columns, const packed_items<In, of_lane>& items, int used,
                                const Value& value) {
        if constexpr (sums_bytes<In, A>) {
            constexpr int channels = channels_of<A>::channels;
            std::uint32_t word;
            std::memcpy(&word, &items, sizeof word);
            if (used < of_lane) word &= used > 0 ? (1U << 8 * channels * used) - 1 : 0U;
            const auto add = [&](A& sum, int column) {
#pragma unroll
                for (int q = 0; q < channels; ++q) {
                    auto& channel = channel_of(sum, q);
                    std::uint32_t ones = 0;
#pragma unroll
                    for (int c = 0; c <= column; ++c) ones |= 1U << 8 * (c * channels + q);
                    channel = static_cast<channel_type<A>>(
                        dot4(word, ones, static_cast<std::uint32_t>(channel)));
                }
            };
#pragma unroll
            for (int c = 0; c < of_lane; ++c) add(columns.entry[c], c);
            A total{};
            add(total, of_lane - 1);
            return total;
        } else {
            A up_to{};
#pragma unroll
            for (int c = 0; c < of_lane; ++c) {
                if (c < used) up_to = plus(up_to, value(items.item[c]));
                columns.entry[c] = plus(columns.entry[c], up_to);
            }
            return up_to;
        }
    }

    /// In each row, a lane's value becomes the sum of the values of the lanes below. All rows take
    /// each step together, because each step of a row waits for the step before.
    template <int rows>
    __device__ static void scan_lanes_below(A (&value)[rows]) {
        A up_to[rows];
#pragma unroll
        for (int i = 0; i < rows; ++i) up_to[i] = value[i];
#pragma unroll
        for (int distance = 1; distance < lanes; distance *= 2) {
#pragma unroll
            for (int i = 0; i < rows; ++i) up_to[i] = plus_lane_at(up_to[i], distance);
        }
#pragma unroll
        for (int i = 0; i < rows; ++i) {
            if constexpr (requires { up_to[i] - value[i]; }) {
                value[i] = subtract(up_to[i], value[i]);
            } else {
                value[i] = from_lane_below(up_to[i], 1);
                if (lane() == 0) value[i] = A{};
            }
        }
    }

    /// In each row, a lane's value becomes the sum of the values of the lanes below, in this row
    /// and in the rows before it; `above` is that of earlier rows, and goes on with these. A row of
    /// bytes has 128 of them, so the sums of two rows fit in one word.
    template <class In, int rows>
    __device__ static void scan_lanes_below(A (&value)[rows], A& above) {
        if constexpr (sums_bytes<In, A>) {
            static_assert(rows % 2 == 0 && 128 * 255 < 1 << 16);
            constexpr int channels = channels_of<A>::channels;
            std::uint32_t both[rows / 2][channels], up_to[rows / 2][channels];
            const auto for_each_pair = [](const auto& call) {
#pragma unroll
                for (int i = 0; i < rows / 2; ++i) {
#pragma unroll
                    for (int q = 0; q < channels; ++q) call(i, q);
                }
            };
            for_each_pair([&](int i, int q) {
                const auto upper = static_cast<std::uint32_t>(channel_of(value[2 * i + 1], q));
                both[i][q] = upper << 16 | static_cast<std::uint32_t>(channel_of(value[2 * i], q));
                up_to[i][q] = both[i][q];
            });
#pragma unroll
            for (int distance = 1; distance < lanes; distance *= 2) {
                for_each_pair(
                    [&](int i, int q) { up_to[i][q] = plus_lane_below(up_to[i][q], distance); });
            }
            for_each_pair([&](int i, int q) {
                const std::uint32_t below = up_to[i][q] - both[i][q];
                auto& sum = channel_of(above, q);
                using channel = channel_type<A>;
                sum = static_cast<channel>(dot2(below, 1, static_cast<std::uint32_t>(sum)));
                channel_of(value[2 * i], q) = sum;
                sum = static_cast<channel>(dot2(below, 0x100, static_cast<std::uint32_t>(sum)));
                channel_of(value[2 * i + 1], q) = sum;
            });
        } else {
            scan_lanes_below(value);
#pragma unroll
            for (A& sum : value) sum = above = plus(above, sum);
        }
    }

    /// Writes the sum of all lanes' values for each row.
    template <int rows>
    __device__ static void sum_lanes(const A (&value)[rows], A* totals) {
        static_assert(lanes >= rows);
        A sum[rows];
#pragma unroll
        for (int i = 0; i < rows; ++i) sum[i] = value[i];
        if constexpr (sums_words<A>) {
            static_assert(lanes == warp_lanes);
#pragma unroll
            for (A& s : sum) s = move_words(s, [](std::uint32_t w) { return sum_of_lanes(w); });
            if (lane() == 0) {
#pragma unroll
                for (int i = 0; i < rows; ++i) totals[i] = sum[i];
            }
        } else {
            // With each step a lane keeps half of the rows, and in the end one.
            int row = 0;
#pragma unroll
            for (int kept = rows, distance = lanes / 2; distance > 0; distance /= 2) {
                if (kept > 1) {
                    kept /= 2;
                    const bool upper = (lane() & distance) != 0;
#pragma unroll
                    for (int i = 0; i < kept; ++i) {
                        const A sent = upper ? sum[i] : sum[i + kept];
                        const A own = upper ? sum[i + kept] : sum[i];
                        sum[i] = plus(own, from_lane_across(sent, distance));
                    }
                    if (upper) row += kept;
                } else {
                    sum[0] = plus(sum[0], from_lane_across(sum[0], distance));
                }
            }
            if (lane() < lanes && lane() % (lanes / rows) == 0) totals[row] = sum[0];
        }
    }

 private:
    __device__ static A plus_lane_at(const A& value, int distance) {
        if constexpr (sums_words<A>) {
            return move_words(value, [=](std::uint32_t w) { return plus_lane_below(w, distance); });
        } else {
            const A below = from_lane_below(value, distance);
            return lane() >= distance ? plus(below, value) : value;
        }
    }
};

}  // namespace lookback::detail::device
