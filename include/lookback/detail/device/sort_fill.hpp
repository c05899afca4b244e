/// \file
/// Writes the output of a sort whose keys were counted. It follows from where the keys with each
/// word begin.
///
/// A block writes one tile after the other. Two of its warps search for the words at the tile's
/// ends, one each. Between these two words, each thread searches for the words of its vectors of 16
/// bytes. Most vectors are full of one word.
///
/// Cost: each key is written once; sums of the counting kernel are cleared for the next call.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_all_counts.hpp"
#include "lookback/detail/device/sort_problem.hpp"

namespace lookback::detail::device {

inline constexpr int fill_threads = 256;
inline constexpr int fill_vectors = 4;  ///< vectors that a thread writes in a tile

/// The word of the key at place `at` of the output, found by a warp.
template <class Word>
__device__ int word_at(const std::uint64_t* starts, std::uint64_t at) {
    int word = 0, left = 1 << word_bits<Word>;
    while (left > 1) {
        const int step = left > warp_lanes ? left / warp_lanes : 1;
        const int mine = lane() * step;
        const bool starts_before = mine < left && starts[word + mine] <= at;
        word += (static_cast<int>(count_bits(ballot(starts_before))) - 1) * step;
        left = step;
    }
    return word;
}

template <class Problem>
__global__ __launch_bounds__(fill_threads) void sort_fill_kernel(
    const __grid_constant__ Problem problem, const std::uint64_t* starts, all_sums* to_clear) {
    using Word = typename Problem::word_type;
    using Out = decltype(Problem::keys_out);
    constexpr bool is_array = std::is_pointer_v<Out>;
    constexpr int words = 1 << word_bits<Word>;
    struct memory {
        int word[2];
    };
    auto& ends = shared_memory<memory>().word;

    wait_for_previous_kernel();
    if (to_clear != nullptr) {
        auto* const sums = reinterpret_cast<std::uint64_t*>(to_clear);
        for (auto i = thread_in_grid(); i < sizeof(all_sums) / 8; i += threads_in_grid()) {
            sums[i] = 0;
        }
    }
    const std::uint64_t items = problem.count.get();
    const auto end_of = [&](int word) { return word + 1 < words ? starts[word + 1] : items; };

    // Vectors are the aligned 16 bytes that the output lies in, wherever in a vector its first key
    // is.
    constexpr unsigned keys = 16 / sizeof(Word);
    std::uint64_t skew = 0;
    if constexpr (is_array) {
        skew = reinterpret_cast<std::uintptr_t>(problem.keys_out) % 16 / sizeof(Word);
    }
    const std::uint64_t vectors = (items + skew + keys - 1) / keys;
    const auto begin_of = [&](std::uint64_t v) {
        return v == 0 ? 0 : v < vectors ? v * keys - skew : items;
    };
    constexpr std::uint64_t step = fill_threads * fill_vectors;
    for (std::uint64_t first = block_in_grid() * step; first < vectors;
         first += blocks_in_grid() * step) {
        if (warp() < 2) {
            const int word =
                word_at<Word>(starts, warp() == 0 ? begin_of(first) : begin_of(first + step) - 1);
            if (lane() == 0) ends[warp()] = word;
        }
        sync_block();
        const int lowest = ends[0], highest = ends[1];
        sync_block();  // before they are overwritten
        // Writes the keys of vector `v`; `is_full`: all places of the vector are keys of the
        // output.
        const auto fill = [&](std::uint64_t v, auto is_full) {
            constexpr bool full = decltype(is_full)::value;
            const std::uint64_t begin = full ? v * keys - skew : begin_of(v);
            const std::uint64_t end = full ? begin + keys : begin_of(v + 1);
            int word = lowest;
            std::uint64_t word_end = lowest == highest ? end : end_of(lowest);
            // Finds the word of the key at `at`, unless it is the same as before. Places are asked
            // for in ascending order.
            const auto look = [&](std::uint64_t at) {
                if (word_end > at) return;
                for (int above = highest + 1; above - word > 1;) {
                    const int middle = (word + above) / 2;
                    (starts[middle] <= at ? word : above) = middle;
                }
                word_end = end_of(word);
            };
            const auto bits = [&] { return problem.code.bits(static_cast<Word>(word)); };
            if constexpr (full && is_array) {
                vector16<Word> vector;
                look(begin);
                if (word_end >= end) {
                    const Word one = bits();
#pragma unroll
                    for (unsigned k = 0; k < keys; ++k) vector.item[k] = one;
                } else {
#pragma unroll
                    for (unsigned k = 0; k < keys; ++k) {
                        look(begin + k);
                        vector.item[k] = bits();
                    }
                }
                store_vector16(problem.keys_out + begin, vector);
            } else {
                for (std::uint64_t at = begin; at < end; ++at) {
                    look(at);
                    store_key(problem.keys_out, at, bits());
                }
            }
        };
        const std::uint64_t mine = first + static_cast<unsigned>(thread_in_block());
        if (first > 0 && first + step < vectors) {
#pragma unroll
            for (int i = 0; i < fill_vectors; ++i) fill(mine + i * fill_threads, std::true_type{});
        } else {
            for (std::uint64_t v = mine; v < first + step && v < vectors; v += fill_threads) {
                fill(v, std::false_type{});
            }
        }
    }
}

}  // namespace lookback::detail::device
