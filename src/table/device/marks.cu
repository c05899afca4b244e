#include <cstddef>

#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

constexpr unsigned threads = 256;
constexpr int thread_items = 4;

template <class T>
__global__ void mark_heads(const T* in, std::size_t items, std::uint8_t* marks) {
    const std::size_t group = std::size_t{blockIdx.x} * threads + threadIdx.x;
    const std::size_t first = group * thread_items;
    if (first >= items) return;
    T before = in[first > 0 ? first - 1 : 0];
    std::uint32_t four = 0;
    for (int k = 0; k < thread_items; ++k) {
        const std::size_t i = first + k;
        if (i >= items) break;
        const T item = in[i];
        const std::uint32_t begins = i == 0 || !(before == item);
        four |= begins << (8 * k);
        before = item;
    }
    if (first + thread_items <= items) {
        reinterpret_cast<std::uint32_t*>(marks)[group] = four;
        return;
    }
    for (std::size_t i = first; i < items; ++i) {
        marks[i] = static_cast<std::uint8_t>(four >> (8 * (i - first)));
    }
}

template <class T>
void mark(gpu& where, const void* in, std::size_t items, std::uint8_t* marks) {
    const unsigned blocks = blocks_for((items + thread_items - 1) / thread_items, threads);
    mark_heads<<<blocks, threads, 0, where.stream()>>>(static_cast<const T*>(in), items, marks);
    detail::device::check(cudaGetLastError(), "launching a kernel");
}

__global__ void mark_offsets(const std::int64_t* offsets, std::size_t segments, std::size_t items,
                             std::uint8_t* marks) {
    const std::size_t s = std::size_t{blockIdx.x} * threads + threadIdx.x;
    if (s >= segments) return;
    const auto begin = static_cast<std::uint64_t>(offsets[s]);
    if (begin < items) marks[begin] = 1;
}

}  // namespace

void mark_runs(const place& where, item_type type, const void* in, std::size_t items,
               std::uint8_t* marks) {
    if (items == 0) return;
    const auto run = [&] {
        using enum item_type;
        switch (type) {
            case int8:
            case uint8: return mark<std::uint8_t>;
            case int16:
            case uint16: return mark<std::uint16_t>;
            case int32:
            case uint32: return mark<std::uint32_t>;
            case int64:
            case uint64: return mark<std::uint64_t>;
            case float32: return mark<float>;
            case float64: return mark<double>;
            default: refuse("runs", type);
        }
    }();
    run(call(where), in, items, marks);
}

void mark_segments(const place& where, const std::int64_t* offsets, std::size_t segments,
                   std::size_t items, std::uint8_t* marks) {
    if (items == 0) return;
    const call here(where);
    const cudaStream_t stream = static_cast<gpu&>(here).stream();
    detail::device::check(cudaMemsetAsync(marks, 0, items, stream), "clearing memory");
    if (segments == 0) return;
    mark_offsets<<<blocks_for(segments, threads), threads, 0, stream>>>(offsets, segments, items,
                                                                        marks);
    detail::device::check(cudaGetLastError(), "launching a kernel");
}

}  // namespace lookback::on_device
