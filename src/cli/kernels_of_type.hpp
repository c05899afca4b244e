/// \file
/// What kernels.hpp declares, as templates: kernels_*.cpp share out the types, for the compile
/// time.
#pragma once

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>

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

template <bool is_exclusive, class Op, class T>
void scan_segments_as(const T* in, std::size_t items, const std::uint8_t* heads, T* out,
                      const std::optional<T>& seed, std::optional<T>& carry, int threads) {
    using flags = detail::heads_by_flag<const std::uint8_t*>;
    const flags segments{heads, false};
    const Op op;
    std::optional<segment_value<T>> before;
    if (carry) before = {*carry, true};
    const detail::segments_problem<is_exclusive, const T*, flags, T*, T, Op> problem(
        in, items, segments, out, seed, op, before);
    carry = detail::single_pass(cpu{.threads = threads}, problem).value;
}

template <class Op, class T>
void scan_segments(const T* in, std::size_t items, const std::uint8_t* heads, T* out,
                   const std::optional<T>& seed, std::optional<T>& carry, bool is_exclusive,
                   int threads) {
    const auto run = is_exclusive ? scan_segments_as<true, Op, T> : scan_segments_as<false, Op, T>;
    run(in, items, heads, out, seed, carry, threads);
}

// Output that nobody wants.
struct nowhere {
    using value_type = std::uint8_t;
    using difference_type = std::ptrdiff_t;
    const auto& operator[](std::ptrdiff_t) const { return std::ignore; }
};

template <class Op, class T>
std::size_t reduce_segments(const T* in, std::size_t items, const std::uint8_t* heads, T* out,
                            std::optional<T>& carry, int threads) {
    // The heads are the keys, too: so all types of keys are one.
    std::optional<detail::run_state<T>> before;
    if (carry) before = {1, *carry};
    const std::size_t runs =
        detail::fold_runs<T>(cpu{.threads = threads}, heads, items, in, detail::by_flags(heads),
                             nowhere{}, out, Op{}, before);
    carry = out[runs - 1];
    return runs - 1;
}

template <class Op, class T>
constexpr kernels<T> make(T identity) {
    return {identity,
            scan<Op, T>,
            scan_columns<Op, T>,
            scan_segments<Op, T>,
            reduce_segments<Op, T>,
            scan_tile_items<T>,
            detail::segment_tile_items<T>,
            detail::run_tile_items<std::uint8_t, T>};
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
