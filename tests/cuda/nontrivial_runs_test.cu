// nontrivial_runs on the GPU, compared with a loop.
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <functional>
#include <iterator>

#include "lookback/runs.hpp"
#include "support/compaction_cases.hpp"
#include "support/run_cases.hpp"

namespace lookback::test {
namespace {

/// The definition of the result.
template <class K, class Equal>
std::vector<std::vector<std::uint64_t>> nontrivial(const std::vector<K>& keys, Equal equal) {
    std::vector<std::uint64_t> offsets, lengths;
    for (std::uint64_t i = 0, end = 1; i < keys.size(); i = end++) {
        while (end < keys.size() && equal(keys[end - 1], keys[end])) ++end;
        if (end - i == 1) continue;
        offsets.push_back(i);
        lengths.push_back(end - i);
    }
    return {offsets, lengths};
}

/// `Places`: the type of offsets; `Lengths`: the type of lengths.
template <class K, class Places, class Lengths, class Equal = equal_to>
void check_nontrivial(Equal equal = {}) {
    using namespace detail::device;
    device_array<std::uint64_t> count{1};
    const auto check_keys = [&](const compaction_route& way, const std::vector<K>& keys) {
        const std::uint64_t n = keys.size();
        const auto want = nontrivial(keys, equal);
        const std::vector<Places> want_offsets(want[0].begin(), want[0].end());
        const std::vector<Lengths> want_lengths(want[1].begin(), want[1].end());
        shifted_array<K> in(keys, way.shift);
        shifted_array<Places> offsets(n / 2, way.shift);
        shifted_array<Lengths> lengths(n / 2, 1);
        count.fill_with_poison();
        nontrivial_runs(way.gpu, in.data(), in.data() + n, offsets.data(), lengths.data(),
                        count_to{count.data()}, equal);
        EXPECT_EQ(count.get()[0], want_offsets.size());
        offsets.expect(want_offsets, "offsets");
        lengths.expect(want_lengths, "lengths");
        in.expect(keys, "the input");
    };
    const auto sizes = compaction_sizes(compaction_tile_items<K, paired_lengths<K>>);
    on_all_routes(sizes, [&](const compaction_route& way, std::uint64_t n) {
        for (const std::uint64_t mean : {0, 1, 2, 10, 500, 20'000}) {
            SCOPED_TRACE("runs of " + std::to_string(mean));
            const auto keys = keys_in_runs(n, mean, 4);
            check_keys(way, std::vector<K>(keys.begin(), keys.end()));
            if (::testing::Test::HasFailure()) return;
        }
        on_all_cycles<K>(n, {{2}, {1, 2}, {1, 2, 1, 1, 3}, {1, 5'000}},
                         [&](const std::vector<K>& keys) { check_keys(way, keys); });
    });
}

TEST(NontrivialRuns, OfItemsOf1Byte) {
    check_nontrivial<std::uint8_t, std::uint32_t, std::uint64_t>();
}
TEST(NontrivialRuns, OfItemsOf4Bytes) {
    check_nontrivial<std::uint32_t, std::uint64_t, std::uint32_t>();
}
TEST(NontrivialRuns, OfItemsOf8Bytes) { check_nontrivial<double, std::int64_t, std::int64_t>(); }
TEST(NontrivialRuns, OfItemsOf24Bytes) {
    check_nontrivial<three_words, std::uint32_t, std::uint32_t>(same_words{});
}

TEST(NontrivialRuns, CountInDeviceMemoryBackwardComputed) {
    const std::uint64_t n = 300'001, some = 77'777;
    const auto all = keys_in_runs(n, 3, 6);
    shifted_array<std::uint32_t> in(all, 0);
    shifted_array<std::uint64_t> offsets(n / 2, 0);
    shifted_array<std::uint32_t> lengths(n / 2, 0);
    lookback::gpu gpu;
    // Only the first items, by a count in device memory.
    device_array<std::uint32_t> items(std::vector<std::uint32_t>{some});
    const auto first = nontrivial(std::vector(all.begin(), all.begin() + some), std::equal_to{});
    ASSERT_EQ(nontrivial_runs(gpu, in.data(), count_at<std::uint32_t>{items.data(), n},
                              offsets.data(), lengths.data()),
              first[0].size());
    offsets.expect(first[0], "offsets of some");
    lengths.expect({first[1].begin(), first[1].end()}, "lengths of some");
    // Computed items, from the last to the first; offsets are written downwards from the end of an
    // array.
    const auto computed = thrust::make_transform_iterator(
        thrust::counting_iterator<std::uint64_t>(0), three_runs{n - 6});
    shifted_array<std::uint64_t> from_end(3, 0), counts(3, 0);
    ASSERT_EQ(
        nontrivial_runs(gpu, std::reverse_iterator(computed + n), std::reverse_iterator(computed),
                        std::reverse_iterator(from_end.data() + 3), counts.data()),
        3U);
    from_end.expect({n - 3, 3, 0}, "offsets from the end");
    counts.expect({3, n - 6, 3}, "lengths from the end");
}

TEST(NontrivialRuns, SaysWhatIsWrong) {
    lookback::gpu gpu;
    device_array<std::uint32_t> x(16), out(16);
    device_array<std::uint64_t> count(1);
    std::uint32_t* const at = x.data();
    std::uint32_t* const nothing = nullptr;
    const auto call = [&](std::uint32_t* in, std::uint32_t* offsets, std::uint32_t* lengths,
                          std::uint64_t* to) {
        nontrivial_runs(gpu, in, in + 8, offsets, lengths, count_to{to});
    };
    EXPECT_THROW(call(nothing, out.data(), out.data() + 8, count.data()), std::invalid_argument);
    EXPECT_THROW(call(at, nothing, out.data(), count.data()), std::invalid_argument);
    EXPECT_THROW(call(at, out.data(), nothing, count.data()), std::invalid_argument);
    EXPECT_THROW(call(at, out.data(), out.data() + 8, nullptr), std::invalid_argument);
    EXPECT_THROW(call(at, at, out.data(), count.data()), std::invalid_argument);
    EXPECT_THROW(call(at, out.data(), at + 7, count.data()), std::invalid_argument);
    EXPECT_EQ(nontrivial_runs(gpu, nothing, nothing, nothing, nothing), 0U);
}

}  // namespace
}  // namespace lookback::test
