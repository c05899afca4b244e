#include "lookback/segmented_sort.hpp"
#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

// Calls `f` with a pointer to the items.
template <class F>
void with_items(item_type type, const void* in, const F& f) {
    using enum item_type;
    switch (type) {
        case int32: return f(static_cast<const std::int32_t*>(in));
        case int64: return f(static_cast<const std::int64_t*>(in));
        case float32: return f(static_cast<const float*>(in));
        case float64: return f(static_cast<const double*>(in));
        default: refuse("sort of segments", type);
    }
}

auto segments_at(const std::int64_t* offsets, std::size_t segments) {
    return segment_offsets{offsets, offsets + segments + 1};
}

}  // namespace

void sort_segments(const place& where, item_type type, const void* in, std::size_t items,
                   const std::int64_t* offsets, std::size_t segments, void* out,
                   bool is_descending) {
    const call here(where);
    with_items(type, in, [&]<class T>(const T* first) {
        segmented_sort_keys(static_cast<gpu&>(here), first, first + items,
                            segments_at(offsets, segments), static_cast<T*>(out),
                            sort_by{.descending = is_descending});
    });
}

void sort_segments_order(const place& where, item_type type, const void* in, std::size_t items,
                         const std::int64_t* offsets, std::size_t segments, std::int64_t* order,
                         bool is_descending) {
    const call here(where);
    with_items(type, in, [&](const auto* first) {
        segmented_sort_order(static_cast<gpu&>(here), first, first + items,
                             segments_at(offsets, segments), order,
                             sort_by{.descending = is_descending});
    });
}

}  // namespace lookback::on_device
