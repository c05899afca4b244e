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

/// Calls `f` with item `i` of an array as an aligned value, if it lies so; returns whether it does.
template <class T, class Array, class F>
__device__ bool as_aligned(const Array& array, std::size_t i, const F& f) {
    if constexpr (std::is_pointer_v<Array> && own_alignment<T> > alignof(T)) {
        using value = std::conditional_t<std::is_const_v<std::remove_pointer_t<Array>>,
                                         const aligned_value<T>, aligned_value<T>>;
        auto* const place = reinterpret_cast<value*>(array + i);
        if (reinterpret_cast<std::uintptr_t>(place) % own_alignment<T> == 0) {
            f(*place);
            return true;
        }
    }
    return false;
}

template <class In>
__device__ item_of<In> load_aligned(const In& in, std::size_t i) {
    item_of<In> item{};
    if (as_aligned<item_of<In>>(in, i, [&](const auto& there) { item = there.value; })) return item;
    return in[static_cast<std::int64_t>(i)];
}
template <class Out, class T>
__device__ void store_aligned(const Out& out, std::size_t i, const T& value) {
    if (as_aligned<T>(out, i, [&](auto& there) { there = aligned_value<T>{value}; })) return;
    store_at(out, static_cast<std::int64_t>(i), value);
}

}  // namespace lookback::detail::device
