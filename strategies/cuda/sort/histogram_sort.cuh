/// \file
/// A sort from the lowest digit to the highest, by scans of histograms. For each digit, a kernel
/// counts the digits of each tile. A scan of the counts, with the counts of digit 0 in all tiles
/// first, gives the places where each tile's keys with each digit go. A second kernel sorts each
/// tile by the digit in shared memory, by splits, and writes the keys to these places (CUDPP:
/// Satish, Harris & Garland 2009; 3n a digit, as Thrust later: Merrill & Grimshaw 2011).
#pragma once

#include <tuple>

#include "split.cuh"

namespace lookback::strategies {

inline constexpr int digit_bits = 4;
inline constexpr int digits = 1 << digit_bits;

template <class Word>
__device__ int digit_of(Word word, int first_bit) {
    return static_cast<int>(word >> first_bit & (digits - 1));
}

/// Where the count of a digit in this block's tile lies: behind the counts of lesser digits in all
/// tiles.
__device__ inline std::uint64_t place_of_count(int digit) {
    return static_cast<unsigned>(digit) * std::uint64_t{detail::device::blocks_in_grid()} +
           block_in_grid();
}

template <class Key, class Shape>
__global__ void __launch_bounds__(Shape::threads)
    count_digits_kernel(const Key* in, std::uint64_t n, int first_bit, std::uint64_t* counts) {
    constexpr int warps = Shape::threads / detail::device::warp_lanes;
    struct histograms {
        // One for each warp, so that fewer threads add to the same word at once.
        std::uint32_t of_warp[warps][digits];
    };
    auto& shared = shared_memory<histograms>();
    const int t = thread_in_block();
    const tile_range tile(n, Shape::tile);
    for (int i = t; i < warps * digits; i += Shape::threads) {
        shared.of_warp[i / digits][i % digits] = 0;
    }
    sync_block();
    auto& mine = shared.of_warp[detail::device::warp()];
    for (int i = t; i < tile.count; i += Shape::threads) {
        detail::device::add_in_block(&mine[digit_of(word_of_key(in[tile.first + i]), first_bit)],
                                     1);
    }
    sync_block();
    if (t >= digits) return;
    std::uint64_t count = 0;
    for (int w = 0; w < warps; ++w) count += shared.of_warp[w][t];
    counts[place_of_count(t)] = count;
}

/// `places`: the exclusive scan of the counts.
template <class Key, class Shape>
__global__ void __launch_bounds__(Shape::threads)
    scatter_digits_kernel(const Key* in, std::uint64_t n, int first_bit,
                          const std::uint64_t* places, Key* out) {
    using split = block_split<key_word<Key>, Shape>;
    struct starts {
        std::uint64_t of_digit[digits];  // where the tile's key 0 would go if it had this digit
    };
    auto& storage = shared_memory<typename split::storage>();
    auto& place = shared_memory<starts>().of_digit;
    const int t = thread_in_block();
    const tile_range tile(n, Shape::tile);
    load_words<Shape::threads>(in + tile.first, tile.count, storage.words);
    sync_block();
    for (int bit = 0; bit < digit_bits; ++bit) split::run(storage, tile.count, first_bit + bit);
    const auto digit_at = [&](int i) { return digit_of(storage.words[i], first_bit); };
    for (int i = t; i < tile.count; i += Shape::threads) {
        const int digit = digit_at(i);
        if (i > 0 && digit_at(i - 1) == digit) continue;
        place[digit] = places[place_of_count(digit)] - static_cast<unsigned>(i);
    }
    sync_block();
    for (int i = t; i < tile.count; i += Shape::threads) {
        out[place[digit_at(i)] + static_cast<unsigned>(i)] = key_of_word<Key>(storage.words[i]);
    }
}

template <class Shape>
struct histogram_sort {
    static constexpr int tile_keys = Shape::tile;
    static_assert(Shape::threads >= digits);

    /// The arrays are the same or do not overlap.
    template <class Key>
    static void run(device& gpu, const Key* in, Key* out, std::uint64_t n) {
        if (n == 0) return;
        const std::uint64_t tiles = ceil_div(n, Shape::tile);
        const auto cut = [&](carver memory) {
            Key* const other = memory.take<Key>(n);
            std::uint64_t* const counts = memory.take<std::uint64_t>(tiles * digits);
            return std::tuple(other, counts, memory.bytes());
        };
        const auto [other, counts, bytes] = cut(carver(gpu.memory(std::get<2>(cut(carver{})))));
        constexpr int passes = word_bits<key_word<Key>> / digit_bits;
        static_assert(passes % 2 == 0, "the first pass is never in place");
        for (int pass = 0; pass < passes; ++pass) {
            Key* const to = target_of(pass, passes, out, other);
            const int first_bit = pass * digit_bits;
            start(gpu, count_digits_kernel<Key, Shape>, tiles, Shape::threads, in, n, first_bit,
                  counts);
            exclusive_scan(gpu.gpu(), counts, counts + tiles * digits, counts);
            start(gpu, scatter_digits_kernel<Key, Shape>, tiles, Shape::threads, in, n, first_bit,
                  static_cast<const std::uint64_t*>(counts), to);
            in = to;
        }
    }
};

}  // namespace lookback::strategies
