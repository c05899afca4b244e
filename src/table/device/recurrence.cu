#include <math.h>

#include <cstddef>
#include <stdexcept>
#include <type_traits>

#include "lookback/scan.hpp"
#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

// The maps y -> a y + x, read from the two arrays directly. The first factor of a row does not
// matter, because y[-1] is 0.
template <class T>
struct maps_of {
    using value_type = affine_map<T>;
    using difference_type = std::ptrdiff_t;
    const T* a;
    const T* x;
    __host__ __device__ value_type operator[](std::ptrdiff_t i) const { return {a[i], x[i]}; }
};

// The first map of a row must ignore everything before it, so that a row cannot pass a value that
// is not finite to the next row. It is marked by a factor of -0, which other maps do not have.
template <class T>
__host__ __device__ bool is_first(T scale) {
    return scale == T{0} && signbit(scale);
}
// (Not scale + 0: if the compiler fuses it with a product that underflows, the result is -0.)
template <class T>
__host__ __device__ T unmarked(T scale) {
    return scale == T{0} ? T{0} : scale;
}
template <class T>
struct maps_of_rows {
    using value_type = affine_map<T>;
    using difference_type = std::ptrdiff_t;
    maps_of<T> maps;
    std::uint64_t length;
    __host__ __device__ value_type operator[](std::ptrdiff_t i) const {
        const auto at = static_cast<std::uint64_t>(i);
        const bool is_narrow = (at | length) >> 32 == 0;
        const bool begins =
            is_narrow ? static_cast<std::uint32_t>(at) % static_cast<std::uint32_t>(length) == 0
                      : at % length == 0;
        const value_type map = maps[i];
        return {begins ? T{-0.0} : unmarked(map.scale), map.shift};
    }
};
struct affine_in_rows {
    template <class T>
    __host__ __device__ affine_map<T> operator()(const affine_map<T>& a,
                                                 const affine_map<T>& b) const {
        if (is_first(b.scale)) return b;
        const affine_map<T> both = affine{}(a, b);
        return {is_first(a.scale) ? a.scale : unmarked(both.scale), both.shift};
    }
};

// Writes the value that the composed map gives for 0.
template <class T>
struct shifts_to {
    using value_type = affine_map<T>;
    using difference_type = std::ptrdiff_t;
    struct at {
        T* y;
        __host__ __device__ void operator=(const value_type& map) const { *y = map.shift; }
    };
    T* y;
    __host__ __device__ at operator[](std::ptrdiff_t i) const { return {y + i}; }
};

template <class T>
void solve(gpu& where, const void* a, const void* x, std::size_t rows, std::size_t length,
           void* y) {
    const maps_of<T> maps{static_cast<const T*>(a), static_cast<const T*>(x)};
    const shifts_to<T> to{static_cast<T*>(y)};
    detail::check_memory(maps.x, to.y, rows * length);
    detail::check_memory(maps.a, to.y, rows * length);
    const detail::item_count count{rows * length};
    const detail::no_initial_value none{};
    detail::in_one_call(where, [&](auto& on) {
        using scans = detail::scans_on<gpu>;
        if (rows == 1) {
            scans::run<false, affine_map<T>>(on, maps, count, to, none, affine{});
        } else {
            scans::run<false, affine_map<T>>(on, maps_of_rows<T>{maps, length}, count, to, none,
                                             affine_in_rows{});
        }
    });
}

}  // namespace

void linear_recurrence(const place& where, item_type type, const void* a, const void* x,
                       std::size_t rows, std::size_t length, void* y) {
    if (rows * length == 0) return;
    switch (type) {
        case item_type::float32: return solve<float>(call(where), a, x, rows, length, y);
        case item_type::float64: return solve<double>(call(where), a, x, rows, length, y);
        default: refuse("linear recurrence", type);
    }
}

}  // namespace lookback::on_device
