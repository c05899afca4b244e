/// \file
/// Splits of the whole array, from the lowest bit to the highest (Blelloch 1990, section 1.4.1), by
/// the library's scan between a kernel that marks the zeros and one that moves the keys. 7n a bit:
/// the keys are read twice and written; the marks are written, scanned and read again.
#pragma once

#include <tuple>

#include "split.cuh"

namespace lookback::strategies {

inline constexpr int splitting_threads = 256;

template <class Key, class Position>
__global__ void __launch_bounds__(splitting_threads)
    mark_zeros_kernel(const Key* in, std::uint64_t n, int bit, Position* zeros) {
    const std::uint64_t i = detail::device::thread_in_grid();
    if (i < n) zeros[i] = has_bit(word_of_key(in[i]), bit) ? 0 : 1;
}

/// `before`: the exclusive scan of the marks.
template <class Key, class Position>
__global__ void __launch_bounds__(splitting_threads)
    move_keys_kernel(const Key* in, std::uint64_t n, int bit, const Position* before, Key* out) {
    const std::uint64_t i = detail::device::thread_in_grid();
    if (i >= n) return;
    const Key key = in[i];
    const std::uint64_t zeros_before = before[i];
    if (has_bit(word_of_key(key), bit)) {
        const std::uint64_t zeros =
            before[n - 1] + (has_bit(word_of_key(in[n - 1]), bit) ? 0U : 1U);
        out[zeros + i - zeros_before] = key;
    } else {
        out[zeros_before] = key;
    }
}

struct split_sort {
    static constexpr int tile_keys = splitting_threads;

    /// The arrays are the same or do not overlap.
    template <class Key>
    static void run(device& gpu, const Key* in, Key* out, std::uint64_t n) {
        if (n == 0) return;
        if (n <= 0xffffffffU) {
            run_with<std::uint32_t>(gpu, in, out, n);
        } else {
            run_with<std::uint64_t>(gpu, in, out, n);
        }
    }

 private:
    template <class Position, class Key>
    static void run_with(device& gpu, const Key* in, Key* out, std::uint64_t n) {
        const auto cut = [n](carver memory) {
            Key* const other = memory.take<Key>(n);
            Position* const marks = memory.take<Position>(n);
            return std::tuple(other, marks, memory.bytes());
        };
        const auto [other, marks, bytes] = cut(carver(gpu.memory(std::get<2>(cut(carver{})))));
        const std::uint64_t blocks = ceil_div(n, splitting_threads);
        constexpr int bits = word_bits<key_word<Key>>;  // even: the first pass is never in place
        for (int bit = 0; bit < bits; ++bit) {
            Key* const to = target_of(bit, bits, out, other);
            start(gpu, mark_zeros_kernel<Key, Position>, blocks, splitting_threads, in, n, bit,
                  marks);
            exclusive_scan(gpu.gpu(), marks, marks + n, marks);
            start(gpu, move_keys_kernel<Key, Position>, blocks, splitting_threads, in, n, bit,
                  static_cast<const Position*>(marks), to);
            in = to;
        }
    }
};

}  // namespace lookback::strategies
