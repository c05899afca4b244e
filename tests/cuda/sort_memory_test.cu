// The device memory that sorts allocate, measured, and what sort_scratch_bytes says of it; sorts
// in a graph whose arrays of scratch memory were reserved.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory_resource>
#include <string>
#include <vector>

#include "lookback/segmented_sort.hpp"
#include "support/device.hpp"
#include "support/graph.hpp"
#include "support/sort_cases.hpp"

namespace lookback::test {
namespace {

/// Device memory whose bytes are counted.
class counted_memory final : public std::pmr::memory_resource {
 public:
    std::size_t most() const { return most_; }

 private:
    void* do_allocate(std::size_t bytes, std::size_t) override {
        void* p = nullptr;
        check(cudaMalloc(&p, bytes), "allocating device memory");
        held_ += bytes;
        most_ = std::max(most_, held_);
        return p;
    }
    void do_deallocate(void* p, std::size_t bytes, std::size_t) override {
        held_ -= bytes;
        cudaFree(p);
    }
    bool do_is_equal(const memory_resource& other) const noexcept override {
        return this == &other;
    }

    std::size_t held_ = 0, most_ = 0;
};

/// Expects that a call on a new lookback::gpu allocates no more than `said`; and no less than all
/// but 10 percent and some KiB of it, if `tight`.
template <class Said, class Call>
void expect(const Said& said, bool tight, const Call& call) {
    counted_memory memory;
    std::size_t bytes = 0;
    {
        lookback::gpu gpu(nullptr, &memory);
        bytes = said(gpu);
        call(gpu);
        check(cudaDeviceSynchronize(), "sorting");
    }
    EXPECT_LE(memory.most(), bytes);
    if (tight) EXPECT_GE(memory.most() + 70'000, bytes / 10 * 9);
}

struct bits_below_the_sign {
    __host__ __device__ std::uint32_t operator()(float x) const {
        return __builtin_bit_cast(std::uint32_t, x) << 1;
    }
};

// Small arrays, of one block or cluster; medium arrays, in buckets; arrays that are sorted by
// passes.
std::vector<std::size_t> sizes() {
    if (reduced()) return {1000, 40'000};
    return {0, 1000, 15'000, 40'000, 300'000, 3'000'000, 6'000'000};
}
constexpr std::size_t passes_from = 5'000'000;

TEST(SortMemory, IsAtMostWhatIsSaid) {
    for (const std::size_t n : sizes()) {
        SCOPED_TRACE(std::to_string(n) + " items");
        const bool tight = n >= passes_from;
        device_array<float> in(keys_of<float>(kind::random, n)), out(n);
        device_array<double> values(n), values_out(n);
        device_array<std::uint32_t> order(n);
        const float* const first = in.data();
        const auto keys = [n](lookback::gpu& g) { return sort_scratch_bytes<float>(g, n); };
        expect(keys, tight, [&](auto& g) { sort_keys(g, first, first + n, out.data()); });
        expect([&](auto& g) { return keys(g) + n * 4 + 256; }, tight,
               [&](auto& g) {
                   sort_keys(g, first, first + n, std::make_reverse_iterator(out.data() + n));
               });
        expect([&](auto& g) { return sort_order_scratch_bytes<std::uint32_t, float>(g, n); }, tight,
               [&](auto& g) { sort_keys(g, first, first + n, out.data(), bits_below_the_sign{}); });
        const auto pairs = [n](auto& g) { return sort_scratch_bytes<float, double>(g, n); };
        expect(pairs, tight, [&](auto& g) {
            sort_pairs(g, first, first + n, values.data(), out.data(), values_out.data());
        });
        expect([&](auto& g) { return pairs(g) + n * 8 + 256; }, tight,
               [&](auto& g) {
                   sort_pairs(g, first, first + n, values.data(), out.data(),
                              std::make_reverse_iterator(values_out.data() + n));
               });
        expect([&](auto& g) { return sort_order_scratch_bytes<float, std::uint32_t>(g, n); }, tight,
               [&](auto& g) { sort_order(g, first, first + n, order.data()); });
        struct wide {
            std::uint64_t half[2];
        };
        device_array<wide> items(n), items_out(n);
        device_array<float> keys_too(keys_of<float>(kind::random, n));
        const auto wide_pairs = [n](auto& g) { return sort_scratch_bytes<float, wide>(g, n); };
        expect(wide_pairs, false, [&](auto& g) {
            sort_pairs(g, first, first + n, items.data(), out.data(), items_out.data());
        });
        expect(wide_pairs, tight, [&](auto& g) {
            float* const both = keys_too.data();
            sort_pairs(g, both, both + n, items.data(), both, items.data());
        });
        device_array<std::uint16_t> counted(n), counts_out(n);
        expect(
            [&](auto& g) { return sort_scratch_bytes<std::uint16_t>(g, n); }, false,
            [&](auto& g) { sort_keys(g, counted.data(), counted.data() + n, counts_out.data()); });
    }
}

TEST(SortMemory, OfSegmentsIsAtMostWhatIsSaid) {
    for (const std::size_t n : sizes()) {
        SCOPED_TRACE(std::to_string(n) + " items");
        device_array<float> in(keys_of<float>(kind::random, n)), out(n);
        device_array<std::uint32_t> order(n);
        const float* const first = in.data();
        const auto whole = static_cast<std::uint32_t>(n);
        device_array<std::uint32_t> offsets(std::vector<std::uint32_t>{0, whole / 3, whole});
        const segment_offsets segments{offsets.data(), offsets.data() + 3};
        const bool tight = n >= passes_from;
        expect([&](auto& g) { return segmented_sort_scratch_bytes<float>(g, n); }, tight,
               [&](auto& g) { segmented_sort_keys(g, first, first + n, segments, out.data()); });
        expect(
            [&](auto& g) { return segmented_sort_order_scratch_bytes<float, std::uint32_t>(g, n); },
            tight,
            [&](auto& g) { segmented_sort_order(g, first, first + n, segments, order.data()); });
    }
}

/// Captures a call whose arrays of scratch memory were reserved, and expects sorted keys. Memory
/// cannot grow in a capture.
template <class Call>
void expect_in_graph(const std::vector<float>& keys,
                     std::size_t (*said)(lookback::gpu&, std::size_t), const Call& call) {
    const std::size_t n = keys.size();
    const stream own;
    lookback::gpu gpu(own);
    // What blocks share is no scratch memory, and has no function to reserve it.
    detail::device::access::region<std::uint32_t>(gpu, n + 1024);
    detail::device::access::zeros(gpu, sizeof(detail::device::hybrid_zeros));
    gpu.reserve_scratch(said(gpu, n));
    device_array<float> in(keys), out(n);
    graph sort(own, [&] { call(gpu, in.data(), out.data()); });
    sort.replay();
    own.wait();
    EXPECT_TRUE(out.get() == in_order(keys, order_of(keys, {}))) << n << " items";
}

TEST(SortMemory, IsReservedForGraphs) {
    for (const std::size_t n : sizes()) {
        if (n == 0) continue;
        const auto keys = keys_of<float>(kind::few, n);
        expect_in_graph(
            keys, [](auto& g, std::size_t items) { return sort_scratch_bytes<float>(g, items); },
            [n](auto& g, const float* in, float* out) { sort_keys(g, in, in + n, out); });
        device_array<std::uint32_t> offsets(
            std::vector<std::uint32_t>{0, static_cast<std::uint32_t>(n)});
        const segment_offsets segments{offsets.data(), offsets.data() + 2};
        expect_in_graph(
            keys,
            [](auto& g, std::size_t items) {
                return segmented_sort_scratch_bytes<float>(g, items);
            },
            [&](auto& g, const float* in, float* out) {
                segmented_sort_keys(g, in, in + n, segments, out);
            });
    }
}

}  // namespace
}  // namespace lookback::test
