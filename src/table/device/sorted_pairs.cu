#include "lookback/sort.hpp"
#include "table/device/sorted_types.hpp"

namespace lookback::on_device {
namespace {

template <class Key, class Value>
void sort_items(gpu& where, const void* keys, const void* values, std::size_t items, void* keys_out,
                void* values_out, bool is_descending) {
    const auto* const names = static_cast<const Key*>(keys);
    lookback::sort_pairs(where, names, names + items, static_cast<const Value*>(values),
                         static_cast<Key*>(keys_out), static_cast<Value*>(values_out),
                         sort_by{.descending = is_descending});
}

template <class Key>
auto sort_of(std::size_t value_bytes) {
    switch (value_bytes) {
        case 4: return sort_items<Key, std::uint32_t>;
        case 8: return sort_items<Key, std::uint64_t>;
        default: refuse_bytes("sort with values", value_bytes);
    }
}

}  // namespace

void sort_pairs(const place& where, item_type keys_type, const void* keys, std::size_t value_bytes,
                const void* values, std::size_t items, void* keys_out, void* values_out,
                bool is_descending) {
    if (items == 0) return;
    const auto run = with_sorted(keys_type, "sort", [&]<class Key>(std::type_identity<Key>) {
        return sort_of<Key>(value_bytes);
    });
    run(call(where), keys, values, items, keys_out, values_out, is_descending);
}

}  // namespace lookback::on_device
