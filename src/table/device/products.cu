#include "table/complex_number.hpp"
#include "table/device/axis_loop-inl.hpp"

namespace lookback::on_device {
namespace {

template <class T>
constexpr axis_loop products_of = scan_along<T, T, multiplies<T>>;

}  // namespace

axis_loop find_products(item_type in, item_type out) {
    using enum item_type;
    if (in != out) return nullptr;
    switch (in) {
        case int64:
        case uint64: return products_of<std::uint64_t>;
        case float32: return products_of<float>;
        case float64: return products_of<double>;
        case complex64: return products_of<table::complex_number<float>>;
        case complex128: return products_of<table::complex_number<double>>;
        default: return nullptr;
    }
}

}  // namespace lookback::on_device
