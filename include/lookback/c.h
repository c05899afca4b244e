/*
 * The library's primitives as plain C functions, for use from other languages. Types are given at
 * run time. Arrays lie in the host's memory, and calls run on its cores; or they lie in the memory
 * of a GPU, and calls run there (lookback_set_device).
 *
 *     lookback_handle* lb;
 *     if (lookback_create(&lb) != LOOKBACK_OK) return 1;
 *     if (lookback_inclusive_scan(lb, LOOKBACK_FLOAT32, LOOKBACK_SUM, x, n, NULL, sums))
 *         fprintf(stderr, "%s\n", lookback_message(lb));
 *     lookback_destroy(lb);
 *
 * Arrays are aligned for their type. Sums of floats have the same bits in every call, for any
 * number of threads. Calls with one handle must not run at the same time; calls with different
 * handles may. The caller provides memory for the results, and on a GPU may provide some of the
 * memory that calls work in (lookback_sort_order_room). The library allocates what else they need:
 * on a GPU a workspace for each stream, which grows, and stays until the program ends.
 *
 * A call returns LOOKBACK_OK or an error, and lookback_message describes the error. After an error
 * the outputs are unchanged or partly written.
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

/* A context for calls: their threads or their GPU, and the message of the last failed call. */
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

/* Bitwise operations are for integers. Integers wrap around. If an item is NaN, so are the minimum
 * and the maximum. */
typedef enum {
    LOOKBACK_SUM = 0,
    LOOKBACK_PRODUCT = 1,
    LOOKBACK_MIN = 2,
    LOOKBACK_MAX = 3,
    LOOKBACK_AND = 4,
    LOOKBACK_OR = 5,
    LOOKBACK_XOR = 6
} lookback_operation;

/* Makes a handle whose calls use all cores. On failure *handle is NULL. */
lookback_status lookback_create(lookback_handle** handle);
void lookback_destroy(lookback_handle* handle); /* NULL is fine */
/* Calls with the handle use at most this many threads; 0 means all cores. */
lookback_status lookback_set_threads(lookback_handle* handle, int threads);
/* From now on the handle's arrays lie in the memory of this CUDA GPU, and calls run there on this
 * stream (a cudaStream_t) without waiting for it. Calls leave counts in that memory, too, as 64-bit
 * integers; initial values stay in the host's memory. Only types and operations that have a GPU
 * kernel are supported; other calls are refused:
 * - scans: sums of int32, int64, uint32, uint64 and floats; products of int64, uint64 and floats;
 *   minima and maxima of uint8, int32, int64 and floats; _sum_in of uint8 and int32;
 * - _reduce_segments: all operations on types of 4 or 8 bytes;
 * - _unique with lengths: types of 4 or 8 bytes, int8 and uint8;
 * - _sort and _sort_order: int32, int64, float32 and float64;
 * - _linear_recurrence: without an initial value.
 * Scans from an initial value copy their input first. Offsets are not checked: if they do not rise
 * from 0 to the number of items, folds are wrong. Returns LOOKBACK_FAILED if there is no such GPU,
 * or if this build has no CUDA part (LOOKBACK_CUDA_ARRAYS). */
lookback_status lookback_set_device(lookback_handle* handle, int device, void* stream);
/* One line about the last failed call with the handle; it stays until the next call that fails. */
const char* lookback_message(const lookback_handle* handle);
const char* lookback_version(void);

/* out[i] = init op in[0] op ... op in[i]. init is one item of `type`; if it is NULL, out[0] is
 * in[0]. `out` may be `in`. */
lookback_status lookback_inclusive_scan(lookback_handle* handle, lookback_type type,
                                        lookback_operation op, const void* in, size_t items,
                                        const void* init, void* out);

/* out[i] = init op in[0] op ... op in[i - 1]. If init is NULL, the operation's identity is used (0
 * for sums). `out` must not overlap `in`. */
lookback_status lookback_exclusive_scan(lookback_handle* handle, lookback_type type,
                                        lookback_operation op, const void* in, size_t items,
                                        const void* init, void* out);

/* Inclusive scan along the middle one of three axes: outer blocks of `length` rows of `inner`
 * items. Not for bitwise operations. `out` may be `in`. */
lookback_status lookback_scan_axis(lookback_handle* handle, lookback_type type,
                                   lookback_operation op, const void* in, size_t outer,
                                   size_t length, size_t inner, void* out);

/* Inclusive sums of narrower integers in int64 or uint64, or of float32 in float64. */
lookback_status lookback_sum_in(lookback_handle* handle, lookback_type type, const void* in,
                                size_t items, lookback_type sums, void* out);

/* Two calls on a GPU may need memory that grows with the items: 1, 4 or 8 bytes for each item or
 * segment. If `room` is NULL, they allocate and free it on the stream (cudaMallocAsync). Otherwise
 * they use `room`: memory of that GPU, on a boundary of 8 bytes, that nothing else uses until the
 * call has run on the stream. The functions ..._room write to *bytes how much the call with the
 * same arguments needs, 0 if none; a `room` with less is refused. On the host's cores it is not
 * used. */
lookback_status lookback_reduce_segments_room(lookback_handle* handle, size_t items,
                                              size_t segments, size_t* bytes);
lookback_status lookback_sort_order_room(lookback_handle* handle, size_t items, size_t* bytes);

/* Copies the items, of 1, 2, 4 or 8 bytes, whose flag is not 0. `out` has room for all items. */
lookback_status lookback_select(lookback_handle* handle, size_t item_bytes, const void* in,
                                size_t items, const uint8_t* flags, void* out, size_t* kept);

/* Copies the first item of each run of equal neighbours to `out` and, unless `lengths` is NULL, the
 * runs' lengths to `lengths`. Both have room for as many entries as there are items. */
lookback_status lookback_unique(lookback_handle* handle, lookback_type type, const void* in,
                                size_t items, void* out, int64_t* lengths, size_t* runs);

/* One fold for each segment [offsets[s], offsets[s + 1]) (CSR). There is one offset more than
 * segments; the first offset is 0 and the last one is the number of items. */
lookback_status lookback_reduce_segments(lookback_handle* handle, lookback_type type,
                                         lookback_operation op, const void* in, size_t items,
                                         const int64_t* offsets, size_t segments, void* out,
                                         void* room, size_t room_bytes);

/* Sorts, stably: -0 before +0, NaNs last. `out` may be `in`. */
lookback_status lookback_sort(lookback_handle* handle, lookback_type type, const void* in,
                              size_t items, int descending, void* out);

/* The position in the input of each item of the sorted array. */
lookback_status lookback_sort_order(lookback_handle* handle, lookback_type type, const void* in,
                                    size_t items, int descending, int64_t* order, void* room,
                                    size_t room_bytes);

/* y[i] = a[i] * y[i - 1] + x[i] in float32 or float64. y[-1] is *init, or 0 if init is NULL. `y`
 * may be `x`. */
lookback_status lookback_linear_recurrence(lookback_handle* handle, lookback_type type,
                                           const void* a, const void* x, size_t items,
                                           const void* init, void* y);

#ifdef __cplusplus
}
#endif

#endif
