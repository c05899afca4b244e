#include "lookback/sort.hpp"
#include "table/device/sorted_types.hpp"

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
    with_sorted(type, "sort", [&]<class T>(std::type_identity<T>) {
        sort_items<T>(call(where), in, items, out, is_descending);
    });
}

}  // namespace lookback::on_device
