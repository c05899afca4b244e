// What the case table needs: item types, operators, sizes, and random values of each type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <ostream>
#include <random>
#include <type_traits>
#include <vector>

#include "lookback/lookback.hpp"

namespace lookback::test {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;  // ten times slower: fewer large cases
#else
inline constexpr bool sanitized = false;
#endif

#if defined(__SANITIZE_THREAD__)
inline constexpr bool looks_for_races = true;  // one thread has none
#else
inline constexpr bool looks_for_races = false;
#endif

/// The numbers of threads that most cases run with.
inline const std::vector<int> thread_counts = looks_for_races ? std::vector{3}
                                              : sanitized     ? std::vector{1, 3}
                                                              : std::vector{1, 2, 5, 16};

/// Whether two arrays of numbers have the same bits: -0 is not +0.
template <class A, class B>
bool same_bits(const A& a, const B& b) {
    static_assert(sizeof(a[0]) == sizeof(b[0]));
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0);
}

/// 2x2 matrices modulo 2^32: associative, not commutative, 16 bytes.
struct matrix {
    std::uint32_t a, b, c, d;
    friend bool operator==(const matrix&, const matrix&) = default;
};
struct matrix_product {
    LOOKBACK_HD matrix operator()(const matrix& x, const matrix& y) const {
        return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c,
                x.c * y.b + x.d * y.d};
    }
};

/// The same product, declared to regroup exactly.
struct exact_matrix_product : matrix_product {
    static constexpr bool exact = true;
};

/// 24 bytes: the length and the ends of a sequence. Any swap or gap shows.
struct span_of {
    std::uint64_t length, first, last;
    friend bool operator==(const span_of&, const span_of&) = default;
};
struct join {
    LOOKBACK_HD span_of operator()(const span_of& x, const span_of& y) const {
        return {x.length + y.length + (x.last + 1 == y.first ? 0 : 1000000), x.first, y.last};
    }
};

/// 16-byte alignment, as a SIMD register has.
struct alignas(16) pair16 {
    std::uint64_t low, high;
    friend bool operator==(const pair16&, const pair16&) = default;
};
struct pair_affine {
    LOOKBACK_HD pair16 operator()(const pair16& x, const pair16& y) const {
        return {y.low * x.low, y.low * x.high + y.high};
    }
};

using affine32 = affine_map<std::uint32_t>;

template <class T>
T random_value(std::mt19937_64& random) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::uniform_real_distribution<T>(-1, 1)(random);
    } else if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(random());
    } else if constexpr (requires { typename T::value_type; }) {  // std::complex
        const auto real = random_value<typename T::value_type>(random);
        return T(real, random_value<typename T::value_type>(random));
    } else if constexpr (requires(T x) { x.channel; }) {
        T value{};
        for (auto& x : value.channel) x = random_value<detail::channel_type<T>>(random);
        return value;
    } else {
        T value;
        static_assert(std::is_trivially_copyable_v<T>);
        std::array<std::uint64_t, (sizeof(T) + 7) / 8> bits;
        for (auto& word : bits) word = random();
        std::memcpy(&value, bits.data(), sizeof(T));
        return value;
    }
}

/// A similar value that is invertible. (A long product of random maps modulo a power of two is
/// zero: a scan that forgot its prefix would pass.)
template <class T>
T invertible(T value) {
    if constexpr (std::is_same_v<T, matrix>) {
        return {value.a * value.b + 1, value.a, value.b, 1};  // the determinant is 1
    } else if constexpr (std::is_same_v<T, affine32>) {
        return {value.scale | 1, value.shift};
    } else if constexpr (std::is_same_v<T, pair16>) {
        return {value.low | 1, value.high};
    } else {
        return value;
    }
}

template <class T>
std::vector<T> random_values(std::size_t n, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<T> values(n);
    for (std::size_t i = 0; i < n; ++i) {
        if constexpr (std::is_same_v<T, span_of>) {
            values[i] = {1, i, i};
        } else {
            values[i] = invertible(random_value<T>(random));
        }
    }
    return values;
}

/// Makes values that an operator loses nothing of: products of odd integers never vanish.
template <class T, class Op>
void keep_in_folds([[maybe_unused]] std::vector<T>& values, const Op&) {
    if constexpr (std::is_integral_v<T> && std::is_same_v<Op, multiplies<>>) {
        for (T& x : values) x = static_cast<T>(x | 1);
    }
}
template <class T, class Op>
std::vector<T> random_values_for(const Op& op, std::size_t n, std::uint64_t seed) {
    std::vector<T> values = random_values<T>(n, seed);
    keep_in_folds(values, op);
    return values;
}

/// Sizes around every edge of a scan that accumulates in T: a row, a tile, many tiles.
template <class T>
std::vector<std::size_t> edge_sizes() {
    const std::size_t row = detail::row_bytes / sizeof(T) + (sizeof(T) > detail::row_bytes);
    const std::size_t tile = scan_tile_items<T>;
    std::vector<std::size_t> sizes = {0, 1, 2, 3};
    for (const std::size_t edge : {row, std::size_t{64}, 17 * row, tile / 2, tile / 2 + row, tile,
                                   tile + 64, 2 * tile, tile * 5 / 2, 32 * tile}) {
        if (edge > 1) sizes.push_back(edge - 1);
        sizes.push_back(edge);
        sizes.push_back(edge + 1);
    }
    return sizes;
}

}  // namespace lookback::test
