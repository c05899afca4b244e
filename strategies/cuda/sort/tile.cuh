/// \file
/// What the sorts share: a block's tile of keys in shared memory, as words that have the keys'
/// order, and arrays that passes write in turns.
#pragma once

#include "../device.cuh"
#include "../machine.cuh"
#include "lookback/detail/key_words.hpp"

namespace lookback::strategies {

using detail::key_of_word;
using detail::key_word;
using detail::word_bits;
using detail::word_of_key;

/// The threads of a block, and the keys of a thread.
template <int block_threads, int thread_keys>
struct sort_shape {
    static constexpr int threads = block_threads;
    static constexpr int keys = thread_keys;
    static constexpr int tile = threads * keys;
};

/// The keys of this block's tile. All tiles have `tile` keys, except for the last one.
struct tile_range {
    std::uint64_t first;
    int count;

    __device__ tile_range(std::uint64_t n, int tile)
        : first(std::uint64_t{block_in_grid()} * static_cast<unsigned>(tile)),
          count(n - first < static_cast<unsigned>(tile) ? static_cast<int>(n - first) : tile) {}
};

/// Reads or writes `count` keys; neighbouring threads access neighbouring keys. Has no barrier,
/// neither before nor after.
template <int threads, class Key>
__device__ void load_words(const Key* in, int count, key_word<Key>* words) {
    for (int i = thread_in_block(); i < count; i += threads) words[i] = word_of_key(in[i]);
}
template <int threads, class Key>
__device__ void store_words(const key_word<Key>* words, int count, Key* out) {
    for (int i = thread_in_block(); i < count; i += threads) out[i] = key_of_word<Key>(words[i]);
}

/// Where a pass writes: to `out` and `other` in turns, such that the last pass writes to `out`.
template <class Key>
Key* target_of(int pass, int passes, Key* out, Key* other) {
    return (passes - pass) % 2 == 1 ? out : other;
}

}  // namespace lookback::strategies
