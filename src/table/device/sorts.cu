#include "lookback/sort.hpp"
#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

template <class T>
void sort_items(gpu& where, const void* from, std::size_t items, void* to, bool is_descending) {
    const auto* const in = static_cast<const T*>(from);
    sort_keys(where, in, in + items, static_cast<T*>(to), sort_by{.descending = is_descending});
}

}  // namespace

void sort(const place& where, item_type type, const void* in, std::size_t items, void* out,
          bool is_descending) {
    const auto run = [&] {
        using enum item_type;
        switch (type) {
            case int32: return sort_items<std::int32_t>;
            case int64: return sort_items<std::int64_t>;
            case float32: return sort_items<float>;
            case float64: return sort_items<double>;
            default: refuse("sort", type);
        }
    }();
    run(call(where), in, items, out, is_descending);
}

}  // namespace lookback::on_device
