/// \file
/// The library's primitives on arrays in a GPU's memory, on numbers whose type and operator are
/// known at run time, for code that nvcc does not compile: the CUDA part of the Python package, and
/// the C functions.
///
/// Calls are asynchronous, on the caller's stream. Their bits are those of the same primitives
/// called from C++ with a lookback::gpu. Arrays need no alignment but that of their type. Each
/// stream that was ever named has its own lookback::gpu and workspace. They are kept until the
/// program ends, because a stream is known only by its address.
///
/// Work and bytes moved are those of the primitives, unless a function says otherwise. Errors:
/// std::invalid_argument if there is no kernel for the types and the operator (`can_scan` tells
/// this in advance for scans), and the errors of the primitives; cuda_error, a std::runtime_error,
/// if a CUDA call fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "lookback/counts.hpp"

namespace lookback {
enum class image_border;
}
namespace lookback::on_device {

/// The types of table::dtype, in the same order, and four more. Complex numbers have products and
/// recurrences; their sums are the sums of their parts.
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
    bfloat16,
    complex64,
    complex128
};
inline constexpr int item_types = 14;
std::size_t bytes_of(item_type type);

/// As in table::operation. The bitwise operators are for integers only, in scans and folds of
/// marked items and of segments.
enum class operation : std::uint8_t { sum, product, min, max, bit_and, bit_or, bit_xor };
inline constexpr int operations = 7;

/// A device by its number, and one of its streams, a cudaStream_t.
struct place {
    int device = 0;
    void* stream = nullptr;
};

/// How many GPUs there are; also 0 if there is no driver.
int count_devices();
/// Throws if calls cannot run there: no such device, no code for it, or no CUDA in this build.
void check_device(const place& where);

/// Inclusive scan along an axis. Sums and products of narrow items are computed in the requested
/// type; float16 and bfloat16 are folded in float32. `out` may be `in` if their types are the same.
bool can_scan(item_type in, operation op, item_type out);
void scan_axis(const place& where, item_type in_type, operation op, const void* in,
               const axis_extents& extents, item_type out_type, void* out);

/// The scan of one line from an initial value, which is one item in the host's memory. An exclusive
/// scan may have none (null); it then begins with the operator's identity. For all types that
/// `scan_axis` scans to the same type, except complex numbers. With an initial value the items are
/// copied to `out` first, and the bits are those of a scan of the initial value followed by the
/// items. `out` may be `in` unless the scan is exclusive.
void scan_from(const place& where, item_type type, operation op, bool is_exclusive, const void* in,
               std::size_t items, const void* init, void* out);

/// Linear recurrences in rows, of float32, float64, complex64 or complex128: y[i] = a[i] * y[i-1] +
/// x[i], y[-1] = 0. `a` is as long as `x`. `y` may be `x`.
void linear_recurrence(const place& where, item_type type, const void* a, const void* x,
                       std::size_t rows, std::size_t length, void* y);

/// Selects the items of 1, 2, 4 or 8 bytes whose flag is not 0, and writes their number to
/// `*count`, in the device's memory. `out` has room for all items, or is `in`.
void select_flagged(const place& where, std::size_t item_bytes, const void* in, std::size_t items,
                    const std::uint8_t* flags, void* out, std::int64_t* count);

/// The same, and writes the other items to `rest`.
void partition_flagged(const place& where, std::size_t item_bytes, const void* in,
                       std::size_t items, const std::uint8_t* flags, void* out, void* rest,
                       std::int64_t* count);

/// Writes the first item of each run of equal neighbours, the lengths of the runs, and their number
/// to `*count`. For integers of 1, 4 or 8 bytes, float32 and float64.
void run_length_encode(const place& where, item_type type, const void* in, std::size_t items,
                       void* out, std::int64_t* lengths, std::int64_t* count);

