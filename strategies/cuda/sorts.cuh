/// \file
/// The sorts on CUDA, as types with run(device, in, out, n), and the names by which the registry
/// and the tests find them.
#pragma once

#include "lookback/sort.hpp"
#include "named.cuh"
#include "sort/histogram_sort.cuh"
#include "sort/network_sort.cuh"
#include "sort/split_merge.cuh"
#include "sort/split_sort.cuh"

namespace lookback::strategies {

/// The library's own sort, as one of the strategies: one sweep for each digit.
struct library_sort {
    template <class Key>
    static void run(device& gpu, const Key* in, Key* out, std::uint64_t n) {
        sort_keys(gpu.gpu(), in, in + n, out);
    }
};

/// Calls f(named<Sort>) for each sort. Chunks that are split have an odd number of keys a thread,
/// so that lanes find their own keys in different banks. Tiles of networks have a power of two.
template <class Chunk = sort_shape<512, 9>, class Tile = sort_shape<512, 8>, class F>
void for_each_sort(F&& f) {
    f(named<split_sort>{"cuda-sort-split"});
    f(named<split_merge_sort<Chunk>>{"cuda-sort-split-merge"});
    f(named<network_sort<bitonic_network, Tile>>{"cuda-sort-bitonic"});
    f(named<network_sort<odd_even_network, Tile>>{"cuda-sort-odd-even-merge"});
    f(named<histogram_sort<Chunk>>{"cuda-sort-histograms"});
    f(named<library_sort>{"cuda-sort-library"});
}

}  // namespace lookback::strategies
