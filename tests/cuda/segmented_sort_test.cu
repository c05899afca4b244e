// segmented_sort_keys, segmented_sort_pairs and segmented_sort_order on the GPU: segments of all
// lengths, compared with std::stable_sort. Large arrays are made and checked in device memory.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "lookback/segmented_sort.hpp"
#include "support/device.hpp"
#include "support/segment_lengths.hpp"
#include "support/sort_cases.hpp"

namespace lookback::test {
namespace {

template <class Key>
class segment_cases {
 public:
    void run() {
        constexpr auto tuning =
            detail::device::segmented_sort_tuning_of<key_word<Key>, detail::no_array>();
        const int all[] = {tuning.most_short, tuning.step, tuning.bundle.items(),
                           tuning.piece.items()};
        std::vector<std::size_t> edges(std::begin(all), std::end(all));
        if (!reduced()) edges.push_back(3 * static_cast<std::size_t>(tuning.large.tile.items()));
        for (const auto& segments : lengths_of_all_kinds(reduced() ? 20'000 : 150'000, edges)) {
            SCOPED_TRACE(segments.name);
            sort(segments);
            if (::testing::Test::HasFailure()) return;
        }
    }

 private:
    void sort(const segment_lengths& segments) {
        const std::size_t n = segments.items();
        constexpr int bits = detail::word_bits<key_word<Key>>;
        const sort_by orders[] = {
            {false}, {true}, {false, 3, bits - 2}, {true, bits / 2, bits / 2}};
        for (const sort_by by : orders) {
            const kind how = all_kinds[cases_++ % std::size(all_kinds)];
            SCOPED_TRACE("kind " + std::to_string(static_cast<int>(how)) +
                         (by.descending ? ", descending" : ", ascending") + ", bits from " +
                         std::to_string(by.first_bit) + " to " + std::to_string(by.last_bit));
            const auto keys = keys_of<Key>(how, n);
            if (cases_ % 2 == 0) {
                sort<std::int64_t>(keys, segments, by);
            } else {
                sort<std::uint32_t>(keys, segments, by);
            }
        }
    }

    template <class Offset>
    void sort(const std::vector<Key>& keys, const segment_lengths& lengths, const sort_by& by) {
        const std::size_t n = keys.size(), shift = cases_ % 5;
        const auto order = order_in_segments(keys, lengths.lengths, by);
        const auto want = in_order(keys, order);
        beside_poison<Offset> offsets(lengths.offsets<Offset>(), 1);
        const segment_offsets<const Offset*> segments{offsets.data(),
                                                      offsets.data() + lengths.lengths.size() + 1};
        beside_poison<Key> in(keys, shift), out(n, (shift + 1) % 7), paired(n, 0);
        segmented_sort_keys(gpu_, in.data(), in.data() + n, segments, out.data(), by);
        out.expect(want, "segmented_sort_keys");

        std::vector<std::uint32_t> numbers(n);
        std::iota(numbers.begin(), numbers.end(), 7U);
        const auto want_numbers = in_order(numbers, order);
        beside_poison<std::uint32_t> values(numbers, shift), values_out(n, 0), positions(n, 1);
        segmented_sort_pairs(gpu_, in.data(), in.data() + n, values.data(), segments, paired.data(),
                             values_out.data(), by);
        paired.expect(want, "segmented_sort_pairs, keys");
        values_out.expect(want_numbers, "segmented_sort_pairs, values");
        segmented_sort_order(gpu_, in.data(), in.data() + n, segments, positions.data(), by);
        positions.expect(order, "segmented_sort_order");

        std::vector<wide> items(n);
        for (std::size_t i = 0; i < n; ++i) {
            for (auto& word : items[i].word) word = static_cast<std::uint32_t>(i * 6 + 1);
        }
        beside_poison<wide> wide_values(items, 1), wide_out(n, 2);
        segmented_sort_pairs(gpu_, in.data(), in.data() + n, wide_values.data(), segments,
                             paired.data(), wide_out.data(), by);
        wide_out.expect(in_order(items, order), "segmented_sort_pairs, wide values");
        in.expect(keys, "the input");
        segmented_sort_pairs(gpu_, in.data(), in.data() + n, wide_values.data(), segments,
                             in.data(), wide_values.data(), by);
        in.expect(want, "segmented_sort_pairs in place, keys");
        wide_values.expect(in_order(items, order), "segmented_sort_pairs in place, wide values");

        // In place, with more items than the offsets cover.
        beside_poison<Key> again(keys, shift);
        segmented_sort_keys(gpu_, again.data(), again.data() + n + 3, segments, again.data(), by);
        again.expect(want, "segmented_sort_keys in place, of more items");
        offsets.expect(lengths.offsets<Offset>(), "the offsets");
    }

