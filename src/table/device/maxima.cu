#include "table/device/axis_loop-inl.hpp"

namespace lookback::on_device {

axis_loop find_maxima(item_type type) {
    using enum item_type;
    switch (type) {
        case int32: return scan_along<std::int32_t, std::int32_t, maximum<>>;
        case int64: return scan_along<std::int64_t, std::int64_t, maximum<>>;
        case float32: return scan_along<float, float, maximum<>>;
        case float64: return scan_along<double, double, maximum<>>;
        default: return nullptr;
    }
}

}  // namespace lookback::on_device
