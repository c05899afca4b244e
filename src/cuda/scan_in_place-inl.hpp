/// \file
/// What scan_in_place.hpp declares, as a template: scan_*.cu share out the types, for the compile
/// time.
#pragma once

#include <iterator>
#include <type_traits>

#include "lookback/cuda.hpp"
#include "scan_in_place.hpp"

namespace lookback::on_gpu {

template <class T>
struct any_operator {
    operation op;

    // One copy of the switch in a kernel, not one for each of a thread's items.
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

template <class T>
void scan_in_place(cuda& gpu, T* numbers, std::size_t items, operation op, bool is_backward,
                   const T* before, const std::optional<T>& seed) {
    const any_operator<T> fold{op};
    const auto run = [&](auto first, auto last) {
        if (before != nullptr) {
            inclusive_scan(gpu, first, last, first, fold, device_value<T>{before});
        } else if (seed) {
            inclusive_scan(gpu, first, last, first, fold, *seed);
        } else {
            inclusive_scan(gpu, first, last, first, fold);
        }
    };
    if (is_backward) {
        run(std::make_reverse_iterator(numbers + items), std::make_reverse_iterator(numbers));
    } else {
        run(numbers, numbers + items);
    }
}

}  // namespace lookback::on_gpu
