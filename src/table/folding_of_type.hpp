/// \file
/// The loops of folding.hpp as templates. The types are divided among folding_*.cpp, to compile
/// faster.
#pragma once

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <type_traits>

#include "lookback/runs.hpp"
#include "lookback/scan.hpp"
#include "lookback/segmented.hpp"
#include "table/folding.hpp"

namespace lookback::table {

template <class T>
struct folding_of_type {
    template <class Op>
    static void scan(const void* from, std::size_t items, void* to,
                     const std::optional<scalar>& seed, bool is_backward, int threads) {
        const auto* const in = static_cast<const T*>(from);
        auto* const out = static_cast<T*>(to);
        const cpu where{.threads = threads};
        const auto run = [&](auto first, auto last, auto result) {
            if (seed) {
                inclusive_scan(where, first, last, result, Op{}, seed->as<T>());
            } else {
                inclusive_scan(where, first, last, result, Op{});
            }
        };
        if (is_backward) {
            run(std::make_reverse_iterator(in + items), std::make_reverse_iterator(in),
                std::make_reverse_iterator(out + items));
        } else {
            run(in, in + items, out);
        }
    }

    template <class Op>
    static void scan_columns(const void* in, rows_shape shape, void* out, void* carries,
                             bool has_carry, bool is_exclusive, bool is_backward) {
        auto* const carry = static_cast<T*>(carries);
        for (std::size_t r = 0; r < shape.rows; ++r) {
            const std::size_t first = (is_backward ? shape.rows - 1 - r : r) * shape.width;
            const T* row = static_cast<const T*>(in) + first;
            T* to = static_cast<T*>(out) + first;
            if (is_exclusive) {
                for (std::size_t i = 0; i < shape.width; ++i) {
                    const T item = row[i];  // read before the store, which may go to the same place
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

    template <bool is_exclusive, class Op>
    static T scan_segments_as(const T* in, std::size_t items, const std::uint8_t* heads, T* out,
                              const std::optional<T>& seed, const std::optional<T>& carry,
                              int threads) {
        const detail::heads_by_flag<const std::uint8_t*> segments{heads, false};
        std::optional<segment_value<T>> before;
        if (carry) before = {*carry, true};
        return detail::scan_segments<is_exclusive, T>(cpu{.threads = threads}, in, items, segments,
                                                      out, seed, Op{}, before)
            .value;
    }
    template <class Op>
    static void scan_segments(const void* in, std::size_t items, const std::uint8_t* heads,
                              void* out, const std::optional<scalar>& seed,
                              std::optional<scalar>& carry, bool is_exclusive, int threads) {
        const auto run = is_exclusive ? scan_segments_as<true, Op> : scan_segments_as<false, Op>;
        carry = scalar(run(static_cast<const T*>(in), items, heads, static_cast<T*>(out),
                           as<T>(seed), as<T>(carry), threads));
    }

    // Placeholder for an output that is not wanted.
    struct discarded {
        using value_type = std::uint8_t;
        using difference_type = std::ptrdiff_t;
        const auto& operator[](std::ptrdiff_t) const { return std::ignore; }
    };

    template <class Op>
    static std::size_t reduce_segments(const void* in, std::size_t items, const std::uint8_t* heads,
                                       void* out, std::optional<scalar>& carry, int threads) {
        // The heads are also passed as the keys, so that there is only one type of keys.
        std::optional<detail::run_summary<std::size_t, T>> before;
        if (carry) before = {1, carry->as<T>()};
        auto* const folds = static_cast<T*>(out);
        const std::size_t runs =
            detail::fold_runs<T>(cpu{.threads = threads}, heads, items, static_cast<const T*>(in),
                                 detail::by_flags(heads), discarded{}, folds, Op{}, before);
        carry = scalar(folds[runs - 1]);
        return runs - 1;
    }

    template <class Op>
    static folding make(T identity) {
        return {scalar(identity),
                scan<Op>,
                scan_columns<Op>,
                scan_segments<Op>,
                reduce_segments<Op>,
                scan_tile_items<T>,
                detail::segment_tile_items<T>,
                detail::run_tile_items<std::uint8_t, T>};
    }

    // Minimum and maximum: they depend on the order of numbers, and so on the sign.
    static const folding& ordered(operation op) {
        using limits = std::numeric_limits<T>;
        constexpr T highest = limits::has_infinity ? limits::infinity() : limits::max();
        constexpr T lowest = limits::has_infinity ? -limits::infinity() : limits::lowest();
        static const folding all[] = {make<minimum<>>(highest), make<maximum<>>(lowest)};
        return all[op == operation::min ? 0 : 1];
    }

    static const folding& any(operation op) {
        if (op == operation::min || op == operation::max) return ordered(op);
        static const folding arithmetic[] = {make<plus<>>(T{0}), make<multiplies<>>(T{1})};
        if constexpr (std::is_integral_v<T>) {
            static const folding bitwise[] = {make<lookback::bit_and<>>(static_cast<T>(~T{0})),
                                              make<lookback::bit_or<>>(T{0}),
                                              make<lookback::bit_xor<>>(T{0})};
            if (op == operation::bit_and) return bitwise[0];
            if (op == operation::bit_or) return bitwise[1];
            if (op == operation::bit_xor) return bitwise[2];
        }
        return arithmetic[op == operation::sum ? 0 : 1];
    }
};

}  // namespace lookback::table
