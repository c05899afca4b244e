/// \file
/// Split: the keys whose bit is 0 go before the keys whose bit is 1, and all keep their order
/// (Blelloch 1990; GPU Gems 3, section 39.3.3, figures 39-13 and 39-14).
///
///     key         5  2  7  4  1  6        by bit 0
///     zero        0  1  0  1  0  1        whether its bit is 0
///     before      0  0  1  1  2  2        the exclusive scan of that
///     place       3  0  4  1  5  2        where it goes
///     split       2  4  6  5  7  1
///
/// A zero goes to the place with the number of the zeros before it. A one goes behind all zeros and
/// the ones before it. One scan a bit. Splits from the lowest bit to the highest sort the keys.
#pragma once

#include "../block/hybrids.cuh"
#include "lookback/operators.hpp"
#include "tile.cuh"

namespace lookback::strategies {

template <class Word>
__device__ bool has_bit(Word word, int bit) {
    return (word >> bit & 1) != 0;
}

/// A split within a block, in shared memory.
template <class Word, class Shape>
struct block_split {
    using across = warp_scans_in_brent_kung<int, Shape::threads>;
    struct storage {
        Word words[Shape::tile];
        typename across::storage scan;
    };

    /// There must be a barrier between the writes of the words and this call; it ends with one.
    static __device__ void run(storage& s, int count, int bit) {
        // Each thread has neighbouring keys, in order.
        const int first = thread_in_block() * Shape::keys;
        Word mine[Shape::keys] = {};
        int zeros = 0;
#pragma unroll
        for (int k = 0; k < Shape::keys; ++k) {
            if (first + k >= count) continue;
            mine[k] = s.words[first + k];
            zeros += has_bit(mine[k], bit) ? 0 : 1;
        }
        // After the scan's first barrier all threads have read their words, so these can be
        // overwritten.
        const thread_scan<int> scan = across::scan(s.scan, zeros, plus<>{});
        int before = scan.before.exists ? scan.before.value : 0;
#pragma unroll
        for (int k = 0; k < Shape::keys; ++k) {
            const int i = first + k;
            if (i >= count) continue;
            const bool is_one = has_bit(mine[k], bit);
            s.words[is_one ? scan.total + i - before : before] = mine[k];
            before += is_one ? 0 : 1;
        }
        sync_block();
    }
};

}  // namespace lookback::strategies
