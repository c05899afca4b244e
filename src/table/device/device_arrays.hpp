/// \file
/// The library's primitives on arrays in a GPU's memory, on numbers whose type and operator are
/// known at run time, for code that nvcc does not compile: the CUDA part of the Python package, and
/// the C functions.
///
/// Calls are asynchronous, on the caller's stream, and their bits those of the primitives called
/// from C++ with a lookback::gpu. Arrays are aligned for their type, no more. There is an object of
/// that class, and a workspace, for each stream that was ever named; they stay as long as the
/// program, as streams are known by their address alone.
///
/// Errors: std::invalid_argument where there is no kernel for what is asked (`can_...` says so
/// before), and those of the primitives; cuda_error, a std::runtime_error, where a call of CUDA's
/// fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "lookback/counts.hpp"

namespace lookback::on_device {

/// Those of table::dtype, in the same order, and two that only GPUs compute with.
enum class item_type : std::uint8_t {
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float32,
    float64,
    float16,
    bfloat16
};
inline constexpr int item_types = 12;
std::size_t bytes_of(item_type type);

/// As in table::operation.
enum class operation : std::uint8_t { sum, product, min, max };

/// A device, by its number, and a stream of it, a cudaStream_t.
struct place {
    int device = 0;
    void* stream = nullptr;
};

/// How many GPUs there are: 0 too where there is no driver.
int count_devices();
/// Throws where calls cannot run there: no such device, no code for it, no CUDA in this build.
void check_device(const place& where);

/// Inclusive scan along an axis. Sums and products of narrow items go to the type that is asked
/// for; float16 and bfloat16 are folded in float32. `out` may be `in`, where their types are the
/// same.
bool can_scan(item_type in, operation op, item_type out);
void scan_axis(const place& where, item_type in_type, operation op, const void* in,
               const axis_extents& extents, item_type out_type, void* out);

/// Rows of linear recurrences of float32 or float64: y[i] = a[i] * y[i-1] + x[i], y[-1] = 0. `a` is
/// as long as `x`. `y` may be `x`.
void linear_recurrence(const place& where, item_type type, const void* a, const void* x,
                       std::size_t rows, std::size_t length, void* y);

/// The items of 1, 2, 4 or 8 bytes whose flag is not 0; how many they are goes to `*count`, in the
/// device's memory. `out` has room for all of them, or is `in`.
void select_flagged(const place& where, std::size_t item_bytes, const void* in, std::size_t items,
                    const std::uint8_t* flags, void* out, std::int64_t* count);

/// The first of each run of equal neighbours, the runs' lengths, and in `*count` how many there
/// are. Of integers of 1, 4 or 8 bytes, float32 or float64.
void run_length_encode(const place& where, item_type type, const void* in, std::size_t items,
                       void* out, std::int64_t* lengths, std::int64_t* count);

/// The sums of segments [offsets[s], offsets[s + 1]), which rise from 0 to `items` (not checked),
/// of 64-bit integers, float32 or float64. `room` is memory for the call, on a boundary of 8.
std::size_t segment_sums_room(std::size_t items, std::size_t segments);
void segment_sums(const place& where, item_type type, const void* in, std::size_t items,
                  const std::int64_t* offsets, std::size_t segments, void* out, void* room);

/// The first key of each run of equal integers of 4 or 8 bytes, and the sum of its values, of
/// 64-bit integers, float32 or float64; in `*count` how many there are.
void sum_by_key(const place& where, item_type keys_type, const void* keys, item_type values_type,
                const void* values, std::size_t items, void* keys_out, void* values_out,
                std::int64_t* count);

/// Sorted: stable, -0 before +0, NaNs last. `out` may be `in`. Of int32, int64, float32 or float64.
void sort(const place& where, item_type type, const void* in, std::size_t items, void* out,
          bool is_descending);

/// Where each number of the sorted array stands in the input. `room` is memory for the call, on a
/// boundary of 4.
std::size_t sort_order_room(std::size_t items);
void sort_order(const place& where, item_type type, const void* in, std::size_t items,
                std::int64_t* order, bool is_descending, void* room);

/// The summed-area tables of images, one after the other, of integers of 4 or 8
/// bytes, float32 or float64.
void summed_area(const place& where, item_type type, const void* in, const image_extents& extents,
                 void* out);

}  // namespace lookback::on_device
