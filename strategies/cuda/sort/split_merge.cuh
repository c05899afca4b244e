/// \file
/// Chunks that fit in shared memory are sorted there, bit by bit, by splits; then they are merged
/// in pairs, level by level (GPU Gems 3, section 39.3.3). 2n, and 2n a level: each level reads
/// every key once and writes it once. But one block does a whole merge, and the last merge goes
/// through the whole array.
#pragma once

#include <bit>

#include "split.cuh"

namespace lookback::strategies {

template <class Word, int threads>
__device__ bool are_sorted(const Word* words, int count) {
    bool rise = true;
    for (int i = thread_in_block() + 1; i < count; i += threads) {
        rise = rise && words[i - 1] <= words[i];
    }
    return detail::device::sync_block_and(rise);
}

/// Splits by bits until the chunk is sorted.
template <class Key, class Shape>
__global__ void __launch_bounds__(Shape::threads)
    sort_chunks_kernel(const Key* in, Key* out, std::uint64_t n) {
    using word = key_word<Key>;
    using split = block_split<word, Shape>;
    auto& storage = shared_memory<typename split::storage>();
    const tile_range chunk(n, Shape::tile);
    load_words<Shape::threads>(in + chunk.first, chunk.count, storage.words);
    sync_block();
    for (int bit = 0; bit < word_bits<word>; ++bit) {
        split::run(storage, chunk.count, bit);
        if (are_sorted<word, Shape::threads>(storage.words, chunk.count)) break;
    }
    store_words<Shape::threads>(storage.words, chunk.count, out + chunk.first);
}

/// A sorted run, and the next `width` words of it in shared memory: word i lies at place i % width.
/// Places behind the run's end hold the greatest word. A key may have that word too; then it does
/// not matter which of the two is taken.
template <class Key, int width>
struct run_window {
    using word = key_word<Key>;
    const Key* keys;
    std::uint64_t count;
    word* buffer;
    std::uint64_t taken = 0;

    __device__ word next(int i) const { return buffer[place(taken + static_cast<unsigned>(i))]; }
    /// Reads the word that comes `i` places after the next one. It overwrites the word `width`
    /// places before it.
    __device__ void fetch(int i) const {
        const std::uint64_t from = taken + static_cast<unsigned>(i);
        buffer[place(from)] = from < count ? word_of_key(keys[from]) : static_cast<word>(-1);
    }

 private:
    static __device__ int place(std::uint64_t i) {
        return static_cast<int>(i % static_cast<unsigned>(width));
    }
};

/// Sorts words that rise and then fall, one for each thread: log2 `width` steps.
template <int width, class Word>
__device__ Word sort_bitonic(Word mine, Word* exchange) {
    const int t = thread_in_block();
#pragma unroll
    for (int distance = width / 2; distance > 0; distance /= 2) {
        Word other;
        if (distance < detail::device::warp_lanes) {
            other = detail::device::from_lane_across(mine, distance);
        } else {
            exchange[t] = mine;
            sync_block();
            other = exchange[t ^ distance];
            sync_block();
        }
        const bool wants_lesser = (t & distance) == 0;
        if (wants_lesser == (other < mine)) mine = other;
    }
    return mine;
}

/// Block b merges the runs 2b and 2b + 1, of which the last ones may be short or missing. It writes
/// `width` words in each turn. It compares the first word of one window with the last of the other,
/// the second with the last but one, and so on. The lesser words of the pairs are the `width` least
/// words of both windows (figure 39-15): first some of the one run, rising, then some of the other,
/// falling. These are sorted and written, and as many are read.
template <class Key, int width>
__global__ void __launch_bounds__(width)
    merge_runs_kernel(const Key* in, Key* out, std::uint64_t n, std::uint64_t run) {
    using word = key_word<Key>;
    struct buffers {
        word first[width], second[width], exchange[width];
    };
    auto& shared = shared_memory<buffers>();
    const int t = thread_in_block();
    const std::uint64_t begin = 2 * run * block_in_grid();
    const std::uint64_t keys = n - begin < 2 * run ? n - begin : 2 * run;
    const std::uint64_t split = keys < run ? keys : run;
    run_window<Key, width> first{in + begin, split, shared.first};
    run_window<Key, width> second{in + begin + split, keys - split, shared.second};
    first.fetch(t);
    second.fetch(t);
    for (std::uint64_t done = 0; done < keys; done += width) {
        sync_block();  // all words have been fetched
        const word a = first.next(t), b = second.next(width - 1 - t);
        const int of_first = detail::device::sync_block_count(a <= b);
        if (t < of_first) {
            first.fetch(width + t);
        } else {
            second.fetch(width + t - of_first);
        }
        first.taken += static_cast<unsigned>(of_first);
        second.taken += static_cast<unsigned>(width - of_first);
        const word mine = sort_bitonic<width>(a <= b ? a : b, shared.exchange);
        const std::uint64_t place = done + static_cast<unsigned>(t);
        if (place < keys) out[begin + place] = key_of_word<Key>(mine);
    }
}

template <class Chunk>
struct split_merge_sort {
    static constexpr int tile_keys = Chunk::tile;
    static_assert(std::has_single_bit(static_cast<unsigned>(Chunk::threads)));

    /// The arrays are the same or do not overlap.
    template <class Key>
    static void run(device& gpu, const Key* in, Key* out, std::uint64_t n) {
        if (n == 0) return;
        const std::uint64_t chunks = ceil_div(n, Chunk::tile);
        const int levels = std::bit_width(chunks - 1);
        Key* const other = reinterpret_cast<Key*>(gpu.memory(levels > 0 ? n * sizeof(Key) : 0));
        Key* from = target_of(0, levels + 1, out, other);
        start(gpu, sort_chunks_kernel<Key, Chunk>, chunks, Chunk::threads, in, from, n);
        std::uint64_t run = Chunk::tile;
        for (int level = 1; level <= levels; ++level, run *= 2) {
            Key* const to = target_of(level, levels + 1, out, other);
            start(gpu, merge_runs_kernel<Key, Chunk::threads>, ceil_div(n, 2 * run), Chunk::threads,
                  static_cast<const Key*>(from), to, n, run);
            from = to;
        }
    }
};

}  // namespace lookback::strategies
