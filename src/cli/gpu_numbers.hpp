/// \file
/// Numbers and operators as the GPU's kernels know them (gpu/numbers.hpp).
#pragma once

#include <concepts>
#include <optional>
#include <type_traits>

#include "dtype.hpp"
#include "gpu/numbers.hpp"
#include "kernels.hpp"
#include "lookback/detail/unsigned_words.hpp"

namespace lookback::cli {

/// What computes with them: signed integers are unsigned ones, but for their order.
template <number T>
using on_gpu_as = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>,
                                              std::type_identity<T>>::type;

template <number T>
on_gpu::operation on_gpu_operation(operation op) {
    switch (op) {
        case operation::sum: break;
        case operation::product: return on_gpu::operation::product;
        case operation::min:
            return std::signed_integral<T> ? on_gpu::operation::signed_min : on_gpu::operation::min;
        case operation::max:
            return std::signed_integral<T> ? on_gpu::operation::signed_max : on_gpu::operation::max;
        case operation::bit_and: return on_gpu::operation::bit_and;
        case operation::bit_or: return on_gpu::operation::bit_or;
        case operation::bit_xor: return on_gpu::operation::bit_xor;
    }
    return on_gpu::operation::sum;
}

/// What keeps them as they are: the bits.
template <number T>
using bits_of = detail::unsigned_word<sizeof(T)>;

template <number T>
inline constexpr on_gpu::number_kind kind_of =
    std::is_floating_point_v<T> ? on_gpu::number_kind::real
    : std::is_signed_v<T>       ? on_gpu::number_kind::signed_integer
                                : on_gpu::number_kind::unsigned_integer;

/// Arrays that are only copied, to the GPU and back: nothing reads them as another type here.
template <class U, class T>
const U* array_of(const T* numbers) {
    static_assert(sizeof(U) == sizeof(T));
    return reinterpret_cast<const U*>(numbers);
}
template <class U, class T>
U* array_of(T* numbers) {
    static_assert(sizeof(U) == sizeof(T));
    return reinterpret_cast<U*>(numbers);
}

}  // namespace lookback::cli
