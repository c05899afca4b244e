#include "lookback/scan.hpp"
#include "table/complex_number.hpp"
#include "table/device/place.hpp"
#include "table/device/recurrence_maps.hpp"

namespace lookback::on_device {
namespace {

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
    using table::complex_number;
    using enum item_type;
    switch (type) {
        case float32: return solve<float>(call(where), a, x, rows, length, y);
        case float64: return solve<double>(call(where), a, x, rows, length, y);
        case complex64: return solve<complex_number<float>>(call(where), a, x, rows, length, y);
        case complex128: return solve<complex_number<double>>(call(where), a, x, rows, length, y);
        default: refuse("linear recurrence", type);
    }
}

}  // namespace lookback::on_device
