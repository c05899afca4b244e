#include "table/device/axis_loop-inl.hpp"

namespace lookback::on_device {

axis_loop find_minima(item_type type) {
    using enum item_type;
    switch (type) {
        case int32: return scan_along<std::int32_t, std::int32_t, minimum<>>;
        case int64: return scan_along<std::int64_t, std::int64_t, minimum<>>;
        case float32: return scan_along<float, float, minimum<>>;
        case float64: return scan_along<double, double, minimum<>>;
        default: return nullptr;
    }
}

}  // namespace lookback::on_device
