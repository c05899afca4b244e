/// \file
/// The library's primitives on numbers whose type and operator are known at run time, in one table,
/// which the command line uses. It knows nothing of files, windows of arrays, or text.
///
/// Arrays are in the host's memory, aligned for their type. With a GPU, a call copies its arrays to
/// the GPU, runs one primitive, and copies the results back; they are there when it returns. The
/// caller keeps what is carried from one array to the next. Such calls throw std::runtime_error if
/// the GPU has no memory left, or has failed. Work and bytes moved are those of the primitives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "table/gpu/window_kernels.hpp"
#include "table/gpu/window_scan.hpp"
#include "table/numbers.hpp"

namespace lookback::table {

/// Where a call works.
struct machine {
    int threads = 0;                       ///< of the CPU; 0: all cores
    on_gpu::window_memory* gpu = nullptr;  ///< if not null, the call works on this GPU
};

/// The tile of a primitive, in items. An array may come in pieces that are multiples of a tile: the
/// bits are then those of one piece. On a GPU pieces may have any size.
std::size_t scan_tile(dtype type);
std::size_t scan_segments_tile(dtype type, const machine& where);
std::size_t reduce_segments_tile(dtype type, const machine& where);

/// The operator's identity.
scalar identity_of(dtype type, operation op);

/// Inclusive scan of `items` > 0 items; if `is_backward`, from the last to the first. It begins
/// with `seed`, if that has a value. `out` may be `in`. On the CPU.
void scan(dtype type, operation op, bool is_backward, const void* in, std::size_t items, void* out,
          const std::optional<scalar>& seed, int threads);

/// The same for windows that stream through a GPU one after the other: gpu/window_scan.hpp.
void start_scan(on_gpu::window_scan& gpu, dtype type, operation op, bool is_backward,
                std::size_t items, const std::optional<scalar>& seed);

/// Rows of `width` items each, one after the other in memory.
struct rows_shape {
    std::size_t rows;
    std::size_t width;
};

/// Scan along the columns. `carry`, one item for each column, is the fold of what came before; it
/// is updated. An inclusive scan may begin without a carry: `has_carry` is then false. On the CPU.
void scan_columns(dtype type, operation op, bool is_exclusive, bool is_backward, const void* in,
                  rows_shape shape, void* out, void* carry, bool has_carry);

/// Scans each segment, from `seed` if it has a value (an exclusive scan needs one). A segment
/// begins wherever `heads` is not 0. The first segment may have begun earlier: then `carry` is the
/// fold of its items so far. `carry` is updated. `out` may be `in`.
void scan_segments(const machine& where, dtype type, operation op, bool is_exclusive,
                   const void* in, std::size_t items, const std::uint8_t* heads, void* out,
                   const std::optional<scalar>& seed, std::optional<scalar>& carry);

/// Writes the fold of each such segment except the last one, which may go on after these items: its
/// fold becomes the `carry`. Returns how many folds are written. `out` may be `in`, and has room
/// for one more than there are items.
std::size_t reduce_segments(const machine& where, dtype type, operation op, const void* in,
                            std::size_t items, const std::uint8_t* heads, void* out,
                            std::optional<scalar>& carry);

/// Numbers from ends[0] to ends[1], from ends[2] to ends[3], ...: `intervals` intervals in rising
/// order, with numbers between them; and NaN if `has_nan`.
struct wanted {
    const void* ends;
    std::size_t intervals;
    bool has_nan;
};

/// Writes the wanted numbers. Here and in the functions below, outputs have room for as many
/// results as there are items; the functions return how many results there are.
std::size_t select(const machine& where, dtype type, const void* in, std::size_t items, void* out,
                   const wanted& which);

/// The same; the other numbers go to `rest`.
std::size_t partition(const machine& where, dtype type, const void* in, std::size_t items,
                      void* out, void* rest, const wanted& which);

/// The first of each run of equal numbers.
std::size_t unique(const machine& where, dtype type, const void* in, std::size_t items, void* out);

/// The same, and the lengths of the runs.
std::size_t run_length_encode(const machine& where, dtype type, const void* in, std::size_t items,
                              void* out, std::int64_t* lengths);

/// Sets `heads` to 1 for the first number of each run of equal numbers, and to 0 for others. The
/// first number may continue the run of a number `before`. There is at least one number. On the
/// CPU.
void find_heads(dtype type, const void* in, std::size_t items, const std::optional<scalar>& before,
                std::uint8_t* heads, int threads);

}  // namespace lookback::table
