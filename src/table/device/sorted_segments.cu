#include "lookback/segmented_sort.hpp"
#include "table/device/sorted_types.hpp"

namespace lookback::on_device {
namespace {

auto segments_at(const std::int64_t* offsets, std::size_t segments) {
    return segment_offsets{offsets, offsets + segments + 1};
}

}  // namespace

void sort_segments(const place& where, item_type type, const void* in, std::size_t items,
                   const std::int64_t* offsets, std::size_t segments, void* out,
                   bool is_descending) {
    const call here(where);
    with_sorted(type, "sort of segments", [&]<class T>(std::type_identity<T>) {
        const auto* const first = static_cast<const T*>(in);
        segmented_sort_keys(static_cast<gpu&>(here), first, first + items,
                            segments_at(offsets, segments), static_cast<T*>(out),
                            sort_by{.descending = is_descending});
    });
}

void sort_segments_order(const place& where, item_type type, const void* in, std::size_t items,
                         const std::int64_t* offsets, std::size_t segments, std::int64_t* order,
                         bool is_descending) {
    const call here(where);
    with_sorted(type, "sort of segments", [&]<class T>(std::type_identity<T>) {
        const auto* const first = static_cast<const T*>(in);
        segmented_sort_order(static_cast<gpu&>(here), first, first + items,
                             segments_at(offsets, segments), order,
                             sort_by{.descending = is_descending});
    });
}

}  // namespace lookback::on_device
