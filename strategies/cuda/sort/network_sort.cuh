/// \file
/// Sorting networks on whole arrays (Batcher 1968), in place, of any length: comparators that would
/// join keys behind the end are left out (networks/comparators.hpp). Each tile is sorted in shared
/// memory, 2n. The merges of longer parts compare in global memory, at most 2n a step. If a
/// network's steps of short distances stay within tiles, these steps of a merge are done by one
/// kernel.
#pragma once

#include <bit>

#include "strategies/networks/comparators.hpp"
#include "tile.cuh"

namespace lookback::strategies {

template <class Shape>
inline constexpr int log2_of_tile = std::countr_zero(static_cast<unsigned>(Shape::tile));

/// A step within a tile. There must be a barrier before the call; it ends with one.
template <class Network, int threads, class Word>
__device__ void compare_in_tile(const merge_step& step, Word* words, unsigned count) {
    const unsigned comparators = comparators_of(step, count);
    for (unsigned i = static_cast<unsigned>(thread_in_block()); i < comparators; i += threads) {
        const auto [low, high] = Network::at(step, i);
        if (high >= count) continue;
        const Word a = words[low], b = words[high];
        if (b < a) {
            words[low] = b;
            words[high] = a;
        }
    }
    sync_block();
}

/// Does the steps of the merges of parts from 2^first_part to 2^last_part whose distance is below
/// the tile's length.
template <class Network, class Key, class Shape>
__global__ void __launch_bounds__(Shape::threads)
    merge_in_tiles_kernel(const Key* in, Key* out, std::uint64_t n, int first_part, int last_part) {
    constexpr int longest = log2_of_tile<Shape> - 1;
    struct tile_words {
        key_word<Key> word[Shape::tile];
    };
    auto& words = shared_memory<tile_words>().word;
    const tile_range tile(n, Shape::tile);
    load_words<Shape::threads>(in + tile.first, tile.count, words);
    sync_block();
    for (int part = first_part; part <= last_part; ++part) {
        for (int distance = part < longest ? part : longest; distance >= 0; --distance) {
            compare_in_tile<Network, Shape::threads>({part, distance}, words,
                                                     static_cast<unsigned>(tile.count));
        }
    }
    store_words<Shape::threads>(words, tile.count, out + tile.first);
}

inline constexpr int comparing_threads = 256;

template <class Network, class Key>
__global__ void __launch_bounds__(comparing_threads)
    compare_kernel(Key* keys, std::uint64_t n, merge_step step) {
    const std::uint64_t number = detail::device::thread_in_grid();
    if (number >= comparators_of(step, n)) return;
    const auto [low, high] = Network::at(step, number);
    if (high >= n) return;
    const Key a = keys[low], b = keys[high];
    if (word_of_key(b) < word_of_key(a)) {
        keys[low] = b;
        keys[high] = a;
    }
}

template <class Network, class Shape>
struct network_sort {
    static constexpr int tile_keys = Shape::tile;
    static_assert(std::has_single_bit(static_cast<unsigned>(Shape::tile)));

    /// The arrays are the same or do not overlap.
    template <class Key>
    static void run(device& gpu, const Key* in, Key* out, std::uint64_t n) {
        if (n == 0) return;
        constexpr int tile = log2_of_tile<Shape>;
        constexpr int in_global_memory = Network::stays_in_parts ? tile : 0;
        const auto in_tiles = [&](const Key* from, int first_part, int last_part) {
            start(gpu, merge_in_tiles_kernel<Network, Key, Shape>, ceil_div(n, Shape::tile),
                  Shape::threads, from, out, n, first_part, last_part);
        };
        in_tiles(in, 0, tile - 1);
        for (int part = tile; std::uint64_t{1} << part < n; ++part) {
            for (int distance = part; distance >= in_global_memory; --distance) {
                const merge_step step{part, distance};
                start(gpu, compare_kernel<Network, Key>,
                      ceil_div(comparators_of(step, n), comparing_threads), comparing_threads, out,
                      n, step);
            }
            if constexpr (Network::stays_in_parts) in_tiles(out, part, part);
        }
    }
};

}  // namespace lookback::strategies
