#include "table/device/segment_folds-inl.hpp"
#include "table/device/segment_folds.hpp"

namespace lookback::on_device {
namespace {

template <class T>
void sum_marked(gpu& where, operation /*sum*/, item_type, const void* in, std::size_t items,
                std::uint8_t* marks, void* out, std::int64_t* count) {
    fold_items(where, static_cast<const T*>(in), items, marks,
               places_of_folds<T>{static_cast<T*>(out)}, count, plus<T>{});
}

template <class T>
void sum_offsets(gpu& where, operation /*sum*/, item_type, const void* in, std::size_t items,
                 const std::int64_t* offsets, std::size_t segments, void* out, void* room) {
    fold_offsets<T>(where, in, items, offsets, segments, out, room, plus<T>{}, T{0});
}

}  // namespace

segment_loops find_segment_sums(item_type type) {
    switch (type) {
        case item_type::uint64:
        case item_type::int64: return {sum_marked<std::uint64_t>, sum_offsets<std::uint64_t>};
        case item_type::float32: return {sum_marked<float>, sum_offsets<float>};
        case item_type::float64: return {sum_marked<double>, sum_offsets<double>};
        default: return {};
    }
}

}  // namespace lookback::on_device
