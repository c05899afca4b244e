/*
 * The library's primitives as plain C functions, for other languages: on arrays of types that are
 * known at run time, in the host's memory on the cores of this machine, or in a GPU's
 * (lookback_set_device).
 *
 *     lookback_handle* lb;
 *     if (lookback_create(&lb) != LOOKBACK_OK) return 1;
 *     if (lookback_inclusive_scan(lb, LOOKBACK_FLOAT32, LOOKBACK_SUM, x, n, NULL, sums))
 *         fprintf(stderr, "%s\n", lookback_message(lb));
 *     lookback_destroy(lb);
 *
 * Arrays are aligned for their type. Sums of floats have the same bits in every call, for any
 * number of threads. Calls with one handle do not run at the same time; those with several may. No
 * call needs room from the caller but for its results.
 *
 * A call returns LOOKBACK_OK, or else what went wrong, which lookback_message puts into words; the
 * outputs are then as they were, or partly written.
 *
 * Link with liblookback_c. Compiled by any C compiler from C99 on.
 */
#ifndef LOOKBACK_C_H
#define LOOKBACK_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The threads that calls may use, and what the last one had to say. */
typedef struct lookback_handle lookback_handle;

typedef enum {
    LOOKBACK_OK = 0,
    LOOKBACK_WRONG_ARGUMENT = 1,
    LOOKBACK_OUT_OF_MEMORY = 2,
    LOOKBACK_FAILED = 3
} lookback_status;

typedef enum {
    LOOKBACK_INT8 = 0,
    LOOKBACK_INT16 = 1,
    LOOKBACK_INT32 = 2,
    LOOKBACK_INT64 = 3,
    LOOKBACK_UINT8 = 4,
    LOOKBACK_UINT16 = 5,
    LOOKBACK_UINT32 = 6,
    LOOKBACK_UINT64 = 7,
    LOOKBACK_FLOAT32 = 8,
    LOOKBACK_FLOAT64 = 9,
    LOOKBACK_FLOAT16 = 10, /* on GPUs; folded in float32 */
    LOOKBACK_BFLOAT16 = 11
} lookback_type;

/* Bitwise operations are of integers. Integers wrap around; NaN is a minimum and a maximum. */
typedef enum {
    LOOKBACK_SUM = 0,
    LOOKBACK_PRODUCT = 1,
    LOOKBACK_MIN = 2,
    LOOKBACK_MAX = 3,
    LOOKBACK_AND = 4,
    LOOKBACK_OR = 5,
    LOOKBACK_XOR = 6
} lookback_operation;

/* A handle; its calls use all cores. On failure *handle is NULL. */
lookback_status lookback_create(lookback_handle** handle);
void lookback_destroy(lookback_handle* handle); /* NULL is fine */
/* At most this many threads; 0 for all cores. */
lookback_status lookback_set_threads(lookback_handle* handle, int threads);
/* From now on the handle's arrays lie in the memory of this CUDA GPU: of calls that are given such
 * pointers, on this stream (a cudaStream_t), which they do not wait for. Counts are left there,
 * too, as 64 bits. The functions below are then there for the types and operations that there are
 * kernels for: scans for sums of int64, uint64 and floats, products of those but float16 and
 * bfloat16, minima and maxima of int32, int64, float32 and float64, _sum_in from uint8 and int32;
 * _reduce_segments for all operations on types of 4 or 8 bytes; _unique with lengths, _sort and
 * _sort_order as these; _linear_recurrence without an initial value. Others are refused. Scans from
 * an initial value, exclusive ones too, copy their input first. Offsets are not checked: where they
 * do not rise from 0 to the number of items, folds are wrong. LOOKBACK_FAILED where there is no
 * such GPU, or no CUDA part in this build (LOOKBACK_CUDA_ARRAYS). */
lookback_status lookback_set_device(lookback_handle* handle, int device, void* stream);
/* One line about the last call with the handle that failed; it stays until the next one fails. */
const char* lookback_message(const lookback_handle* handle);
const char* lookback_version(void);

/* out[i] = init op in[0] op ... op in[i]; init, one item of `type`, may be NULL: then it begins
 * with in[0]. `out` may be `in`. */
lookback_status lookback_inclusive_scan(lookback_handle* handle, lookback_type type,
                                        lookback_operation op, const void* in, size_t items,
                                        const void* init, void* out);

/* out[i] = init op in[0] op ... op in[i - 1]; where init is NULL, what leaves items as they are (0
 * in sums). `out` lies apart from `in`. */
lookback_status lookback_exclusive_scan(lookback_handle* handle, lookback_type type,
                                        lookback_operation op, const void* in, size_t items,
                                        const void* init, void* out);

/* Inclusive, along the middle one of three axes: outer blocks of `length` rows of `inner` items.
 * No bitwise operations. `out` may be `in`. */
lookback_status lookback_scan_axis(lookback_handle* handle, lookback_type type,
                                   lookback_operation op, const void* in, size_t outer,
                                   size_t length, size_t inner, void* out);

/* Inclusive sums in int64 or uint64 of narrower integers, or in float64 of float32. */
lookback_status lookback_sum_in(lookback_handle* handle, lookback_type type, const void* in,
                                size_t items, lookback_type sums, void* out);

/* The items of 1, 2, 4 or 8 bytes whose flag is not 0; `out` has room for all of them. */
lookback_status lookback_select(lookback_handle* handle, size_t item_bytes, const void* in,
                                size_t items, const uint8_t* flags, void* out, size_t* kept);

/* The first of each run of equal neighbours, and, unless `lengths` is NULL, the runs' lengths.
 * There is room for as many as there are items. */
lookback_status lookback_unique(lookback_handle* handle, lookback_type type, const void* in,
                                size_t items, void* out, int64_t* lengths, size_t* runs);

/* One fold for each segment [offsets[s], offsets[s + 1]) (CSR): there is one offset more than
 * segments, the first is 0 and the last the number of items. */
lookback_status lookback_reduce_segments(lookback_handle* handle, lookback_type type,
                                         lookback_operation op, const void* in, size_t items,
                                         const int64_t* offsets, size_t segments, void* out);

/* Sorted: stable; -0 before +0, NaNs last. `out` may be `in`. */
lookback_status lookback_sort(lookback_handle* handle, lookback_type type, const void* in,
                              size_t items, int descending, void* out);

/* Where each item of the sorted array stands in the input. */
lookback_status lookback_sort_order(lookback_handle* handle, lookback_type type, const void* in,
                                    size_t items, int descending, int64_t* order);

/* y[i] = a[i] * y[i - 1] + x[i] in float32 or float64; y[-1] is *init, or 0 where that is NULL. `y`
 * may be `x`. */
lookback_status lookback_linear_recurrence(lookback_handle* handle, lookback_type type,
                                           const void* a, const void* x, size_t items,
                                           const void* init, void* y);

#ifdef __cplusplus
}
#endif

#endif
