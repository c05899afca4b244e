// Scans of segments on the GPU: what arguments may be, what is refused, graphs.
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <iterator>
#include <limits>

#include "lookback/axis_scan.hpp"
#include "lookback/segmented.hpp"
#include "support/graph.hpp"
#include "support/segment_cases.hpp"

namespace lookback::test {
namespace {

TEST(Segments, BytesToWideSumsFromDeviceMemory) {
    // Mixed types, with a count and an initial value in device memory. The output behind the count
    // must not change.
    const std::uint64_t n = 100'003, some = 77'777;
    const auto keys = keys_in_runs(n, 10, 3);
    const auto values = values_of<std::uint8_t>(n);
    auto want = sequential<std::int64_t>(values, heads_of(keys), 1'000'000, true, plus<>{});
    want.resize(some);
    shifted_array<std::uint32_t> d_keys(keys, 0);
    shifted_array<std::uint8_t> in(values, 0);
    shifted_array<std::int64_t> out(n, 0);
    device_array<std::uint32_t> count(std::vector<std::uint32_t>{some});
    device_array<std::int64_t> init(std::vector<std::int64_t>{1'000'000});
    lookback::gpu gpu;
    exclusive_scan_by_key(gpu, d_keys.data(), count_at<std::uint32_t>{count.data(), n}, in.data(),
                          out.data(), value_at<std::int64_t>{init.data()});
    out.expect(want, "by key");
}

TEST(Segments, ItemsOf2Bytes) {
    // Two arrays of 2-byte items have the largest tiles.
    const auto keys = keys_in_runs(100'003, 100, 3);
    const std::vector<std::uint16_t> short_keys(keys.begin(), keys.end());
    const auto values = values_of<std::uint16_t>(keys.size());
    shifted_array<std::uint16_t> d_keys(short_keys, 0), in(values, 0), out(keys.size(), 0);
    lookback::gpu gpu;
    inclusive_scan_by_key(gpu, d_keys.data(), d_keys.data() + keys.size(), in.data(), out.data());
    out.expect(sequential<std::uint16_t>(values, heads_of(keys), std::nullopt, false, plus<>{}),
               "by key");
}

TEST(Segments, Backward) {
    const auto keys = keys_in_runs(50'001, 10, 3);
    const auto values = values_of<std::uint32_t>(keys.size());
    const std::vector<std::uint32_t> keys_back(keys.rbegin(), keys.rend());
    const std::vector<std::uint32_t> values_back(values.rbegin(), values.rend());
    auto want =
        sequential<std::uint32_t>(values_back, heads_of(keys_back), std::nullopt, false, compose{});
    std::reverse(want.begin(), want.end());
    shifted_array<std::uint32_t> d_keys(keys, 0), in(values, 0), out(keys.size(), 0);
    const auto end = static_cast<std::ptrdiff_t>(keys.size());
    lookback::gpu gpu;
    inclusive_scan_by_key(
        gpu, std::reverse_iterator(d_keys.data() + end), std::reverse_iterator(d_keys.data()),
        std::reverse_iterator(in.data() + end), std::reverse_iterator(out.data() + end), compose{});
    out.expect(want, "backward");
}

TEST(Segments, NansAreSegmentsOfTheirOwn) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    shifted_array<float> keys({1, 1, nan, nan, -0.0F, 0.0F, 2}, 0);
    shifted_array<int> in({1, 2, 3, 4, 5, 6, 7}, 0), out(7, 0);
    lookback::gpu gpu;
    inclusive_scan_by_key(gpu, keys.data(), keys.data() + 7, in.data(), out.data());
    out.expect({1, 3, 3, 4, 5, 11, 7}, "by key");
}

TEST(Segments, LongerThan32Bits) {
    if (reduced()) GTEST_SKIP() << "takes too long under a sanitizer";
    // Computed keys: a run of three items, one of 2^32 + 5 items, and one of two. Sums of ones are
    // bytes, which wrap around.
    const std::uint64_t middle = (std::uint64_t{1} << 32) + 5;
    const auto keys = thrust::make_transform_iterator(thrust::counting_iterator<std::uint64_t>(0),
                                                      three_runs{middle});
    device_array<std::uint8_t> out(middle + 5);
    lookback::gpu gpu;
    inclusive_scan_by_key(gpu, keys, keys + static_cast<std::ptrdiff_t>(middle + 5),
                          thrust::constant_iterator<std::uint8_t>(1), out.data());
    const auto got = [&](std::uint64_t begin) {
        std::vector<std::uint8_t> some(4);
        check(cudaMemcpy(some.data(), out.data() + begin, 4, cudaMemcpyDeviceToHost), "reading");
        return some;
    };
    EXPECT_EQ(got(1), (std::vector<std::uint8_t>{2, 3, 1, 2}));
    EXPECT_EQ(got(std::uint64_t{1} << 32), (std::vector<std::uint8_t>{254, 255, 0, 1}));
    EXPECT_EQ(got(middle + 1), (std::vector<std::uint8_t>{4, 5, 1, 2}));
}

TEST(Segments, OffsetsThatPointNowhereAreSkipped) {
    // The CPU would refuse 90, because the offsets then decrease.
    const std::uint64_t n = 100;
    const auto values = values_of<std::uint32_t>(n);
    std::vector<bool> heads(n);
    heads[0] = heads[40] = heads[90] = heads[99] = true;
    shifted_array<std::uint32_t> in(values, 0), out(n, 0);
    shifted_array<std::int64_t> offsets({90, 40, -1, 100, 1LL << 40, 99}, 0);
    stream s;
    lookback::gpu gpu{s};
    gpu.reserve_scratch(n);
    inclusive_segmented_scan(gpu, in.data(), in.data() + n,
                             segment_offsets{offsets.data(), offsets.data() + 6}, out.data());
    s.wait();
    out.expect(sequential<std::uint32_t>(values, heads, std::nullopt, false, plus<>{}), "offsets");
}

TEST(Segments, InGraphs) {
    const std::uint64_t n = 300'001;
    const auto values = values_of<std::uint32_t>(n);
    shifted_array<std::uint32_t> in(values, 0), out(n, 0);
    device_array<std::uint32_t> offsets(2);
    stream s;
    lookback::gpu gpu{s};
    const auto scan = [&] {
        inclusive_segmented_scan(gpu, in.data(), in.data() + n,
                                 segment_offsets{offsets.data(), offsets.data() + 2}, out.data());
    };
    gpu.reserve(n);
    EXPECT_THROW(graph(s, scan), cuda_error);  // no scratch memory yet
    gpu.reserve_scratch(n);
    graph scans(s, scan);
    // Makes more scratch memory, which the graph does not use.
    gpu.reserve_scratch(10 * n);
    for (const std::uint32_t second : {1U, 5'120U, 299'999U, 0U}) {
        offsets.set({0, second});
        scans.replay();
        s.wait();
        std::vector<bool> heads(n);
        heads[0] = heads[second] = true;
        out.expect(sequential<std::uint32_t>(values, heads, std::nullopt, false, plus<>{}),
                   "offsets");
    }
}

TEST(Segments, SaysWhatIsWrong) {
    lookback::gpu gpu;
    device_array<std::uint32_t> x(16), keys(16);
    std::uint32_t* const at = x.data();
    std::uint32_t* nothing = nullptr;
    const auto by_key = [&](std::uint32_t* k, std::uint32_t* in, std::uint32_t* out) {
        inclusive_scan_by_key(gpu, k, k + 8, in, out);
    };
    EXPECT_THROW(by_key(nothing, at, at), std::invalid_argument);
    EXPECT_THROW(by_key(keys.data(), nothing, at), std::invalid_argument);
    EXPECT_THROW(by_key(keys.data(), at, nothing), std::invalid_argument);
    EXPECT_THROW(by_key(keys.data(), at, at + 1), std::invalid_argument);
    EXPECT_THROW(by_key(keys.data(), at, keys.data()), std::invalid_argument);
    const auto by_offsets = [&](std::size_t entries) {
        inclusive_segmented_scan(gpu, at, at + 8,
                                 segment_offsets{keys.data(), keys.data() + entries}, at + 8);
    };
    EXPECT_THROW(by_offsets(0), std::invalid_argument);
    EXPECT_THROW(inclusive_scan(gpu, at, axis_extents{1ULL << 40, 1ULL << 40, 1}, at),
                 std::invalid_argument);
    EXPECT_EQ(inclusive_scan(gpu, nothing, axis_extents{0, 4, 1}, nothing), nothing);
}

}  // namespace
}  // namespace lookback::test
