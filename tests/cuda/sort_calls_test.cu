// Calls that sort on the GPU, of kinds that sort_test.cu has not: bools, keys made by a function,
// iterators that are no pointers, and segments with the number of items in device memory.
#include <gtest/gtest.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "lookback/segmented_sort.hpp"
#include "support/device.hpp"
#include "support/segment_lengths.hpp"
#include "support/sort_cases.hpp"

namespace lookback::test {
namespace {

// Of one block, a cluster, buckets, and passes.
std::vector<std::size_t> sizes() {
    if (reduced()) return {100, 20'000};
    return {1, 100, 3000, 20'000, 300'000, 6'000'000};
}

struct lower_half {
    __host__ __device__ std::uint16_t operator()(std::uint32_t x) const {
        return static_cast<std::uint16_t>(x);
    }
};
template <class T, class F>
auto made_of(const std::vector<T>& items, const F& f) {
    std::vector<std::invoke_result_t<F, T>> all;
    for (const T& item : items) all.push_back(f(item));
    return all;
}

TEST(SortCalls, Bools) {
    lookback::gpu gpu;
    for (const std::size_t n : sizes()) {
        std::vector<std::uint8_t> keys(n);
        for (std::size_t i = 0; i < n; ++i) keys[i] = i % 3 == 1;
        for (const bool descending : {false, true}) {
            SCOPED_TRACE(std::to_string(n) + (descending ? " items, falling" : " items"));
            const auto order = order_of(keys, {descending});
            beside_poison<std::uint8_t> in(keys, 1), out(n, 3);
            beside_poison<std::uint32_t> positions(n, 1);
            const bool* const first = reinterpret_cast<const bool*>(in.data());
            bool* const to = reinterpret_cast<bool*>(out.data());
            lookback::sort_keys(gpu, first, first + n, to, {descending});
            out.expect(in_order(keys, order), "sort_keys");
            lookback::sort_order(gpu, first, first + n, positions.data(), {descending});
            positions.expect(order, "sort_order");
        }
    }
}

TEST(SortCalls, ByAFunction) {
    lookback::gpu gpu;
    for (const std::size_t n : sizes()) {
        SCOPED_TRACE(std::to_string(n) + " items");
        const auto items = keys_of<std::uint32_t>(kind::random, n);
        const auto order = order_of(made_of(items, lower_half{}), {true});
        beside_poison<std::uint32_t> in(items, 1), out(n, 2), positions(n, 3);
        lookback::sort_keys(gpu, in.data(), in.data() + n, out.data(), lower_half{}, {true});
        out.expect(in_order(items, order), "sort_keys");
        lookback::sort_order(gpu, in.data(), in.data() + n, positions.data(), lower_half{}, {true});
        positions.expect(order, "sort_order");
        lookback::sort_keys(gpu, in.data(), in.data() + n, in.data(), lower_half{}, {true});
        in.expect(in_order(items, order), "sort_keys in place");
    }
}

TEST(SortCalls, IteratorsThatAreNoPointers) {
    lookback::gpu gpu;
    for (const std::size_t n : sizes()) {
        SCOPED_TRACE(std::to_string(n) + " items");
        const auto items = keys_of<std::uint32_t>(kind::random, n);
        const std::vector<std::uint32_t> turned(items.rbegin(), items.rend());
        beside_poison<std::uint32_t> in(items, 1), out(n, 2), values(n, 3);
        const auto from = std::make_reverse_iterator<const std::uint32_t*>(in.data() + n);
        const auto to = std::make_reverse_iterator(out.data() + n);
        const auto values_to = std::make_reverse_iterator(values.data() + n);
        const auto order = order_of(turned, {});
        auto want = in_order(turned, order);
        std::reverse(want.begin(), want.end());
        lookback::sort_keys(gpu, from, from + static_cast<std::ptrdiff_t>(n), to);
        out.expect(want, "sort_keys, from behind");
        lookback::sort_pairs(gpu, from, from + static_cast<std::ptrdiff_t>(n), from, to, values_to);
        out.expect(want, "sort_pairs, keys, from behind");
        values.expect(want, "sort_pairs, values, from behind");

        const auto halves = made_of(items, lower_half{});
        const auto half_order = order_of(halves, {});
        const auto made = thrust::make_transform_iterator(in.data(), lower_half{});
        beside_poison<std::uint16_t> halves_out(n, 5);
        lookback::sort_keys(gpu, made, made + static_cast<std::ptrdiff_t>(n), halves_out.data());
        halves_out.expect(in_order(halves, half_order), "sort_keys, of a transform iterator");
        beside_poison<std::uint32_t> positions(n, 0);
        lookback::sort_order(gpu, made, made + static_cast<std::ptrdiff_t>(n), positions.data());
        positions.expect(half_order, "sort_order, of a transform iterator");
    }
}

TEST(SortCalls, SegmentsWithTheirItemsCountedInDeviceMemory) {
    lookback::gpu gpu;
    for (const std::size_t n : sizes()) {
        SCOPED_TRACE(std::to_string(n) + " items");
        const auto items = keys_of<std::uint32_t>(kind::zipf, n);
        const std::vector<std::size_t> lengths = {n / 7, 0, n / 2, n - n / 7 - n / 2};
        const segment_lengths all{"", lengths};
        const auto order = order_in_segments(items, lengths, {});
        device_array<std::uint64_t> count(std::vector<std::uint64_t>{n});
        device_array<std::uint32_t> offsets(all.offsets<std::uint32_t>());
        const segment_offsets<const std::uint32_t*> segments{offsets.data(),
                                                             offsets.data() + offsets.size()};
        for (const std::size_t more : {3U, 9000U}) {
            beside_poison<std::uint32_t> in(items, 1, more), out(n, 2, more);
            beside_poison<std::uint32_t> positions(n, 3, more);
            const count_at<std::uint64_t> end{count.data(), n + more};
            segmented_sort_order(gpu, in.data(), end, segments, positions.data());
            positions.expect(order, "segmented_sort_order");
            segmented_sort_keys(gpu, in.data(), end, segments, out.data());
            out.expect(in_order(items, order), "segmented_sort_keys");
            segmented_sort_keys(gpu, in.data(), end, segments, in.data());
            in.expect(in_order(items, order), "segmented_sort_keys in place");
        }
    }
}

}  // namespace
}  // namespace lookback::test
