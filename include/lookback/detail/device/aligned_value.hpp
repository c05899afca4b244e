/// \file
/// Values that are moved by as few instructions as their size allows, where they lie so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lookback/detail/device/arrays.hpp"
#include "lookback/detail/device/scan_problem.hpp"

namespace lookback::detail::device {

/// A value that begins at a multiple of the largest power of two, at most 16, that divides its
/// size. So the compiler moves it by as few instructions as possible.
template <class T>
inline constexpr std::size_t own_alignment = sizeof(T) % 16 == 0 ? 16 : sizeof(T) & -sizeof(T);
template <class T>
struct alignas(own_alignment<T>) aligned_value {
    T value;
};

/// Stores an item of an array as an aligned value, if it lies so.
template <class Out, class T>
__device__ void store_aligned(const Out& out, std::size_t i, const T& value) {
    if constexpr (std::is_pointer_v<Out> && own_alignment<T> > alignof(T)) {
        auto* const place = reinterpret_cast<aligned_value<T>*>(out + i);
        if (reinterpret_cast<std::uintptr_t>(place) % own_alignment<T> == 0) {
            *place = aligned_value<T>{value};
            return;
        }
    }
    store_at(out, static_cast<std::int64_t>(i), value);
}

}  // namespace lookback::detail::device
