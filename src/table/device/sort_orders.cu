#include "lookback/sort.hpp"
#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

template <class T>
void order_items(gpu& where, const void* from, std::size_t items, std::int64_t* order,
                 bool is_descending) {
    const auto* const in = static_cast<const T*>(from);
    lookback::sort_order(where, in, in + items, order, sort_by{.descending = is_descending});
}

}  // namespace

void sort_order(const place& where, item_type type, const void* in, std::size_t items,
                std::int64_t* order, bool is_descending) {
    const auto run = [&] {
        using enum item_type;
        switch (type) {
            case int32: return order_items<std::int32_t>;
            case int64: return order_items<std::int64_t>;
            case float32: return order_items<float>;
            case float64: return order_items<double>;
            default: refuse("sort", type);
        }
    }();
    run(call(where), in, items, order, is_descending);
}

}  // namespace lookback::on_device