/// Writes marks, a byte for each item: 1 where a run of equal neighbours begins, or a segment
/// [offsets[s], offsets[s + 1]), else 0. Marks begin on a boundary of 4 bytes. Runs are for all
/// types but float16 and bfloat16. Offsets beyond the items mark nothing.
void mark_runs(const place& where, item_type type, const void* in, std::size_t items,
               std::uint8_t* marks);
void mark_segments(const place& where, const std::int64_t* offsets, std::size_t segments,
                   std::size_t items, std::uint8_t* marks);

/// Scans or folds the segments that begin at marks and at the first item, of numbers of 4 or 8
/// bytes. `out` of a scan may be `in`. `seed_scans` turns the inclusive scans of `scan_marked` into
/// scans from an initial value, one item in the host's memory; they may be exclusive, too. Its
/// output may not overlap the scans. `fold_marked` writes the number of folds to `*count`, and
/// changes the marks.
void scan_marked(const place& where, item_type type, operation op, const void* in,
                 std::size_t items, const std::uint8_t* marks, void* out);
void seed_scans(const place& where, item_type type, operation op, bool is_exclusive,
                const void* scans, std::size_t items, const std::uint8_t* marks, const void* init,
                void* out);
void fold_marked(const place& where, item_type type, operation op, const void* in,
                 std::size_t items, std::uint8_t* marks, void* out, std::int64_t* count);

/// The folds of segments [offsets[s], offsets[s + 1]). The offsets rise from 0 to `items`; if they
/// do not, the folds are wrong, but no other memory is written to. The fold of an empty segment is
/// the operator's identity. `room` is memory for the call, of `segment_folds_room` bytes on a
/// boundary of 8; if it is null, memory of the stream is used.
std::size_t segment_folds_room(std::size_t items, std::size_t segments);
void fold_segments(const place& where, item_type type, operation op, const void* in,
                   std::size_t items, const std::int64_t* offsets, std::size_t segments, void* out,
                   void* room);

/// Writes the first key of each run of equal integers of 4 or 8 bytes, the sum of the run's values
/// (64-bit integers, float32 or float64), and the number of runs to `*count`.
void sum_by_key(const place& where, item_type keys_type, const void* keys, item_type values_type,
                const void* values, std::size_t items, void* keys_out, void* values_out,
                std::int64_t* count);

/// Sorts int32, int64, float32 or float64. Stable, with -0 before +0 and NaN last. `out` may be
/// `in`.
void sort(const place& where, item_type type, const void* in, std::size_t items, void* out,
          bool is_descending);

/// Sorts keys, and moves each value, of 4 or 8 bytes, with its key. Outputs may not overlap inputs.
void sort_pairs(const place& where, item_type keys_type, const void* keys, std::size_t value_bytes,
                const void* values, std::size_t items, void* keys_out, void* values_out,
                bool is_descending);

/// For each number of the sorted array, its position in the input. `room` is memory for the call,
/// of `sort_order_room` bytes on a boundary of 4; if it is null, memory of the stream is used.
std::size_t sort_order_room(std::size_t items);
void sort_order(const place& where, item_type type, const void* in, std::size_t items,
                std::int64_t* order, bool is_descending, void* room);

/// The same within each segment [offsets[s], offsets[s + 1]); the offsets rise from 0 to `items`.
/// The order says where each number of a sorted segment stands in the whole input.
void sort_segments(const place& where, item_type type, const void* in, std::size_t items,
                   const std::int64_t* offsets, std::size_t segments, void* out,
                   bool is_descending);
void sort_segments_order(const place& where, item_type type, const void* in, std::size_t items,
                         const std::int64_t* offsets, std::size_t segments, std::int64_t* order,
                         bool is_descending);

/// The summed-area tables of images that lie one after the other, of integers of 4 or 8 bytes,
/// float32 or float64.
void summed_area(const place& where, item_type type, const void* in, const image_extents& extents,
                 void* out);

/// The means of the square windows around each item of such images, of uint8, uint16, float32 or
/// float64.
void box_filter(const place& where, item_type type, const void* in, const image_extents& extents,
                std::int64_t radius, image_border border, void* out);

}  // namespace lookback::on_device
