#include "lookback/box_filter.hpp"
#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

template <class T>
void filter(gpu& where, const void* in, const image_extents& extents, std::int64_t radius,
            image_border border, void* out) {
    lookback::box_filter(where, static_cast<const T*>(in), extents, radius, static_cast<T*>(out),
                         border);
}

}  // namespace

void box_filter(const place& where, item_type type, const void* in, const image_extents& extents,
                std::int64_t radius, image_border border, void* out) {
    const auto run = [&] {
        using enum item_type;
        switch (type) {
            case uint8: return filter<std::uint8_t>;
            case uint16: return filter<std::uint16_t>;
            case float32: return filter<float>;
            case float64: return filter<double>;
            default: refuse("box filter", type);
        }
    }();
    run(call(where), in, extents, radius, border, out);
}

}  // namespace lookback::on_device
