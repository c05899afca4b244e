/// \file
/// Block scans of depth log2 n, with more operators than items, for array_tile.
#pragma once

#include "../machine.cuh"
#include "array_tile.cuh"

namespace lookback::strategies {

/// Doubling distances, from one buffer to another. A step reads what the step before has written,
/// so one barrier a step is enough (Hillis & Steele 1986; Harris, Sengupta & Owens, GPU Gems 3,
/// 39.2.1). n log2 n - (n - 1) operators.
struct hillis_steele {
    static constexpr int items_a_thread = 1;
    template <int n>
    static constexpr int places = 2 * n;

    template <int n, class T, class Op>
    static __device__ T scan(T* x, T (&item)[1], const Op& op) {
        const int t = thread_in_block();
        T* from = x;
        T* to = x + n;
        from[t] = item[0];
        sync_block();
        for (int distance = 1; distance < n; distance *= 2) {
            if (t >= distance) item[0] = op(from[t - distance], item[0]);
            to[t] = item[0];
            sync_block();
            T* const written = to;
            to = from;
            from = written;
        }
        return from[n - 1];
    }
};

/// The same in place (Kogge & Stone 1973; Kirk & Hwu, Programming Massively Parallel Processors,
/// section 9.2). Two barriers a step: a thread must not overwrite what another has still to read.
/// (The book's figure 9.2 has one barrier; there a thread may read what this step has already
/// written.)
struct kogge_stone_in_place {
    static constexpr int items_a_thread = 1;
    template <int n>
    static constexpr int places = n;

    template <int n, class T, class Op>
    static __device__ T scan(T* x, T (&item)[1], const Op& op) {
        const int t = thread_in_block();
        x[t] = item[0];
        for (int distance = 1; distance < n; distance *= 2) {
            sync_block();
            const T before = x[t >= distance ? t - distance : t];
            sync_block();
            if (t >= distance) x[t] = item[0] = op(before, item[0]);
        }
        sync_block();
        return x[n - 1];
    }
};

/// Halves are scanned, then the last value of the first half goes to all of the second (Sklansky
/// 1960; Merrill & Garland 2016, fig. 1c). n/2 log2 n operators, one for each thread in a step. The
/// values that are read, the last ones of first halves, are not written in the same step.
struct sklansky_in_place {
    static constexpr int items_a_thread = 2;
    template <int n>
    static constexpr int places = n;

    template <int n, class T, class Op>
    static __device__ T scan(T* x, T (&item)[2], const Op& op) {
        return scan_halves_in_place<n>(x, item, [&](int t) {
            for (int half = 1; half < n; half *= 2) {
                sync_block();
                const int second_half = t / half * 2 * half + half;
                T& mine = x[second_half + t % half];
                mine = op(x[second_half - 1], mine);
            }
        });
    }
};

}  // namespace lookback::strategies
