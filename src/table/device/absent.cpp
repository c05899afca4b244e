// device_arrays.hpp in a build without CUDA: there are no GPUs, and every call is refused.

#include <stdexcept>

#include "table/device/device_arrays.hpp"

namespace lookback::on_device {
namespace {

[[noreturn]] void refuse() {
    throw std::runtime_error(
        "lookback: this build has no CUDA part; expected one made with LOOKBACK_CUDA_ARRAYS=ON");
}

}  // namespace

std::size_t bytes_of(item_type) { refuse(); }
int count_devices() { return 0; }
void check_device(const place&) { refuse(); }
bool can_scan(item_type, operation, item_type) { return false; }
void scan_axis(const place&, item_type, operation, const void*, const axis_extents&, item_type,
               void*) {
    refuse();
}
void linear_recurrence(const place&, item_type, const void*, const void*, std::size_t, std::size_t,
                       void*) {
    refuse();
}
void scan_from(const place&, item_type, operation, bool, const void*, std::size_t, const void*,
               void*) {
    refuse();
}
void select_flagged(const place&, std::size_t, const void*, std::size_t, const std::uint8_t*, void*,
                    std::int64_t*) {
    refuse();
}
void partition_flagged(const place&, std::size_t, const void*, std::size_t, const std::uint8_t*,
                       void*, void*, std::int64_t*) {
    refuse();
}
void run_length_encode(const place&, item_type, const void*, std::size_t, void*, std::int64_t*,
                       std::int64_t*) {
    refuse();
}
void mark_runs(const place&, item_type, const void*, std::size_t, std::uint8_t*) { refuse(); }
void mark_segments(const place&, const std::int64_t*, std::size_t, std::size_t, std::uint8_t*) {
    refuse();
}
void scan_marked(const place&, item_type, operation, const void*, std::size_t, const std::uint8_t*,
                 void*) {
    refuse();
}
void seed_scans(const place&, item_type, operation, bool, const void*, std::size_t,
                const std::uint8_t*, const void*, void*) {
    refuse();
}
void fold_marked(const place&, item_type, operation, const void*, std::size_t, std::uint8_t*, void*,
                 std::int64_t*) {
    refuse();
}
std::size_t segment_folds_room(std::size_t, std::size_t) { refuse(); }
void fold_segments(const place&, item_type, operation, const void*, std::size_t,
                   const std::int64_t*, std::size_t, void*, void*) {
    refuse();
}
void sum_by_key(const place&, item_type, const void*, item_type, const void*, std::size_t, void*,
                void*, std::int64_t*) {
    refuse();
}
void sort(const place&, item_type, const void*, std::size_t, void*, bool) { refuse(); }
void sort_pairs(const place&, item_type, const void*, std::size_t, const void*, std::size_t, void*,
                void*, bool) {
    refuse();
}
std::size_t sort_order_room(std::size_t) { refuse(); }
void sort_order(const place&, item_type, const void*, std::size_t, std::int64_t*, bool, void*) {
    refuse();
}
void sort_segments(const place&, item_type, const void*, std::size_t, const std::int64_t*,
                   std::size_t, void*, bool) {
    refuse();
}
void sort_segments_order(const place&, item_type, const void*, std::size_t, const std::int64_t*,
                         std::size_t, std::int64_t*, bool) {
    refuse();
}
void summed_area(const place&, item_type, const void*, const image_extents&, void*) { refuse(); }
void box_filter(const place&, item_type, const void*, const image_extents&, std::int64_t,
                image_border, void*) {
    refuse();
}

}  // namespace lookback::on_device
