/// \file
/// What kernels.hpp declares, as templates: kernels_*.cpp share out the types, for the compile
/// time.
#pragma once

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <type_traits>

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
    std::optional<segment_value<T>> before;
    if (carry) before = {*carry, true};
    carry = detail::scan_segments<is_exclusive, T>(cpu{.threads = threads}, in, items, segments,
                                                   out, seed, Op{}, before)
                .value;
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

// Sums, products and bit operators of signed integers: they have the bits of the unsigned ones.
template <operation op, class T>
struct as_unsigned {
    using U = std::make_unsigned_t<T>;

    static const kernels<U>& all() { return kernels_of<U>(op); }
    static const U* bits(const T* items) { return reinterpret_cast<const U*>(items); }
    static U* bits(T* items) { return reinterpret_cast<U*>(items); }
    static std::optional<U> bits(const std::optional<T>& item) {
        return item ? std::optional<U>(static_cast<U>(*item)) : std::nullopt;
    }

    static void scan(const T* in, std::size_t items, T* out, const std::optional<T>& seed,
                     bool is_backward, int threads) {
        all().scan(bits(in), items, bits(out), bits(seed), is_backward, threads);
    }
    static void scan_columns(const T* in, rows_shape shape, T* out, T* carry, bool has_carry,
                             bool is_exclusive, bool is_backward) {
        all().scan_columns(bits(in), shape, bits(out), bits(carry), has_carry, is_exclusive,
                           is_backward);
    }
    static void scan_segments(const T* in, std::size_t items, const std::uint8_t* heads, T* out,
                              const std::optional<T>& seed, std::optional<T>& carry,
                              bool is_exclusive, int threads) {
        std::optional<U> open = bits(carry);
        all().scan_segments(bits(in), items, heads, bits(out), bits(seed), open, is_exclusive,
                            threads);
        carry = static_cast<T>(*open);
    }
    static std::size_t reduce_segments(const T* in, std::size_t items, const std::uint8_t* heads,
                                       T* out, std::optional<T>& carry, int threads) {
        std::optional<U> open = bits(carry);
        const std::size_t runs =
            all().reduce_segments(bits(in), items, heads, bits(out), open, threads);
        carry = static_cast<T>(*open);
        return runs;
    }

    static constexpr kernels<T> make(T identity) {
        return {identity,
                scan,
                scan_columns,
                scan_segments,
                reduce_segments,
                scan_tile_items<T>,
                detail::segment_tile_items<T>,
                detail::run_tile_items<std::uint8_t, T>};
    }
};

// The kernels of `Op`, which the command line calls `op`.
template <operation op, class Op, class T>
constexpr kernels<T> make_kernels(T identity) {
    constexpr bool is_ordered = op == operation::min || op == operation::max;
    if constexpr (std::is_signed_v<T> && std::is_integral_v<T> && !is_ordered) {
        return as_unsigned<op, T>::make(identity);
    } else {
        return make<Op, T>(identity);
    }
}

}  // namespace kernels_of_type

template <number T>
const kernels<T>& kernels_of(operation op) {
    using kernels_of_type::make_kernels;
    using limits = std::numeric_limits<T>;
    constexpr T highest = limits::has_infinity ? limits::infinity() : limits::max();
    constexpr T lowest = limits::has_infinity ? -limits::infinity() : limits::lowest();
    static constexpr kernels<T> arithmetic[] = {
        make_kernels<operation::sum, plus<>, T>(T{0}),
        make_kernels<operation::product, multiplies<>, T>(T{1}),
        make_kernels<operation::min, minimum<>, T>(highest),
        make_kernels<operation::max, maximum<>, T>(lowest)};
    if constexpr (std::is_integral_v<T>) {
        static constexpr kernels<T> bitwise[] = {
            make_kernels<operation::bit_and, lookback::bit_and<>, T>(static_cast<T>(~T{0})),
            make_kernels<operation::bit_or, lookback::bit_or<>, T>(T{0}),
            make_kernels<operation::bit_xor, lookback::bit_xor<>, T>(T{0})};
        if (is_bitwise(op)) {
            return bitwise[static_cast<std::size_t>(op) -
                           static_cast<std::size_t>(operation::bit_and)];
        }
    }
    return arithmetic[static_cast<std::size_t>(op)];
}

}  // namespace lookback::cli
