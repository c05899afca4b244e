/// \file
/// What kernels.hpp declares, as templates: kernels_*.cpp share out the types, for the compile
/// time.
#pragma once

#include <algorithm>
#include <iterator>
#include <limits>

#include "kernels.hpp"
#include "lookback/runs.hpp"
#include "lookback/scan.hpp"
#include "lookback/segmented.hpp"

namespace lookback::cli {
namespace kernels_of_type {

template <class Op, class T>
void scan(const T* in, std::size_t items, T* out, const std::optional<T>& seed, bool is_backward,
          int threads) {
    const cpu where{.threads = threads};
    const auto run = [&](auto first, auto last, auto to) {
        if (seed) {
            inclusive_scan(where, first, last, to, Op{}, *seed);
        } else {
            inclusive_scan(where, first, last, to, Op{});
        }
    };
    if (is_backward) {
        run(std::make_reverse_iterator(in + items), std::make_reverse_iterator(in),
            std::make_reverse_iterator(out + items));
    } else {
        run(in, in + items, out);
    }
}

template <class Op, class T>
void scan_columns(const T* in, rows_shape shape, T* out, T* carry, bool has_carry,
                  bool is_exclusive, bool is_backward) {
    for (std::size_t r = 0; r < shape.rows; ++r) {
        const std::size_t first = (is_backward ? shape.rows - 1 - r : r) * shape.width;
        const T* row = in + first;
        T* to = out + first;
        if (is_exclusive) {
            for (std::size_t i = 0; i < shape.width; ++i) {
                const T item = row[i];  // before the store, which may be to the same place
                to[i] = carry[i];
                carry[i] = Op{}(carry[i], item);
            }
        } else {
            if (r == 0 && !has_carry) {
                std::copy_n(row, shape.width, carry);
            } else {
                for (std::size_t i = 0; i < shape.width; ++i) carry[i] = Op{}(carry[i], row[i]);
            }
            std::copy_n(carry, shape.width, to);
        }
    }
}

template <class Op, class T>
void scan_segments(const T* in, std::size_t items, const std::uint8_t* heads, T* out,
                   const std::optional<T>& seed, bool is_exclusive, int threads) {
    const cpu where{.threads = threads};
    const head_flags<const std::uint8_t*> segments{heads};
    if (is_exclusive) {
        exclusive_segmented_scan(where, in, in + items, segments, out, *seed, Op{});
    } else if (seed) {
        inclusive_segmented_scan(where, in, in + items, segments, out, *seed, Op{});
    } else {
        inclusive_segmented_scan(where, in, in + items, segments, out, Op{});
    }
}

template <class Op, class T>
std::size_t reduce_segments(const T* in, std::size_t items, std::uint8_t* heads, T* out,
                            int threads) {
    // The heads are the keys, and nobody wants them back: so all types of keys are one.
    const auto is_same_segment = [](std::uint8_t, std::uint8_t head) { return head == 0; };
    return reduce_by_key(cpu{.threads = threads}, heads, heads + items, in, heads, out, Op{},
                         is_same_segment);
}

template <class Op, class T>
constexpr kernels<T> make(T identity) {
    return {identity, scan<Op, T>, scan_columns<Op, T>, scan_segments<Op, T>,
            reduce_segments<Op, T>};
}

}  // namespace kernels_of_type

template <number T>
const kernels<T>& kernels_of(operation op) {
    using kernels_of_type::make;
    using limits = std::numeric_limits<T>;
    constexpr T highest = limits::has_infinity ? limits::infinity() : limits::max();
    constexpr T lowest = limits::has_infinity ? -limits::infinity() : limits::lowest();
    static constexpr kernels<T> arithmetic[] = {make<plus<>, T>(T{0}), make<multiplies<>, T>(T{1}),
                                                make<minimum<>, T>(highest),
                                                make<maximum<>, T>(lowest)};
    if constexpr (std::is_integral_v<T>) {
        static constexpr kernels<T> bitwise[] = {make<bit_and<>, T>(static_cast<T>(~T{0})),
                                                 make<bit_or<>, T>(T{0}), make<bit_xor<>, T>(T{0})};
        if (is_bitwise(op)) {
            return bitwise[static_cast<std::size_t>(op) -
                           static_cast<std::size_t>(operation::bit_and)];
        }
    }
    return arithmetic[static_cast<std::size_t>(op)];
}

}  // namespace lookback::cli
