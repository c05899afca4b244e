/* The library from C: sums, runs, and the message of an error. The program checks its results. */
#include <lookback/c.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    const int32_t x[] = {3, 1, 7, 0, 4, 1, 6, 3};
    const size_t n = sizeof x / sizeof *x;
    int32_t sums[8];
    int64_t wide[8];
    int64_t order[8];
    lookback_handle* lb;
    if (lookback_create(&lb) != LOOKBACK_OK) return 1;

    /* 3 4 11 11 15 16 22 25 */
    if (lookback_inclusive_scan(lb, LOOKBACK_INT32, LOOKBACK_SUM, x, n, NULL, sums) !=
        LOOKBACK_OK) {
        fprintf(stderr, "%s\n", lookback_message(lb));
        return 1;
    }
    for (size_t i = 0; i < n; ++i) printf("%d ", (int)sums[i]);
    puts("");
    if (sums[7] != 25) return 1;

    /* An exclusive scan; sums in 64 bits; running maxima that begin with 5. */
    if (lookback_exclusive_scan(lb, LOOKBACK_INT32, LOOKBACK_SUM, x, n, NULL, sums)) return 1;
    if (sums[0] != 0 || sums[7] != 22) return 1;
    if (lookback_sum_in(lb, LOOKBACK_INT32, x, n, LOOKBACK_INT64, wide) || wide[7] != 25) return 1;
    const int32_t five = 5;
    if (lookback_inclusive_scan(lb, LOOKBACK_INT32, LOOKBACK_MAX, x, n, &five, sums)) return 1;
    if (sums[0] != 5 || sums[7] != 7) return 1;

    /* Down the columns of 4 x 2 numbers. */
    if (lookback_scan_axis(lb, LOOKBACK_INT32, LOOKBACK_SUM, x, 1, 4, 2, sums)) return 1;
    if (sums[6] != 20 || sums[7] != 5) return 1;

    /* The places of the sorted numbers, then the sorted numbers. */
    if (lookback_sort_order(lb, LOOKBACK_INT32, x, n, 0, order, NULL, 0) || order[0] != 3) return 1;
    if (lookback_sort(lb, LOOKBACK_INT32, x, n, 0, sums) || sums[0] != 0 || sums[7] != 7) return 1;

    /* 0 1 3 4 6 7; the runs of 1 and 3 have two items. */
    int32_t values[8];
    int64_t lengths[8];
    size_t runs;
    if (lookback_unique(lb, LOOKBACK_INT32, sums, n, values, lengths, &runs)) return 1;
    if (runs != 6 || values[1] != 1 || lengths[1] != 2) return 1;

    const uint8_t flags[8] = {1, 0, 0, 0, 0, 0, 0, 1};
    size_t kept;
    if (lookback_select(lb, 4, x, n, flags, values, &kept)) return 1;
    if (kept != 2 || values[1] != 3) return 1;

    const int64_t offsets[] = {0, 2, 2, 8};
    if (lookback_reduce_segments(lb, LOOKBACK_INT32, LOOKBACK_SUM, x, n, offsets, 3, sums, NULL, 0))
        return 1;
    if (sums[0] != 4 || sums[1] != 0 || sums[2] != 21) return 1;

    /* Room of the caller's is for calls on a GPU. */
    size_t bytes = 1;
    if (lookback_sort_order_room(lb, n, &bytes) || bytes != 0) return 1;

    const double a[] = {2, 2, 2}, b[] = {1, 1, 1}, start = 10;
    double y[3];
    if (lookback_linear_recurrence(lb, LOOKBACK_FLOAT64, a, b, 3, &start, y) || y[2] != 87)
        return 1;

    /* A wrong call sets a message. */
    if (lookback_exclusive_scan(lb, LOOKBACK_FLOAT32, LOOKBACK_XOR, x, n, NULL, sums) !=
        LOOKBACK_WRONG_ARGUMENT) {
        return 1;
    }
    puts(lookback_message(lb));
    if (strstr(lookback_message(lb), "bitwise") == NULL) return 1;
    if (!lookback_sort(lb, LOOKBACK_INT32, NULL, n, 0, sums)) return 1;
    if (!lookback_exclusive_scan(lb, LOOKBACK_INT32, LOOKBACK_SUM, x, n, NULL, (void*)x)) return 1;
    if (!lookback_set_threads(lb, -1)) return 1;
    if (lookback_inclusive_scan(lb, LOOKBACK_INT32, LOOKBACK_SUM, NULL, 0, NULL, NULL)) return 1;
    if (!lookback_set_device(lb, -1, NULL)) return 1;
    if (strstr(lookback_message(lb), "lookback: ") == NULL) return 1;
    lookback_destroy(lb);
    return 0;
}
