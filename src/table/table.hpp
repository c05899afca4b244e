/// \file
/// The library's primitives on numbers whose type and operator are known at run time: one table,
/// through which the command line goes. It does not know of files, of windows of arrays, or of
/// text.
///
/// Arrays are in the host's memory, aligned for their type. On a GPU a call copies what it is given
/// to the GPU, runs one primitive, and copies the results back, which are there when it returns;
/// what came before an array goes on with is the caller's to keep. Those calls throw
/// std::runtime_error where the GPU has no memory left, or has failed. Work and bytes moved are
/// those of the primitives.
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
    on_gpu::window_memory* gpu = nullptr;  ///< or, where it is not null, on that GPU
};

/// How many items are whole tiles of a primitive: arrays that come in pieces of a multiple of these
/// have the bits of one piece. On a GPU pieces may have any size.
std::size_t scan_tile(dtype type);
std::size_t scan_segments_tile(dtype type, const machine& where);
std::size_t reduce_segments_tile(dtype type, const machine& where);

/// What the operator leaves as it is.
scalar identity_of(dtype type, operation op);

/// Inclusive scan of `items` > 0 items, backward from the last to the first, after `seed` where
/// there is one. `out` may be `in`. On the CPU.
void scan(dtype type, operation op, bool is_backward, const void* in, std::size_t items, void* out,
          const std::optional<scalar>& seed, int threads);

/// The same of one window after the other that streams through a GPU: gpu/window_scan.hpp.
void start_scan(on_gpu::window_scan& gpu, dtype type, operation op, bool is_backward,
                std::size_t items, const std::optional<scalar>& seed);

/// Rows of `width` items each, one after the other in memory.
struct rows_shape {
    std::size_t rows;
    std::size_t width;
};

/// Scan along the columns. `carry`, one item a column, is the fold of what came before; it is
/// brought up to date. An inclusive scan may begin without: `has_carry` is then false. On the CPU.
void scan_columns(dtype type, operation op, bool is_exclusive, bool is_backward, const void* in,
                  rows_shape shape, void* out, void* carry, bool has_carry);

/// Scan of each segment, after `seed` where there is one (an exclusive scan needs one); a segment
/// begins wherever `heads` is not 0. The first one may have begun earlier: `carry` is then the fold
/// of what came before; it is brought up to date. `out` may be `in`.
void scan_segments(const machine& where, dtype type, operation op, bool is_exclusive,
                   const void* in, std::size_t items, const std::uint8_t* heads, void* out,
                   const std::optional<scalar>& seed, std::optional<scalar>& carry);

/// The fold of each such segment but the last one, which may go on behind these items: its fold is
/// the new `carry`. Returns how many are written. `out` may be `in`, and has room for one more than
/// there are items.
std::size_t reduce_segments(const machine& where, dtype type, operation op, const void* in,
                            std::size_t items, const std::uint8_t* heads, void* out,
                            std::optional<scalar>& carry);

/// Numbers from ends[0] to ends[1], from ends[2] to ends[3], ...: so many intervals, which rise and
/// have numbers in between; and NaN or not.
struct wanted {
    const void* ends;
    std::size_t intervals;
    bool has_nan;
};

/// The numbers that are wanted. Here and below there is room for as many results as there are
/// items; returns how many there are.
std::size_t select(const machine& where, dtype type, const void* in, std::size_t items, void* out,
                   const wanted& which);

/// The same; the others to `rest`.
std::size_t partition(const machine& where, dtype type, const void* in, std::size_t items,
                      void* out, void* rest, const wanted& which);

/// The first of each run of equal numbers.
std::size_t unique(const machine& where, dtype type, const void* in, std::size_t items, void* out);

/// The same, and the lengths of the runs.
std::size_t run_length_encode(const machine& where, dtype type, const void* in, std::size_t items,
                              void* out, std::int64_t* lengths);

/// Sets `heads` to 1 for the first of each run of equal numbers, to 0 for the others. The first of
/// all may go on with the run of a number `before`. There is one number or more. On the CPU.
void find_heads(dtype type, const void* in, std::size_t items, const std::optional<scalar>& before,
                std::uint8_t* heads, int threads);

}  // namespace lookback::table
