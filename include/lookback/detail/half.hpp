/// \file
/// Floats of 16 bits, where the compiler or CUDA has them. The standard library of C++20 does not
/// count them as arithmetic types.
#pragma once

#include <limits>
#include <type_traits>

#ifdef __CUDACC__
struct __half;  // cuda_fp16.h, cuda_bf16.h
struct __nv_bfloat16;
#endif

namespace lookback::detail {

/// The digits of the significand of a 16-bit float; 0 for any other type.
template <class T>
inline constexpr int half_digits = 0;
#ifdef __CUDACC__
template <>
inline constexpr int half_digits<__half> = 11;
template <>
inline constexpr int half_digits<__nv_bfloat16> = 8;
#else
#ifdef __FLT16_MANT_DIG__
template <>
inline constexpr int half_digits<_Float16> = 11;
#endif
#ifdef __BFLT16_MANT_DIG__
template <>
inline constexpr int half_digits<__bf16> = 8;
#endif
#endif

template <class T>
inline constexpr bool is_half = half_digits<T> > 0;
template <class T>
inline constexpr bool is_float = std::is_floating_point_v<T> || is_half<T>;
template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> || is_half<T>;

/// Whether `T` can hold all numbers of type `Item`. A float may round integers.
template <class T, class Item>
constexpr bool holds_numbers() {
    constexpr auto digits = []<class N>(std::type_identity<N>) {
        return is_half<N> ? half_digits<N> : std::numeric_limits<N>::digits;
    };
    if constexpr (!is_number<T> || !is_number<Item>) {
        return true;
    } else if constexpr (is_float<T> != is_float<Item>) {
        return is_float<T>;
    } else if constexpr (is_half<T> && is_half<Item>) {
        return std::is_same_v<T, Item>;
    } else {
        return digits(std::type_identity<Item>{}) <= digits(std::type_identity<T>{});
    }
}

}  // namespace lookback::detail
