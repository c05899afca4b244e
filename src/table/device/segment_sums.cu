// Sums of segments are sums of runs: a segment that has items is a run, whose first item is marked,
// and its sum goes to that segment's place. Bytes: an item and a mark read, a mark written; of a
// segment, its offsets read three times, its number written and read twice, and its sum.

#include <cstddef>

#include "lookback/runs.hpp"
#include "lookback/select.hpp"
#include "table/device/place.hpp"

namespace lookback::on_device {
namespace {

constexpr unsigned threads = 256;

template <class T>
__global__ void begin_segments(const std::int64_t* offsets, std::size_t segments,
                               std::uint8_t* marks, std::int64_t* numbers, T* sums) {
    const std::size_t s = std::size_t{blockIdx.x} * threads + threadIdx.x;
    if (s >= segments) return;
    numbers[s] = static_cast<std::int64_t>(s);
    if (offsets[s] < offsets[s + 1]) {
        marks[offsets[s]] = 1;
    } else {
        sums[s] = T{0};
    }
}

// Marks as keys: an item goes on with the run of the one before it unless it is marked.
struct goes_on {
    __device__ bool operator()(std::uint8_t, std::uint8_t mark) const { return mark == 0; }
};

struct has_items {
    const std::int64_t* offsets;
    __device__ bool operator()(std::int64_t s) const { return offsets[s] < offsets[s + 1]; }
};

// Where the sums of the segments that have items go.
template <class T>
struct their_places {
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    T* sums;
    const std::int64_t* segments;
    __host__ __device__ T& operator[](std::ptrdiff_t i) const { return sums[segments[i]]; }
    __host__ __device__ their_places operator+(std::ptrdiff_t i) const {
        return {sums, segments + i};
    }
};

template <class T>
void sum(gpu& where, const void* from, std::size_t items, const std::int64_t* offsets,
         std::size_t segments, void* to, void* room) {
    auto* const count = static_cast<std::int64_t*>(room);
    std::int64_t* const full = count + 1;
    auto* const marks = reinterpret_cast<std::uint8_t*>(full + segments);
    auto* const sums = static_cast<T*>(to);
    const auto* const in = static_cast<const T*>(from);
    detail::device::check(cudaMemsetAsync(marks, 0, items, where.stream()), "clearing memory");
    const auto blocks = static_cast<unsigned>((segments + threads - 1) / threads);
    begin_segments<<<blocks, threads, 0, where.stream()>>>(offsets, segments, marks, full, sums);
    detail::device::check(cudaGetLastError(), "launching a kernel");
    if (items == 0) return;
    select_if(where, full, full + segments, full, count_to{count}, has_items{offsets});
    reduce_by_key(where, marks, marks + items, in, marks, their_places<T>{sums, full},
                  count_to{count}, plus<T>{}, goes_on{});
}

}  // namespace

std::size_t segment_sums_room(std::size_t items, std::size_t segments) {
    return (segments + 1) * sizeof(std::int64_t) + items;
}

void segment_sums(const place& where, item_type type, const void* in, std::size_t items,
                  const std::int64_t* offsets, std::size_t segments, void* out, void* room) {
    if (segments == 0) return;
    switch (type) {
        case item_type::uint64:
        case item_type::int64:
            return sum<std::uint64_t>(call(where), in, items, offsets, segments, out, room);
        case item_type::float32:
            return sum<float>(call(where), in, items, offsets, segments, out, room);
        case item_type::float64:
            return sum<double>(call(where), in, items, offsets, segments, out, room);
        default: refuse("sums of segments", type);
    }
}

}  // namespace lookback::on_device
