/// \file
/// Sums of a few integers, compiled into the caller, because a call of the library's kernels would
/// take longer. They use vectors of 16 bytes, which every machine has, by the vector types of GCC
/// and clang.
///
/// A vector is scanned by Kogge-Stone, and then the sum of what came before is added. Between
/// vectors this is a chain of two instructions for 16 bytes. Integers may be regrouped in any way
/// without changing a bit.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <utility>

namespace lookback::detail {

/// Whether the compiler has such vectors. nvcc does not: it passes shuffles on without expanding
/// their parameter packs.
#if defined(__GNUC__) && !defined(__CUDACC__)
inline constexpr bool has_short_sums = true;

template <std::unsigned_integral T>
struct short_sums {
    static constexpr std::size_t lanes = 16 / sizeof(T);
    using vector [[gnu::vector_size(16)]] = T;

    /// Scans `items` items after a sum of `before`. Results may lie over the items.
    template <bool is_exclusive>
    static void scan(const T* in, std::size_t items, T* out, T before) {
        vector all_before = vector{} + before;
        std::size_t i = 0;
        for (std::size_t rows = items / lanes; rows > 0; --rows, i += lanes) {
            vector x;
            std::memcpy(&x, in + i, sizeof(x));
            x = sums(x);
            const vector results = all_before + (is_exclusive ? moved_up<1>(x) : x);
            std::memcpy(out + i, &results, sizeof(x));
            all_before += last(x, every_lane{});
        }
        T running = all_before[0];
        for (std::size_t left = items % lanes; left > 0; --left, ++i) {
            T item;  // the caller's integers may have another type of this size: no typed access
            std::memcpy(&item, in + i, sizeof(T));
            const T sum = static_cast<T>(running + item);
            std::memcpy(out + i, is_exclusive ? &running : &sum, sizeof(T));
            running = sum;
        }
    }

 private:
    using every_lane = std::make_index_sequence<lanes>;

    template <std::size_t by = 1>
    static vector sums(vector x) {
        x += moved_up<by>(x);
        if constexpr (2 * by < lanes) {
            return sums<2 * by>(x);
        } else {
            return x;
        }
    }
    // Moves lanes up by `by`; zeros enter below.
    template <std::size_t by>
    static vector moved_up(vector x) {
        return moved_up<by>(x, every_lane{});
    }
    template <std::size_t by, std::size_t... i>
    static vector moved_up(vector x, std::index_sequence<i...>) {
        return __builtin_shufflevector(vector{}, x, (lanes - by + i)...);
    }
    template <std::size_t... i>
    static vector last(vector x, std::index_sequence<i...>) {
        return __builtin_shufflevector(x, x, (lanes - 1 + 0 * i)...);
    }
};

#else
inline constexpr bool has_short_sums = false;
template <class T>
struct short_sums;
#endif

}  // namespace lookback::detail
