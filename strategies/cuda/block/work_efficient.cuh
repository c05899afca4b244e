/// \file
/// Block scans of 2n to 3n operators, up a tree and down again, for array_tile.
#pragma once

#include "../machine.cuh"
#include "../prefix.cuh"
#include "array_tile.cuh"

namespace lookback::strategies {

/// In place, inclusive (Brent & Kung 1982; Kirk & Hwu, Programming Massively Parallel Processors,
/// section 9.4): 2n - 2 - log2 n operators. The threads that have work to do are neighbours.
struct brent_kung_in_place {
    static constexpr int items_a_thread = 2;
    template <int n>
    static constexpr int places = n;

    template <int n, class T, class Op>
    static __device__ T scan(T* x, T (&item)[2], const Op& op) {
        return scan_halves_in_place<n>(x, item, [&](int t) {
            for (int distance = 1; distance < n; distance *= 2) {
                sync_block();
                const int i = (t + 1) * 2 * distance - 1;
                if (i < n) x[i] = op(x[i - distance], x[i]);
            }
            for (int distance = n / 4; distance > 0; distance /= 2) {
                sync_block();
                const int i = (t + 1) * 2 * distance - 1;
                if (i + distance < n) x[i + distance] = op(x[i], x[i + distance]);
            }
        });
    }
};

/// Blelloch's up-sweep and down-sweep (1990; Harris, Sengupta & Owens, GPU Gems 3, 39.2.2),
/// exclusive. A node passes the fold of what lies before it to its left child, and this fold
/// combined with the left child's fold to its right child. Nothing lies before the root, nor before
/// any node on the left edge. These nodes are known by their position, so the operator needs no
/// identity.
///
/// `padded`: one place in 33 is left out, so that the accesses of a warp, which are powers of two
/// apart, fall into different banks (39.2.3). `unrolled`: the loops are written out, because their
/// number of iterations is known (39.2.5).
template <bool padded, bool unrolled>
struct sweeps {
    static constexpr int turns = unrolled ? 32 : 1;
    template <int n>
    static constexpr int places = n + (padded ? n / 32 : 0);

    static __device__ int at(int i) { return padded ? i + i / 32 : i; }

    /// Scans n values, x[at(0)] to x[at(n - 1)], with at least n/2 threads. It begins and ends with
    /// a barrier. Leaves the fold of the values before i at x[at(i)], for i > 0; returns the fold
    /// of all.
    template <int n, class T, class Op>
    static __device__ T exclusive_scan(T* x, const Op& op) {
        const int t = thread_in_block();
#pragma unroll turns
        for (int distance = 1; distance < n; distance *= 2) {
            sync_block();
            if (t < n / 2 / distance) {
                const int left = at((2 * t + 1) * distance - 1);
                const int right = at((2 * t + 2) * distance - 1);
                x[right] = op(x[left], x[right]);
            }
        }
        sync_block();
        const T total = x[at(n - 1)];
#pragma unroll turns
        for (int distance = n / 2; distance > 0; distance /= 2) {
            sync_block();
            if (t < n / 2 / distance) {
                const int left = at((2 * t + 1) * distance - 1);
                const int right = at((2 * t + 2) * distance - 1);
                const T of_left = x[left];
                if (t == 0) {
                    x[right] = of_left;
                } else {
                    const T before = x[right];
                    x[left] = before;
                    x[right] = op(before, of_left);
                }
            }
        }
        sync_block();
        return total;
    }
};

/// The sweeps with two items a thread, from the two halves of the tile: 2 (n - 1) - log2 n
/// operators, and n - 1 more to make the scan inclusive.
template <bool padded, bool unrolled>
struct blelloch {
    using tree = sweeps<padded, unrolled>;
    static constexpr int items_a_thread = 2;
    template <int n>
    static constexpr int places = tree::template places<n>;

    template <int n, class T, class Op>
    static __device__ T scan(T* x, T (&item)[2], const Op& op) {
        const int t = thread_in_block();
        x[tree::at(t)] = item[0];
        x[tree::at(n / 2 + t)] = item[1];
        const T total = tree::template exclusive_scan<n>(x, op);
        if (t > 0) item[0] = op(x[tree::at(t)], item[0]);
        item[1] = op(x[tree::at(n / 2 + t)], item[1]);
        return total;
    }
};

}  // namespace lookback::strategies
