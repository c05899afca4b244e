#include <cstddef>
#include <cstdint>

#include "lookback/sort.hpp"
#include "table/device/sorted_types.hpp"

namespace lookback::on_device {
namespace {

constexpr unsigned threads = 256;
constexpr std::size_t thread_items = 4;

__global__ void widen(const std::uint32_t* in, std::size_t items, std::int64_t* out) {
    const std::size_t first = std::size_t{blockIdx.x} * threads * thread_items + threadIdx.x;
    for (std::size_t k = 0; k < thread_items; ++k) {
        const std::size_t i = first + k * threads;
        if (i < items) out[i] = in[i];
    }
}

// Sorts positions of 4 bytes if those are wide enough, and widens them at the end: the passes of
// the sort then move fewer bytes.
template <class T>
void order_items(gpu& where, const void* from, std::size_t items, std::int64_t* order,
                 bool is_descending, void* room) {
    const auto* const in = static_cast<const T*>(from);
    const sort_by by{.descending = is_descending};
    if (sort_order_room(items) == 0) {
        lookback::sort_order(where, in, in + items, order, by);
        return;
    }
    const call_room own(where, room, sort_order_room(items));
    auto* const narrow = static_cast<std::uint32_t*>(own.get());
    lookback::sort_order(where, in, in + items, narrow, by);
    constexpr std::size_t block_items = threads * thread_items;
    const auto blocks = static_cast<unsigned>((items + block_items - 1) / block_items);
    widen<<<blocks, threads, 0, where.stream()>>>(narrow, items, order);
    detail::device::check(cudaGetLastError(), "launching a kernel");
}

}  // namespace

std::size_t sort_order_room(std::size_t items) {
    return items >> 32 == 0 ? items * sizeof(std::uint32_t) : 0;
}

void sort_order(const place& where, item_type type, const void* in, std::size_t items,
                std::int64_t* order, bool is_descending, void* room) {
    if (items == 0) return;
    with_sorted(type, "sort", [&]<class T>(std::type_identity<T>) {
        order_items<T>(call(where), in, items, order, is_descending, room);
    });
}

}  // namespace lookback::on_device
