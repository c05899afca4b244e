/// \file
/// Folds of numbers whose type and operator are known at run time. Sums have their own kernels; for
/// all other operators there is one kernel, which looks the operator up (any_operator.hpp).
#pragma once

#include <limits>
#include <type_traits>

#include "table/device/device_arrays.hpp"
#include "table/gpu/any_operator.hpp"

namespace lookback::on_device {

using on_gpu::any_operator;

inline bool is_real(item_type type) { return type >= item_type::float32; }
inline bool is_signed(item_type type) { return type <= item_type::int64; }

/// The operation that folds such items in kernels, which know only unsigned integers, float and
/// double.
inline on_gpu::operation kernel_operation(item_type type, operation op) {
    switch (op) {
        case operation::sum: break;
        case operation::product: return on_gpu::operation::product;
        case operation::min:
            return is_signed(type) ? on_gpu::operation::signed_min : on_gpu::operation::min;
        case operation::max:
            return is_signed(type) ? on_gpu::operation::signed_max : on_gpu::operation::max;
        case operation::bit_and: return on_gpu::operation::bit_and;
        case operation::bit_or: return on_gpu::operation::bit_or;
        case operation::bit_xor: return on_gpu::operation::bit_xor;
    }
    return on_gpu::operation::sum;
}

/// The identity of an operator.
template <class T>
T identity_of(on_gpu::operation op) {
    using limits = std::numeric_limits<T>;
    const T largest = std::is_floating_point_v<T> ? limits::infinity() : limits::max();
    const T smallest = std::is_floating_point_v<T> ? -limits::infinity() : T{0};
    switch (op) {
        case on_gpu::operation::product: return T{1};
        case on_gpu::operation::min: return largest;
        case on_gpu::operation::max: return smallest;
        default: break;
    }
    if constexpr (std::is_integral_v<T>) {
        constexpr T sign = T{1} << (8 * sizeof(T) - 1);
        if (op == on_gpu::operation::signed_min) return static_cast<T>(sign - 1);
        if (op == on_gpu::operation::signed_max) return sign;
        if (op == on_gpu::operation::bit_and) return limits::max();
    }
    return T{0};
}

/// Calls body(std::type_identity<T>), where T is the type as which kernels see such items. Returns
/// false, without a call, if the items do not have 4 or 8 bytes or cannot be folded by `op`.
template <class Body>
bool with_folded(item_type type, operation op, const Body& body) {
    if (is_real(type) && op >= operation::bit_and) return false;
    using enum item_type;
    switch (type) {
        case int32:
        case uint32: body(std::type_identity<std::uint32_t>{}); return true;
        case int64:
        case uint64: body(std::type_identity<std::uint64_t>{}); return true;
        case float32: body(std::type_identity<float>{}); return true;
        case float64: body(std::type_identity<double>{}); return true;
        default: return false;
    }
}

}  // namespace lookback::on_device
