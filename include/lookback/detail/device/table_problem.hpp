/// \file
/// Summed-area tables as the GPU's drivers see them: what is read, what is summed, where entries
/// go. To the drivers, a tile is one item.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/call.hpp"
#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/table_tiles.hpp"
#include "lookback/operators.hpp"

namespace lookback::detail::device {

/// Whether items are copied to a stage as they are, in words: only if there is room for two stages
/// of items and entries.
template <class In, class A>
inline constexpr bool copies_items = [] {
    if constexpr (std::is_pointer_v<In>) {
        using T = item_of<In>;
        constexpr std::size_t stage =
            std::size_t{table_rows_of_tile * table_columns<A>} * (sizeof(T) + sizeof(A));
        return std::is_trivially_copyable_v<T> && stage <= (sizeof(A) > 16 ? 80 : 96) * 1024;
    } else {
        return false;
    }
}();

/// A square, which is rounded before it is added to anything.
template <class S>
__device__ S square_of(const S& root) {
    if constexpr (std::is_floating_point_v<S>) {
        return multiply_rounded(root, root);
    } else if constexpr (requires { root.channel[0]; }) {
        S square{};
        for (int k = 0; k < channels_of<S>::channels; ++k) {
            square.channel[k] = square_of(root.channel[k]);
        }
        return square;
    } else {
        return multiplies<S>{}(root, root);
    }
}

/// The sum of items, and of their squares.
template <class A, class S>
struct sum_and_squares {
    A sum;
    S squares;

    __device__ friend sum_and_squares operator+(const sum_and_squares& a,
                                                const sum_and_squares& b) {
        return {plus<A>{}(a.sum, b.sum), plus<S>{}(a.squares, b.squares)};
    }
};

}  // namespace lookback::detail::device

namespace lookback::detail {

template <class A, class S>
inline constexpr bool adds_exactly<device::sum_and_squares<A, S>> =
    adds_exactly<A> && adds_exactly<S>;

}  // namespace lookback::detail

namespace lookback::detail::device {

/// Tables of sums.
template <class In, class Out, class Above_>
struct table_problem {
    using value_type = item_of<Out>;
    using item_type = item_of<In>;
    using Above = Above_;
    static constexpr bool can_be_aligned = copies_items<In, value_type>;
    static constexpr bool aligned = true;  // rows may begin anywhere
    static constexpr bool writes_vectors =
        std::is_pointer_v<Out> && sizeof(value_type) >= 4 && 16 % sizeof(value_type) == 0;

    In in;
    Out out;
    Above above;
    table_tiles tiles;
    item_count count;
    int word_bytes;        ///< rows are copied to the stage in words of so many bytes; 1: any rows
    bool aligned_vectors;  ///< entries are written in vectors of 16 bytes

    __device__ static value_type value(const item_type& item) {
        return static_cast<value_type>(item);
    }
    __device__ void store(std::uint64_t at, const value_type& entry) const {
        store_at(out, static_cast<std::int64_t>(at), entry);
    }
};

/// The squares of items.
template <class In, class S>
struct squared_items {
    using value_type = S;
    In in;
    __device__ S operator[](std::int64_t i) const {
        const auto root = static_cast<S>(in[i]);
        return square_of(root);
    }
};
template <class In, class S>
struct item_of_type<squared_items<In, S>> {
    using type = S;
};

/// Tables of sums and of squares. They never go on below others.
template <class In, class Out, class Squares>
struct squares_problem {
    using value_type = sum_and_squares<item_of<Out>, item_of<Squares>>;
    using item_type = item_of<In>;
    using Above = no_array;
    static constexpr bool can_be_aligned = copies_items<In, value_type>;
    static constexpr bool aligned = true;  // rows may begin anywhere
    static constexpr bool writes_vectors = false;

    In in;
    Out out;
    Squares squares;
    no_array above;
    table_tiles tiles;
    item_count count;
    int word_bytes;

    __device__ static value_type value(const item_type& item) {
        const auto root = static_cast<item_of<Squares>>(item);
        return {static_cast<item_of<Out>>(item), square_of(root)};
    }
    __device__ void store(std::uint64_t at, const value_type& entry) const {
        store_at(out, static_cast<std::int64_t>(at), entry.sum);
        store_at(squares, static_cast<std::int64_t>(at), entry.squares);
    }
};

}  // namespace lookback::detail::device
