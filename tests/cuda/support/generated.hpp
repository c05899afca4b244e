// Items made from their numbers, on the host and on the device. Their scans are checked in device
// memory by induction: each result is compared with the one before it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "lookback/scan.hpp"
#include "support/device.hpp"
#include "support/values.hpp"

namespace lookback::test {

/// splitmix64.
LOOKBACK_HD inline std::uint64_t hash(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// Items whose scans are exact in any order. Floats are small whole numbers.
template <class T>
struct exact_items {
    std::uint64_t seed;
    LOOKBACK_HD T operator()(std::uint64_t i) const {
        const std::uint64_t bits = hash(i + hash(seed));
        const auto low = static_cast<std::uint32_t>(bits);
        const auto high = static_cast<std::uint32_t>(bits >> 32);
        if constexpr (std::is_integral_v<T>) {
            return static_cast<T>(bits);
        } else if constexpr (std::is_floating_point_v<T>) {
            return static_cast<T>(static_cast<int>(low % 17) - 8);
        } else if constexpr (std::is_same_v<T, span_of>) {
            return {1, i, i};
        } else if constexpr (std::is_same_v<T, matrix>) {
            return {low * high + 1, low, high, 1};
        } else {
            static_assert(std::is_same_v<T, affine32>);
            return {low | 1, high};
        }
    }
};

/// Floats whose sums are rounded: uniform in [-1, 1).
template <class T>
struct rounding_items {
    std::uint64_t seed;
    LOOKBACK_HD T operator()(std::uint64_t i) const {
        const auto bits = static_cast<std::int64_t>(hash(i + hash(seed)));
        return static_cast<T>(static_cast<double>(bits >> 11) * 0x1p-52);
    }
};

/// The kind of scan. Items and results are in the order of the scan.
template <class T>
struct scan_kind {
    bool exclusive = false;
    bool has_init = false;
    T init{};
    bool backward = false;
};

template <class T, class Items>
__global__ void fill_kernel(T* out, std::uint64_t n, Items items, bool backward) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; k < n; k += step) {
        out[backward ? n - 1 - k : k] = items(k);
    }
}
template <class T, class Items>
void fill(cudaStream_t stream, T* out, std::uint64_t n, Items items, bool backward = false) {
    fill_kernel<<<1024, 256, 0, stream>>>(out, n, items, backward);
    check(cudaGetLastError(), "filling");
}

template <class T>
__device__ bool same_bits(const T& a, const T& b) {
    const auto* x = reinterpret_cast<const unsigned char*>(&a);
    const auto* y = reinterpret_cast<const unsigned char*>(&b);
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        if (x[i] != y[i]) return false;
    }
    return true;
}

template <class T, class Items, class Op>
__global__ void check_kernel(const T* out, std::uint64_t n, Items items, Op op, scan_kind<T> was,
                             verdict* v) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    const auto result = [&](std::uint64_t k) { return out[was.backward ? n - 1 - k : k]; };
    for (std::uint64_t k = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; k < n; k += step) {
        T want;
        if (was.exclusive) {
            want = k == 0 ? was.init : static_cast<T>(op(result(k - 1), items(k - 1)));
        } else if (k == 0) {
            want = was.has_init ? static_cast<T>(op(was.init, items(0))) : items(0);
        } else {
            want = static_cast<T>(op(result(k - 1), items(k)));
        }
        if (!same_bits(result(k), want)) report(v, k);
    }
}

/// Starts the check of all n results.
template <class T, class Items, class Op>
void check_steps(inspector& inspect, cudaStream_t stream, const T* out, std::uint64_t n,
                 Items items, Op op, scan_kind<T> was = {}) {
    verdict* const v = inspect.start();
    check_kernel<<<1024, 256, 0, stream>>>(out, n, items, op, was, v);
    inspect.finish();
}

}  // namespace lookback::test
