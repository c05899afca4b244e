#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "lookback/detail/cpu/shares.hpp"
#include "lookback/scan.hpp"
#include "table/arrays.hpp"
#include "table/complex_number.hpp"

namespace lookback::table {
namespace {

constexpr std::size_t share_items = 1 << 14;  // for one thread

// The maps x -> a x + b of a recurrence.
template <class T>
struct maps_of {
    using value_type = affine_map<T>;
    using difference_type = std::ptrdiff_t;
    const T* a;
    std::ptrdiff_t a_step;
    const T* b;
    value_type operator[](std::ptrdiff_t i) const { return {a[i * a_step], b[i]}; }
};

// Writes the value that the composed map gives for 0.
template <class T>
struct shifts_to {
    using value_type = affine_map<T>;
    using difference_type = std::ptrdiff_t;
    struct place {
        T* at;
        void operator=(const value_type& map) const { *at = map.shift; }
    };
    T* out;
    place operator[](std::ptrdiff_t i) const { return {out + i}; }
    shifts_to operator+(std::ptrdiff_t i) const { return {out + i}; }
};

template <class T>
void solve_row(const cpu& where, const maps_of<T>& maps, std::size_t items, T* y, const T* start) {
    const auto scan = [&](const auto& init) {
        detail::scans_on<cpu>::run<false, affine_map<T>>(where, maps, {.at_most = items},
                                                         shifts_to<T>{y}, init, affine{});
    };
    if (start != nullptr) {
        scan(affine_map<T>{T{1}, *start});
    } else {
        scan(detail::no_initial_value{});
    }
}

template <class T>
void solve_rows(const T* a, const T* x, const T* starts, const recurrence_shape& shape, T* y,
                int threads) {
    const auto solve = [&](std::size_t row, int row_threads) {
        const std::size_t at = row * shape.length;
        const maps_of<T> maps{a + row * shape.a_row, static_cast<std::ptrdiff_t>(shape.a_step),
                              x + at};
        solve_row(cpu{.threads = row_threads}, maps, shape.length, y + at,
                  starts == nullptr ? nullptr : starts + row);
    };
    if (shape.length >= 2 * share_items) {
        for (std::size_t row = 0; row < shape.rows; ++row) solve(row, threads);
        return;
    }
    const std::size_t share =
        std::max<std::size_t>(1, share_items / std::max<std::size_t>(1, shape.length));
    detail::for_shares(cpu{.threads = threads}, shape.rows, share,
                       [&](std::size_t begin, std::size_t end) {
                           for (std::size_t row = begin; row < end; ++row) solve(row, 1);
                       });
}

}  // namespace

void linear_recurrence(dtype type, bool is_complex, const void* a, const void* x,
                       const void* starts, const recurrence_shape& shape, void* y, int threads) {
    const auto solve = [&]<class T>(std::type_identity<T>) {
        solve_rows(static_cast<const T*>(a), static_cast<const T*>(x),
                   static_cast<const T*>(starts), shape, static_cast<T*>(y), threads);
    };
    const auto solve_parts = [&]<class T>(std::type_identity<T> real) {
        is_complex ? solve(std::type_identity<complex_number<T>>{}) : solve(real);
    };
    switch (type) {
        case dtype::float32: return solve_parts(std::type_identity<float>{});
        case dtype::float64: return solve_parts(std::type_identity<double>{});
        default: throw std::logic_error("lookback: linear_recurrence: of floats only");
    }
}

}  // namespace lookback::table
