/// \file
/// What a caller with whole arrays in memory needs of the library, beside table.hpp, on numbers
/// whose type and operator are known at run time: scans along an axis, sums in wider types, items
/// kept by a mask, linear recurrences, sorting, box filters. The Python package and the C functions
/// go through it. On the CPU.
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

/// Whether there are sums of `from` in `to`: of narrower integers in 64 bits, whatever their sign,
/// and of float32 in float64.
bool can_sum_in(dtype from, dtype to);

/// Inclusive sums of narrower numbers, each of them converted first.
void sum_in(dtype from, const void* in, std::size_t items, dtype to, void* out, int threads);

/// The items of 1, 2, 4 or 8 bytes whose flag is not 0, or is 0 where `is_inverted`. Returns how
/// many; there is room for all of them.
std::size_t select_flagged(std::size_t item_bytes, const void* in, std::size_t items,
                           const std::uint8_t* flags, bool is_inverted, void* out, int threads);

/// Inclusive products along an axis of complex numbers, whose parts are of this type of floats.
/// `out` may be `in`.
void multiply_complex(dtype part, const void* in, const axis_extents& extents, void* out,
                      int threads);

/// Rows of linear recurrences of floats, or of complex numbers with such parts: y[i] = a[i] *
/// y[i-1] + x[i], where y[-1] is the row's entry of `starts`, and without those y[0] = x[0].
/// Numbers of `a` are a_step items apart in a row, its rows a_row: 0 where one number, or one row,
/// is for all. `y` may be `x`.
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

/// Where each number of the sorted row stands in its row.
void sort_order_rows(dtype type, const void* in, std::size_t rows, std::size_t width,
                     std::int64_t* order, bool is_descending, int threads);

/// Sorts keys, and with each its value. Outputs may be the inputs.
void sort_pairs(dtype keys, const void* in, dtype values, const void* values_in, std::size_t items,
                void* out, void* values_out, bool is_descending, int threads);

/// Returns how long the longest segment is: offsets, one more than segments, rise from 0 to
/// `items`, or an std::invalid_argument says why not.
std::int64_t check_offsets(const std::int64_t* offsets, std::size_t segments, std::size_t items);

/// Sets the heads of segments whose offsets are right to 1, others to 0.
void heads_of_offsets(const std::int64_t* offsets, std::size_t segments, std::size_t items,
                      std::uint8_t* heads, int threads);

/// The means over windows of one radius, of uint8, uint16, float32 or float64.
void box_filter(dtype type, const void* in, const image_extents& extents, std::size_t channels,
                std::int64_t radius, image_border border, void* out, int threads);

}  // namespace lookback::table
