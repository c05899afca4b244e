/// \file
/// All operators in one, which is chosen at run time, so that one kernel is enough.
#pragma once

#include <type_traits>

#include "lookback/operators.hpp"
#include "numbers.hpp"

namespace lookback::on_gpu {

template <class T>
struct any_operator {
    operation op;

    // Not inlined, so that a kernel has one copy of the switch, not one for each of a thread's
    // items.
    __noinline__ __host__ __device__ T operator()(T a, T b) const {
        switch (op) {
            case operation::product: return multiplies<>{}(a, b);
            case operation::min: return minimum<>{}(a, b);
            case operation::max: return maximum<>{}(a, b);
            default: break;
        }
        if constexpr (std::is_integral_v<T>) {
            using S = std::make_signed_t<T>;
            const auto x = static_cast<S>(a);
            const auto y = static_cast<S>(b);
            switch (op) {
                case operation::signed_min: return static_cast<T>(minimum<>{}(x, y));
                case operation::signed_max: return static_cast<T>(maximum<>{}(x, y));
                case operation::bit_and: return bit_and<>{}(a, b);
                case operation::bit_or: return bit_or<>{}(a, b);
                case operation::bit_xor: return bit_xor<>{}(a, b);
                default: break;
            }
        }
        return plus<>{}(a, b);
    }
};

}  // namespace lookback::on_gpu
