#include "table/device/axis_loop-inl.hpp"

namespace lookback::on_device {

axis_loop find_products(item_type in, item_type out) {
    using enum item_type;
    if (in != out) return nullptr;
    switch (in) {
        case int64:
        case uint64: return scan_along<std::uint64_t, std::uint64_t, multiplies<std::uint64_t>>;
        case float32: return scan_along<float, float, multiplies<float>>;
        case float64: return scan_along<double, double, multiplies<double>>;
        default: return nullptr;
    }
}

}  // namespace lookback::on_device
