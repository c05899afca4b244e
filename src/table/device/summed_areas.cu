#include "lookback/summed_area.hpp"
#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

template <class T>
void tabulate(gpu& where, const void* from, const image_extents& extents, void* to) {
    summed_area_table(where, static_cast<const T*>(from), extents, static_cast<T*>(to));
}

}  // namespace

void summed_area(const place& where, item_type type, const void* in, const image_extents& extents,
                 void* out) {
    const auto run = [&] {
        using enum item_type;
        switch (type) {
            case int32:
            case uint32: return tabulate<std::uint32_t>;
            case int64:
            case uint64: return tabulate<std::uint64_t>;
            case float32: return tabulate<float>;
            case float64: return tabulate<double>;
            default: refuse("summed-area table", type);
        }
    }();
    run(call(where), in, extents, out);
}

}  // namespace lookback::on_device
