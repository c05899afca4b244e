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

namespace lookback {
enum class image_border;
}
namespace lookback::on_device {

/// Those of table::dtype, in the same order, and four more. Complex numbers have products and
/// recurrences; their sums are those of their parts.
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

/// As in table::operation. Bitwise ones are of integers, and of segments alone.
enum class operation : std::uint8_t { sum, product, min, max, bit_and, bit_or, bit_xor };
inline constexpr int operations = 7;

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

/// The same of one line, from an initial value, one item; an exclusive one may be given none, and
/// begins with what leaves items as they are. Of items of 4 or 8 bytes, sums of float16 and
/// bfloat16. But for exclusive ones without an initial value the items are copied first, and their
/// bits are those of a scan of the initial value and the items. `out` may be `in` unless it is
/// exclusive.
void scan_from(const place& where, item_type type, operation op, bool is_exclusive, const void* in,
               std::size_t items, const void* init, void* out);

/// Rows of linear recurrences of float32, float64, complex64 or complex128: y[i] = a[i] * y[i-1] +
/// x[i], y[-1] = 0. `a` is as long as `x`. `y` may be `x`.
void linear_recurrence(const place& where, item_type type, const void* a, const void* x,
                       std::size_t rows, std::size_t length, void* y);

/// The items of 1, 2, 4 or 8 bytes whose flag is not 0; how many they are goes to `*count`, in the
/// device's memory. `out` has room for all of them, or is `in`. `room` is memory for the call,
/// which many items need that, or whose flags, do not begin on a boundary of 16 bytes; without it
/// the stream's.
std::size_t select_room(std::size_t item_bytes, const void* in, std::size_t items,
                        const std::uint8_t* flags);
void select_flagged(const place& where, std::size_t item_bytes, const void* in, std::size_t items,
                    const std::uint8_t* flags, void* out, std::int64_t* count, void* room);

/// The same, and the other items to another output.
void partition_flagged(const place& where, std::size_t item_bytes, const void* in,
                       std::size_t items, const std::uint8_t* flags, void* out, void* rest,
                       std::int64_t* count);

/// The first of each run of equal neighbours, the runs' lengths, and in `*count` how many there
/// are. Of integers of 1, 4 or 8 bytes, float32 or float64.
void run_length_encode(const place& where, item_type type, const void* in, std::size_t items,
                       void* out, std::int64_t* lengths, std::int64_t* count);

/// Marks: a byte for each item, 1 where a run of equal neighbours begins, or a segment [offsets[s],
/// offsets[s + 1]), else 0. On a boundary of 4. Of all types but float16 and bfloat16. Offsets
/// beyond the items mark nothing.
void mark_runs(const place& where, item_type type, const void* in, std::size_t items,
               std::uint8_t* marks);
void mark_segments(const place& where, const std::int64_t* offsets, std::size_t segments,
                   std::size_t items, std::uint8_t* marks);

/// What begins at marks, and at the first item, is scanned, or folded, of numbers of 4 or 8 bytes.
/// `out` of a scan may be `in`. `seed_scans` makes of such inclusive scans those from an initial
/// value, one item in the host's memory, exclusive ones, too; apart from the scans. Folds leave
/// their number in `*count`, and other marks.
void scan_marked(const place& where, item_type type, operation op, const void* in,
                 std::size_t items, const std::uint8_t* marks, void* out);
void seed_scans(const place& where, item_type type, operation op, bool is_exclusive,
                const void* scans, std::size_t items, const std::uint8_t* marks, const void* init,
                void* out);
void fold_marked(const place& where, item_type type, operation op, const void* in,
                 std::size_t items, std::uint8_t* marks, void* out, std::int64_t* count);

/// The folds of segments [offsets[s], offsets[s + 1]), which rise from 0 to `items`; where they do
/// not, folds are wrong, but no other memory is written to. Of an empty segment it is what leaves
/// items as they are. `room` is memory for the call, on a boundary of 8; without it the stream's.
std::size_t segment_folds_room(std::size_t items, std::size_t segments);
void fold_segments(const place& where, item_type type, operation op, const void* in,
                   std::size_t items, const std::int64_t* offsets, std::size_t segments, void* out,
                   void* room);

/// The first key of each run of equal integers of 4 or 8 bytes, and the sum of its values, of
/// 64-bit integers, float32 or float64; in `*count` how many there are.
void sum_by_key(const place& where, item_type keys_type, const void* keys, item_type values_type,
                const void* values, std::size_t items, void* keys_out, void* values_out,
                std::int64_t* count);

/// Sorted: stable, -0 before +0, NaNs last. `out` may be `in`. Of int32, int64, float32 or float64.
void sort(const place& where, item_type type, const void* in, std::size_t items, void* out,
          bool is_descending);

/// The same, and with each key its value, of 4 or 8 bytes. Outputs lie apart from inputs.
void sort_pairs(const place& where, item_type keys_type, const void* keys, std::size_t value_bytes,
                const void* values, std::size_t items, void* keys_out, void* values_out,
                bool is_descending);

/// Where each number of the sorted array stands in the input. `room` is memory for the call, on a
/// boundary of 4; without it the stream's.
std::size_t sort_order_room(std::size_t items);
void sort_order(const place& where, item_type type, const void* in, std::size_t items,
                std::int64_t* order, bool is_descending, void* room);

/// The summed-area tables of images, one after the other, of integers of 4 or 8
/// bytes, float32 or float64.
void summed_area(const place& where, item_type type, const void* in, const image_extents& extents,
                 void* out);

/// The means of the square windows around each item of such images of uint8, uint16, float32 or
/// float64.
void box_filter(const place& where, item_type type, const void* in, const image_extents& extents,
                std::int64_t radius, image_border border, void* out);

}  // namespace lookback::on_device
