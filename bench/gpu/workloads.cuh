/// \file
/// What is scanned with what. A workload has the items, the operators in our form and in the
/// peers', and a check of the result of one step.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <cuda/functional>
#include <limits>

#include "lookback/operators.hpp"
#include "random_bits.cuh"

namespace lookback::bench {

/// `timed`: items as they come, any bits. `exact`: sums of floats have no rounding errors, and are
/// checked for equality.
enum class data { timed, exact };

/// In (-1, 1), and never 0.
template <std::floating_point T>
__device__ T random_float(std::uint64_t bits) {
    constexpr int digits = std::numeric_limits<T>::digits - 1;
    const auto fraction = static_cast<T>(bits >> (64 - digits)) + T{0.5};
    const T magnitude = fraction / static_cast<T>(std::uint64_t{1} << digits);
    return bits & 1 ? -magnitude : magnitude;
}

template <class T>
constexpr const char* type_name() {
    if constexpr (std::floating_point<T>) return sizeof(T) == 4 ? "f32" : "f64";
    if constexpr (sizeof(T) == 1) return "u8";
    if constexpr (sizeof(T) == 2) return "u16";
    return sizeof(T) == 4 ? "i32" : "i64";
}

template <std::integral T>
struct integers {
    using item = T;
    static constexpr const char* type = type_name<T>();
    static constexpr int largest_exponent = sizeof(T) == 1 ? 32 : 30;

    __device__ static T make(std::uint64_t i, data) { return static_cast<T>(random_bits(i)); }
    __device__ static bool agrees(T want, T got, data, std::uint64_t) { return want == got; }
};

template <class T>
struct sum;

template <std::integral T>
struct sum<T> : integers<T> {
    static constexpr const char* op_name = "sum";
    using op = plus<>;
    using peer_op = ::cuda::std::plus<>;  // InclusiveSum's own
    // For narrow integers peer_op makes sums of int; this operator does not.
    using narrow_peer_op = ::cuda::std::plus<T>;
};

template <std::floating_point T>
struct sum<T> {
    using item = T;
    static constexpr const char* type = type_name<T>();
    static constexpr const char* op_name = "sum";
    static constexpr int largest_exponent = 30;

    using op = plus<>;
    using peer_op = ::cuda::std::plus<>;

    // Exact: +-1 to +-16. The standard deviation of the sum of 2^30 such items is 2^18.3. So no sum
    // of neighbours comes near 2^24, up to which a float holds every integer.
    __device__ static T make(std::uint64_t i, data kind) {
        const std::uint64_t bits = random_bits(i);
        if (kind == data::timed) return random_float<T>(bits);
        const auto magnitude = static_cast<T>(1 + (bits >> 60));
        return bits & 1 ? -magnitude : magnitude;
    }
    // The sums of n items in (-1, 1) stay below 4 sqrt(n). Two neighbouring results differ by the
    // rounding of the few additions that they do not share; the check allows for 256.
    __device__ static bool agrees(T want, T got, data kind, std::uint64_t n) {
        if (kind == data::exact) return want == got;
        constexpr double unit =
            1.0 / static_cast<double>(std::uint64_t{1} << std::numeric_limits<T>::digits);
        const double most = 256 * unit * 4 * sqrt(static_cast<double>(n));
        return fabs(static_cast<double>(want) - static_cast<double>(got)) <= most;
    }
};

template <class T>
struct running_maximum : integers<T> {
    static constexpr const char* op_name = "maximum";
    using op = maximum<>;
    using peer_op = ::cuda::maximum<>;
    using narrow_peer_op = ::cuda::maximum<T>;

    // Narrow ones so that the maximum keeps growing.
    __device__ static T make(std::uint64_t i, data) {
        const std::uint64_t bits = random_bits(i);
        return static_cast<T>(sizeof(T) < 4 ? __clzll(static_cast<long long>(bits)) : bits);
    }
};

/// The linear recurrence y[i] = scale[i] y[i-1] + shift[i]: the operator does not commute. Scales
/// are in (0, 1), so that y does not grow.
struct recurrence {
    using item = affine_map<float>;
    static constexpr const char* type = "affine32";
    static constexpr const char* op_name = "affine";
    static constexpr int largest_exponent = 30;

    using op = affine;
    using peer_op = affine;

    __device__ static item make(std::uint64_t i, data) {
        return {fabsf(random_float<float>(random_bits(2 * i))),
                random_float<float>(random_bits(2 * i + 1))};
    }
    // Scales below 1 damp earlier errors, so errors do not add up: 1e-4 is several hundred
    // roundings. Products of scales become too small for a float.
    __device__ static bool agrees(const item& want, const item& got, data, std::uint64_t) {
        return fabsf(want.scale - got.scale) <= 1e-4F * want.scale + 1e-35F &&
               fabsf(want.shift - got.shift) <= 1e-4F;
    }
};

}  // namespace lookback::bench
