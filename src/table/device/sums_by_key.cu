#include "lookback/runs.hpp"
#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

template <class Key, class T>
void sum(gpu& where, const void* names, const void* from, std::size_t items, void* names_to,
         void* to, std::int64_t* count) {
    const auto* const keys = static_cast<const Key*>(names);
    reduce_by_key(where, keys, keys + items, static_cast<const T*>(from),
                  static_cast<Key*>(names_to), static_cast<T*>(to), count_to{count}, plus<T>{});
}

template <class Key>
auto sum_of(item_type values) {
    switch (values) {
        case item_type::uint64:
        case item_type::int64: return sum<Key, std::uint64_t>;
        case item_type::float32: return sum<Key, float>;
        case item_type::float64: return sum<Key, double>;
        default: refuse("sums by key", values);
    }
}

}  // namespace

void sum_by_key(const place& where, item_type keys_type, const void* keys, item_type values_type,
                const void* values, std::size_t items, void* keys_out, void* values_out,
                std::int64_t* count) {
    const bool is_real = keys_type >= item_type::float32;
    if (is_real || bytes_of(keys_type) < 4) refuse("sums by key", keys_type);
    const auto run = bytes_of(keys_type) == 4 ? sum_of<std::uint32_t>(values_type)
                                              : sum_of<std::uint64_t>(values_type);
    run(call(where), keys, values, items, keys_out, values_out, count);
}

}  // namespace lookback::on_device