    lookback::gpu gpu_;
    std::size_t cases_ = 0;
};

TEST(SegmentedSort, Uint8) { segment_cases<std::uint8_t>().run(); }
TEST(SegmentedSort, Uint16) { segment_cases<std::uint16_t>().run(); }
TEST(SegmentedSort, Int32) { segment_cases<std::int32_t>().run(); }
TEST(SegmentedSort, Float) { segment_cases<float>().run(); }
TEST(SegmentedSort, Uint64) { segment_cases<std::uint64_t>().run(); }
TEST(SegmentedSort, Double) { segment_cases<double>().run(); }
TEST(SegmentedSort, Int128) { segment_cases<detail::int128>().run(); }

// ---- values of other sizes, with equal keys

template <int bytes>
struct bytes_of {
    unsigned char byte[bytes];
};

template <class Key, class Value>
void sort_with_values() {
    lookback::gpu gpu;
    std::size_t round = 0;
    for (const auto& segments : lengths_of_all_kinds(20'000, {})) {
        SCOPED_TRACE(segments.name);
        const std::size_t n = segments.items();
        std::vector<Key> keys(n);
        std::vector<Value> values(n);
        for (std::size_t i = 0; i < n; ++i) {
            keys[i] = static_cast<Key>(i * i % 97 % (round % 9 + 1));
            for (std::size_t b = 0; b < sizeof(Value); ++b) {
                values[i].byte[b] = static_cast<unsigned char>(i * 251 >> 3 * b);
            }
        }
        const sort_by by{round++ % 2 == 1};
        const auto order = order_in_segments(keys, segments.lengths, by);
        beside_poison<std::uint32_t> offsets(segments.offsets<std::uint32_t>(), 1);
        const segment_offsets<const std::uint32_t*> where{
            offsets.data(), offsets.data() + segments.lengths.size() + 1};
        beside_poison<Key> in(keys, 1), out(n, 2);
        beside_poison<Value> values_in(values, 3), values_out(n, 1);
        segmented_sort_pairs(gpu, in.data(), in.data() + n, values_in.data(), where, out.data(),
                             values_out.data(), by);
        out.expect(in_order(keys, order), "keys");
        values_out.expect(in_order(values, order), "values");
        segmented_sort_pairs(gpu, in.data(), in.data() + n, values_in.data(), where, in.data(),
                             values_in.data(), by);
        in.expect(in_order(keys, order), "keys in place");
        values_in.expect(in_order(values, order), "values in place");
        if (::testing::Test::HasFailure()) return;
    }
}

TEST(SegmentedSort, ValuesOf1) { sort_with_values<std::uint16_t, bytes_of<1>>(); }
TEST(SegmentedSort, ValuesOf8) { sort_with_values<std::uint32_t, bytes_of<8>>(); }
TEST(SegmentedSort, ValuesOf12) { sort_with_values<std::uint64_t, bytes_of<12>>(); }

// ---- many items: segments have `length` items, and every hundredth has ten thousand times as many

struct shared_out {
    std::uint64_t length;

    __host__ __device__ std::uint64_t offset(std::uint64_t s) const {
        return length * (s + s / 100 * 9'999);
    }
};
__global__ void make_offsets(std::int64_t* offsets, std::uint64_t entries, shared_out how,
                             std::uint64_t n) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t s = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; s < entries;
         s += step) {
        const std::uint64_t at = how.offset(s);
        offsets[s] = static_cast<std::int64_t>(at < n ? at : n);
    }
}
__device__ std::uint32_t made(std::uint64_t i) {
    std::uint64_t x = i + 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return static_cast<std::uint32_t>(x ^ (x >> 31)) & 0xff00fffU;
}
__global__ void make_keys(std::uint32_t* keys, std::uint64_t n) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
        keys[i] = made(i);
    }
}
/// Checks that within a segment the keys at these positions do not decrease, and that positions
/// increase where keys are equal. So all positions are different, and the order is the stable one.
/// Checks also that all positions lie in the segment.
__global__ void check_order(const std::uint64_t* order, const std::int64_t* offsets,
                            std::uint64_t segments, std::uint64_t n, unsigned long long* wrong) {
    const std::uint64_t step = std::uint64_t{gridDim.x} * blockDim.x;
    for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) {
        std::uint64_t low = 0, high = segments;
        while (high - low > 1) {
            const std::uint64_t middle = (low + high) / 2;
            (static_cast<std::uint64_t>(offsets[middle]) <= i ? low : high) = middle;
        }
        const auto begin = static_cast<std::uint64_t>(offsets[low]);
        const auto end = static_cast<std::uint64_t>(offsets[low + 1]);
        bool good = order[i] >= begin && order[i] < end;
        if (i > begin) {
            const std::uint32_t before = made(order[i - 1]), here = made(order[i]);
            good = good && (before < here || (before == here && order[i - 1] < order[i]));
        }
        if (!good) atomicAdd(wrong, 1ULL);
    }
}

void order_many(std::uint64_t n, std::uint64_t length) {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "asking for the free memory");
    if (reduced() || 32 * n + (std::uint64_t{1} << 30) > free) GTEST_SKIP() << "not enough memory";
    const shared_out how{length};
    std::uint64_t segments = 1;
    while (how.offset(segments) < n) ++segments;
    device_array<std::int64_t> offsets(segments + 1);
    device_array<std::uint32_t> keys(n);
    device_array<std::uint64_t> order(n);
    device_array<unsigned long long> wrong(std::vector<unsigned long long>(1));
    make_offsets<<<2048, 256>>>(offsets.data(), segments + 1, how, n);
    make_keys<<<2048, 256>>>(keys.data(), n);
    lookback::gpu gpu;
    segmented_sort_order(gpu, keys.data(), keys.data() + n,
                         segment_offsets{offsets.data(), offsets.data() + segments + 1},
                         order.data());
    check_order<<<2048, 256>>>(order.data(), offsets.data(), segments, n, wrong.data());
    EXPECT_EQ(wrong.get()[0], 0U);
}

TEST(SegmentedSort, ManyOfOne) { order_many((std::uint64_t{1} << 26) + 5, 1); }
TEST(SegmentedSort, ManyOfThousand) { order_many((std::uint64_t{1} << 27) + 1, 1000); }
TEST(SegmentedSort, FewOfMillion) { order_many((std::uint64_t{1} << 26) - 1, 1'000'000); }
TEST(SegmentedSort, OneInPortions) {
    order_many((std::uint64_t{1} << 29) + 5, std::uint64_t{1} << 40);
}
TEST(SegmentedSort, LargeAbove2To32) {
    order_many((std::uint64_t{1} << 32) + 3, (std::uint64_t{1} << 28) + 12'345);
}

}  // namespace
}  // namespace lookback::test
