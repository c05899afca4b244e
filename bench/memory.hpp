/// \file
/// The memory that is measured on. It is allocated as users allocate it, and is the same for all
/// implementations.
///
/// Arrays come from plain operator new, whatever its alignment. All threads touch the pages before
/// anything is timed. The data are random, a function of the index alone.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace lookback::bench {

/// An array whose items have not been written yet.
template <class T>
std::unique_ptr<T[]> make_array(std::size_t items) {
    return std::make_unique_for_overwrite<T[]>(items);
}

/// Calls `body(first, count)` for ranges of at most `grain` indices below n, on all threads.
template <class Body>
void in_pieces(std::size_t n, std::size_t grain, const Body& body) {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, n, grain),
        [&](const tbb::blocked_range<std::size_t>& piece) { body(piece.begin(), piece.size()); },
        tbb::simple_partitioner());
}

/// 64 well mixed bits (Steele, Lea & Flood 2014, "SplitMix").
inline std::uint64_t random_bits(std::uint64_t index) {
    std::uint64_t x = (index + 1) * 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

/// Floats in [0, 1); unsigned integers of the full range; signed integers so small that no sum
/// overflows, because the peers do not define overflow.
template <class T>
T random_item(std::size_t index) {
    const std::uint64_t bits = random_bits(index);
    if constexpr (std::same_as<T, float>) {
        return static_cast<float>(bits >> 40) * 0x1p-24F;
    } else if constexpr (std::same_as<T, double>) {
        return static_cast<double>(bits >> 11) * 0x1p-53;
    } else if constexpr (std::signed_integral<T>) {
        return static_cast<T>(static_cast<T>(bits) >> (sizeof(T) == 4 ? 20 : 24));
    } else {
        return static_cast<T>(bits);
    }
}

inline constexpr std::size_t fill_grain = std::size_t{1} << 16;

template <class T, class ItemOf>
void fill(T* out, std::size_t items, const ItemOf& item_of) {
    in_pieces(items, fill_grain, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) out[i] = item_of(i);
    });
}

inline void memcpy_one_thread(const void* in, void* out, std::size_t bytes) {
    std::memcpy(out, in, bytes);
}

/// memcpy of equal shares, one for each thread.
inline void memcpy_all_threads(const void* in, void* out, std::size_t bytes) {
    const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    const std::size_t share = (bytes + threads - 1) / threads;
    tbb::parallel_for(
        std::size_t{0}, threads,
        [&](std::size_t k) {
            const std::size_t first = std::min(bytes, k * share);
            std::memcpy(static_cast<std::byte*>(out) + first,
                        static_cast<const std::byte*>(in) + first, std::min(share, bytes - first));
        },
        tbb::static_partitioner());
}

}  // namespace lookback::bench
