/// \file
/// Folds of marked items, and of segments given by offsets: reductions by key, whose keys are the
/// marks. The operators are divided among several files, to compile faster.
///
/// A reduction by key gives no fold for an empty segment. So the segments that have items are
/// numbered, and fold i goes to the segment with number i. Cost: an item and a mark are read, and a
/// mark is written; for each segment its offsets are read three times, its number is written and
/// read twice, and its fold is written. Whatever the offsets are, no other memory is written to.
#pragma once

#include <cstddef>

#include "lookback/runs.hpp"
#include "lookback/select.hpp"
#include "table/device/place.hpp"

namespace lookback::on_device {

constexpr unsigned fold_threads = 256;

/// Bytes for a mark of each item, in whole words of 8 bytes.
constexpr std::size_t marks_room(std::size_t items) { return (items + 7) / 8 * 8; }

/// Segment s, clamped to the items whatever the offsets are.
struct segments_at {
    const std::int64_t* offsets;
    std::int64_t items;
    __device__ std::int64_t at(std::int64_t s) const {
        const std::int64_t offset = offsets[s];
        return offset < 0 ? 0 : offset < items ? offset : items;
    }
    __device__ bool operator()(std::int64_t s) const { return at(s) < at(s + 1); }  // has items
};

template <class T>
__global__ void begin_segments(segments_at segment, std::size_t segments, std::uint8_t* marks,
                               std::int64_t* numbers, T* folds, T of_none) {
    const std::size_t s = std::size_t{blockIdx.x} * fold_threads + threadIdx.x;
    if (s >= segments) return;
    const auto number = static_cast<std::int64_t>(s);
    numbers[s] = number;
    if (segment(number)) {
        marks[segment.at(number)] = 1;
    } else {
        folds[s] = of_none;
    }
}

// Marks as keys: an item continues the run of the item before it unless it is marked.
struct goes_on {
    __device__ bool operator()(std::uint8_t, std::uint8_t mark) const { return mark == 0; }
};

/// Where fold i goes: to segment numbers[i], if i < *full, else to a placeholder (if offsets are
/// wrong, there may be more folds than segments with items). Without numbers, fold i goes to place
/// i.
template <class T>
struct places_of_folds {
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    T* folds;
    const std::int64_t* numbers = nullptr;
    const std::int64_t* full = nullptr;
    T* placeholder = nullptr;
    std::ptrdiff_t first = 0;
    __host__ __device__ T& operator[](std::ptrdiff_t i) const {
        if (numbers == nullptr) return folds[first + i];
        return first + i < *full ? folds[numbers[first + i]] : *placeholder;
    }
    __host__ __device__ places_of_folds operator+(std::ptrdiff_t i) const {
        return {folds, numbers, full, placeholder, first + i};
    }
};

template <class T, class Op>
void fold_items(gpu& where, const T* in, std::size_t items, std::uint8_t* marks,
                const places_of_folds<T>& to, std::int64_t* count, const Op& op) {
    reduce_by_key(where, marks, marks + items, in, marks, to, count_to{count}, op, goes_on{});
}

template <class T, class Op>
void fold_offsets(gpu& where, const void* in, std::size_t items, const std::int64_t* offsets,
                  std::size_t segments, void* out, void* given, const Op& op, T of_none) {
    const call_room room(where, given, segment_folds_room(items, segments));
    // Marks come first, as memory begins on a boundary of 16 bytes: there they are read in bulk.
    auto* const marks = static_cast<std::uint8_t*>(room.get());
    auto* const full = reinterpret_cast<std::int64_t*>(marks + marks_room(items));
    std::int64_t* const count = full + 1;
    auto* const placeholder = reinterpret_cast<T*>(full + 2);
    std::int64_t* const numbers = full + 3;
    auto* const folds = static_cast<T*>(out);
    const segments_at segment{offsets, static_cast<std::int64_t>(items)};
    detail::device::check(cudaMemsetAsync(marks, 0, items, where.stream()), "clearing memory");
    begin_segments<<<blocks_for(segments, fold_threads), fold_threads, 0, where.stream()>>>(
        segment, segments, marks, numbers, folds, of_none);
    detail::device::check(cudaGetLastError(), "launching a kernel");
    if (items == 0) return;
    select_if(where, numbers, numbers + segments, numbers, count_to{full}, segment);
    fold_items(where, static_cast<const T*>(in), items, marks,
               places_of_folds<T>{folds, numbers, full, placeholder}, count, op);
}

}  // namespace lookback::on_device
