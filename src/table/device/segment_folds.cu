#include "table/device/folds.hpp"
#include "table/device/segment_folds-inl.hpp"
#include "table/device/segment_folds.hpp"

namespace lookback::on_device {
namespace {

template <class T>
void fold_all_marked(gpu& where, operation op, item_type type, const void* in, std::size_t items,
                     std::uint8_t* marks, void* out, std::int64_t* count) {
    fold_items(where, static_cast<const T*>(in), items, marks,
               places_of_folds<T>{static_cast<T*>(out)}, count,
               any_operator<T>{kernel_operation(type, op)});
}

template <class T>
void fold_all_offsets(gpu& where, operation op, item_type type, const void* in, std::size_t items,
                      const std::int64_t* offsets, std::size_t segments, void* out, void* room) {
    const on_gpu::operation fold = kernel_operation(type, op);
    fold_offsets<T>(where, in, items, offsets, segments, out, room, any_operator<T>{fold},
                    identity_of<T>(fold));
}

segment_loops find_loops(item_type type, operation op) {
    segment_loops found{};
    if (op == operation::sum) found = find_segment_sums(type);
    if (found.marked == nullptr) found = find_segment_folds(type, op);
    if (found.marked == nullptr) refuse("such folds of segments", type);
    return found;
}

}  // namespace

segment_loops find_segment_folds(item_type type, operation op) {
    segment_loops found{};
    with_folded(type, op, [&]<class T>(std::type_identity<T>) {
        found = {fold_all_marked<T>, fold_all_offsets<T>};
    });
    return found;
}

void fold_marked(const place& where, item_type type, operation op, const void* in,
                 std::size_t items, std::uint8_t* marks, void* out, std::int64_t* count) {
    find_loops(type, op).marked(call(where), op, type, in, items, marks, out, count);
}

std::size_t segment_folds_room(std::size_t items, std::size_t segments) {
    return marks_room(items) + (segments + 3) * sizeof(std::int64_t);
}

void fold_segments(const place& where, item_type type, operation op, const void* in,
                   std::size_t items, const std::int64_t* offsets, std::size_t segments, void* out,
                   void* room) {
    if (segments == 0) return;
    find_loops(type, op).offsets(call(where), op, type, in, items, offsets, segments, out, room);
}

}  // namespace lookback::on_device
