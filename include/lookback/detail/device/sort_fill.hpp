/// \file
/// Keys of one byte, without values, are counted, not sorted: what is written follows from how many
/// there are of each.
///
/// Cost: each key is read once (sort_counts.hpp), and written once.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/hardware.hpp"
#include "lookback/detail/device/sort_problem.hpp"

namespace lookback::detail::device {

inline constexpr int fill_threads = 256;

template <class Problem>
__global__ __launch_bounds__(fill_threads) void sort_fill_kernel(
    const __grid_constant__ Problem problem) {
    using Word = typename Problem::word_type;
    using Out = decltype(Problem::keys_out);
    static_assert(sizeof(Word) == 1);
    constexpr bool is_array = std::is_pointer_v<Out>;
    struct memory {
        std::uint64_t start[digit_values + 1];
    };
    auto& start = shared_memory<memory>().start;

    wait_for_previous_kernel();
    const std::uint64_t items = problem.count.get();
    for (int i = thread_in_block(); i <= digit_values; i += fill_threads) {
        start[i] = i < digit_values ? problem.state->starts[0][0][i] : items;
    }
    sync_block();

    // By the vectors of 16 bytes that the output lies in, wherever its first key is in one.
    constexpr unsigned keys = 16;
    std::uint64_t skew = 0;
    if constexpr (is_array) skew = reinterpret_cast<std::uintptr_t>(problem.keys_out) % keys;
    const std::uint64_t vectors = (items + skew + keys - 1) / keys;
    for (std::uint64_t v = thread_in_grid(); v < vectors; v += threads_in_grid()) {
        const std::uint64_t begin = v == 0 ? 0 : v * keys - skew;
        const std::uint64_t end = v + 1 < vectors ? (v + 1) * keys - skew : items;
        // The last word that starts no later than here.
        int word = 0;
        for (int step = digit_values / 2; step > 0; step /= 2) {
            if (start[word + step] <= begin) word += step;
        }
        if constexpr (is_array) {
            if (end - begin == keys) {
                vector16<Word> vector;
                if (start[word + 1] >= end) {
                    const Word bits = problem.code.bits(static_cast<Word>(word));
#pragma unroll
                    for (unsigned i = 0; i < keys; ++i) vector.item[i] = bits;
                } else {
#pragma unroll
                    for (unsigned i = 0; i < keys; ++i) {
                        while (start[word + 1] <= begin + i) ++word;
                        vector.item[i] = problem.code.bits(static_cast<Word>(word));
                    }
                }
                store_vector16(problem.keys_out + begin, vector);
                continue;
            }
        }
        for (std::uint64_t i = begin; i < end; ++i) {
            while (start[word + 1] <= i) ++word;
            store_key(problem.keys_out, i, problem.code.bits(static_cast<Word>(word)));
        }
    }
}

}  // namespace lookback::detail::device
