/// \file
/// The operators, and the loops that apply them to numbers in memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "dtype.hpp"

namespace lookback::cli {

enum class operation { sum, product, min, max, bit_and, bit_or, bit_xor };

/// In the order of the enumeration.
inline constexpr std::array<std::string_view, 7> operation_names{"sum", "product", "min", "max",
                                                                 "and", "or",      "xor"};
inline std::string_view name(operation op) { return operation_names[static_cast<std::size_t>(op)]; }
inline bool is_bitwise(operation op) { return op >= operation::bit_and; }

/// Rows of `width` items each, one after the other in memory.
struct rows_shape {
    std::size_t rows;
    std::size_t width;
};

template <number T>
struct kernels {
    /// What the operator leaves as it is.
    T identity;

    /// Inclusive scan of `items` > 0 items, backward from the last to the first, after `seed` where
    /// there is one. `out` may be `in`.
    void (*scan)(const T* in, std::size_t items, T* out, const std::optional<T>& seed,
                 bool is_backward, int threads);

    /// Scan along the columns. `carry`, one item a column, is the fold of what came before; it is
    /// brought up to date. An inclusive scan may begin without: `has_carry` is then false.
    void (*scan_columns)(const T* in, rows_shape shape, T* out, T* carry, bool has_carry,
                         bool is_exclusive, bool is_backward);

    /// Scan of each segment, after `seed` where there is one (an exclusive scan needs one); a
    /// segment begins wherever `heads` is not 0. The first one may have begun earlier: `carry` is
    /// then the fold of what came before; it is brought up to date. `out` may be `in`.
    void (*scan_segments)(const T* in, std::size_t items, const std::uint8_t* heads, T* out,
                          const std::optional<T>& seed, std::optional<T>& carry, bool is_exclusive,
                          int threads);

    /// The fold of each such segment but the last one, which may go on behind these items: its fold
    /// is the new `carry`. Returns how many are written. `out` may be `in`, and has room for one
    /// more than there are items.
    std::size_t (*reduce_segments)(const T* in, std::size_t items, const std::uint8_t* heads,
                                   T* out, std::optional<T>& carry, int threads);

    /// Items that are scanned, or reduced, a multiple of these at a time have the bits of a single
    /// call for all of them.
    std::size_t scan_tile;
    std::size_t scan_segments_tile;
    std::size_t reduce_segments_tile;
};

/// `op` is not bitwise where T is a float.
template <number T>
const kernels<T>& kernels_of(operation op);

}  // namespace lookback::cli
