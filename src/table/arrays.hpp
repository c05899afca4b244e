/// \file
/// What a caller with whole arrays in memory needs besides table.hpp, on numbers whose type and
/// operator are known at run time: scans along an axis, sums in wider types, items kept by a mask,
/// linear recurrences, sorting, box filters. The Python package and the C functions use it. On the
/// CPU.
///
/// Arrays are aligned for their type. Work, bytes moved and errors are those of the primitives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "lookback/counts.hpp"
#include "lookback/detail/box_window.hpp"
#include "table/numbers.hpp"

namespace lookback::table {

/// Inclusive scan along an axis. `out` may be `in`. `op` is not bitwise.
void scan_axis(dtype type, operation op, const void* in, const axis_extents& extents, void* out,
               int threads);

/// True if numbers of type `from` can be summed in type `to`: narrower integers in 64-bit integers
/// of either sign, and float32 in float64.
bool can_sum_in(dtype from, dtype to);

/// Inclusive sums of narrower numbers. Each number is converted first.
void sum_in(dtype from, const void* in, std::size_t items, dtype to, void* out, int threads);

/// Selects the items of 1, 2, 4 or 8 bytes whose flag is not 0, or, if `is_inverted`, whose flag is
/// 0. Returns how many there are; `out` has room for all items.
std::size_t select_flagged(std::size_t item_bytes, const void* in, std::size_t items,
                           const std::uint8_t* flags, bool is_inverted, void* out, int threads);

/// Inclusive products, along an axis, of complex numbers whose parts have this float type. `out`
/// may be `in`.
void multiply_complex(dtype part, const void* in, const axis_extents& extents, void* out,
                      int threads);

/// Linear recurrences in rows, of floats or of complex numbers with such parts: y[i] = a[i] *
/// y[i-1] + x[i]. y[-1] is the row's entry of `starts`; without `starts`, y[0] = x[0]. Within a
/// row, the numbers of `a` are a_step items apart (0: one number for the whole row); the rows of
/// `a` are a_row items apart (0: one row for all). `y` may be `x`.
struct recurrence_shape {
    std::size_t rows;
    std::size_t length;
    std::size_t a_step;
    std::size_t a_row;
};
void linear_recurrence(dtype type, bool is_complex, const void* a, const void* x,
                       const void* starts, const recurrence_shape& shape, void* y, int threads);

/// Sorts each row; `out` may be `in`.
void sort_rows(dtype type, const void* in, std::size_t rows, std::size_t width, void* out,
               bool is_descending, int threads);

/// For each number of a sorted row, its position in the unsorted row.
void sort_order_rows(dtype type, const void* in, std::size_t rows, std::size_t width,
                     std::int64_t* order, bool is_descending, int threads);

/// Sorts keys, and moves each value with its key. Outputs may be the inputs.
void sort_pairs(dtype keys, const void* in, dtype values, const void* values_in, std::size_t items,
                void* out, void* values_out, bool is_descending, int threads);

/// Returns the length of the longest segment. Throws std::invalid_argument unless the offsets, one
/// more than segments, begin at 0, do not decrease and end at `items`.
std::int64_t check_offsets(const std::int64_t* offsets, std::size_t segments, std::size_t items);

/// Sets the heads of segments to 1 and those of other items to 0. The offsets have been checked.
void heads_of_offsets(const std::int64_t* offsets, std::size_t segments, std::size_t items,
                      std::uint8_t* heads, int threads);

/// The means over square windows of one radius, of uint8, uint16, float32 or float64.
void box_filter(dtype type, const void* in, const image_extents& extents, std::size_t channels,
                std::int64_t radius, image_border border, void* out, int threads);

}  // namespace lookback::table
