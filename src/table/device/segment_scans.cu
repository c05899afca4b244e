#include <cstring>

#include "lookback/segmented.hpp"
#include "table/device/folds.hpp"
#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

template <class T, class Op>
void scan_items(gpu& where, const void* from, std::size_t items, const std::uint8_t* marks,
                void* to, const Op& op) {
    const auto* const in = static_cast<const T*>(from);
    inclusive_segmented_scan(where, in, in + items, head_flags{marks}, static_cast<T*>(to), op);
}

constexpr unsigned threads = 256;

template <class T>
__global__ void seed(const T* scans, const std::uint8_t* marks, std::size_t items, T* out,
                     any_operator<T> fold, T init, bool is_exclusive) {
    const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
    if (i >= items) return;
    const bool begins = is_exclusive && (i == 0 || marks[i] != 0);
    out[i] = begins ? init : fold(init, scans[is_exclusive ? i - 1 : i]);
}

}  // namespace

void scan_marked(const place& where, item_type type, operation op, const void* in,
                 std::size_t items, const std::uint8_t* marks, void* out) {
    if (items == 0) return;
    const bool is_folded = with_folded(type, op, [&]<class T>(std::type_identity<T>) {
        const call here(where);
        if constexpr (!std::is_same_v<T, std::uint32_t>) {
            if (op == operation::sum) {
                scan_items<T>(here, in, items, marks, out, plus<T>{});
                return;
            }
        }
        scan_items<T>(here, in, items, marks, out, any_operator<T>{kernel_operation(type, op)});
    });
    if (!is_folded) refuse("such scans of segments", type);
}

void seed_scans(const place& where, item_type type, operation op, bool is_exclusive,
                const void* scans, std::size_t items, const std::uint8_t* marks, const void* init,
                void* out) {
    if (items == 0) return;
    const bool is_folded = with_folded(type, op, [&]<class T>(std::type_identity<T>) {
        T first;
        std::memcpy(&first, init, sizeof(T));
        const call here(where);
        seed<<<blocks_for(items, threads), threads, 0, static_cast<gpu&>(here).stream()>>>(
            static_cast<const T*>(scans), marks, items, static_cast<T*>(out),
            any_operator<T>{kernel_operation(type, op)}, first, is_exclusive);
        detail::device::check(cudaGetLastError(), "launching a kernel");
    });
    if (!is_folded) refuse("such scans of segments", type);
}

}  // namespace lookback::on_device
