// Compactions and runs in captured graphs, replayed with other data and other
// counts in the same memory.
#include <gtest/gtest.h>

#include <algorithm>

#include "lookback/partition.hpp"
#include "lookback/runs.hpp"
#include "support/compaction_cases.hpp"
#include "support/graph.hpp"

namespace lookback::test {
namespace {

struct below {
    std::uint32_t limit;
    __host__ __device__ bool operator()(std::uint32_t x) const { return x < limit; }
};

void replay_with_other_data(const std::uint64_t most) {
    const below low{64};
    stream s;
    lookback::gpu gpu{s};
    device_array<std::uint32_t> in(most), some(most), both(most), heads(most), keys(most);
    device_array<float> values(most), sums(most);
    device_array<std::uint64_t> lengths(most), counts(5);  // the last one is the number of items
    gpu.reserve(most);
    graph calls(s, [&] {
        const count_at<std::uint64_t> last{counts.data() + 4, most};
        select_if(gpu, in.data(), last, some.data(), count_to{counts.data()}, low);
        partition_if(gpu, in.data(), in.data() + most, both.data(), count_to{counts.data() + 1},
                     low);
        run_length_encode(gpu, in.data(), last, heads.data(), lengths.data(),
                          count_to{counts.data() + 2});
        reduce_by_key(gpu, in.data(), last, values.data(), keys.data(), sums.data(),
                      count_to{counts.data() + 3});
    });
    const std::uint64_t ns[] = {most, 0, 1, most / 2, most - 1, most / 9};
    for (unsigned replay = 0; replay < (reduced() ? 6U : 48U); ++replay) {
        const std::uint64_t n = ns[replay % std::size(ns)];
        const auto x = keys_in_runs(most, replay % 5 * 7, replay);
        std::vector<float> v(most);
        for (std::uint64_t i = 0; i < most; ++i) v[i] = static_cast<float>(i % 5 + replay % 3);
        std::vector<std::uint32_t> want_some, want_both, rest, want_heads;
        std::vector<std::uint64_t> want_lengths;
        std::vector<float> want_sums;
        for (std::uint64_t i = 0; i < most; ++i) {
            (low(x[i]) ? want_both : rest).push_back(x[i]);
            if (i >= n) continue;
            if (low(x[i])) want_some.push_back(x[i]);
            if (i == 0 || x[i] != x[i - 1]) {
                want_heads.push_back(x[i]);
                want_lengths.push_back(0);
                want_sums.push_back(0);
            }
            ++want_lengths.back();
            want_sums.back() += v[i];
        }
        const std::uint64_t low_ones = want_both.size();
        want_both.insert(want_both.end(), rest.begin(), rest.end());

        in.set(x);
        values.set(v);
        for (auto* array : {&some, &both, &heads, &keys}) array->fill_with_poison();
        lengths.fill_with_poison();
        sums.fill_with_poison();
        counts.set({0, 0, 0, 0, n});
        calls.replay();
        SCOPED_TRACE("replay " + std::to_string(replay) + ", n " + std::to_string(n));
        ASSERT_EQ(counts.get(),
                  (std::vector<std::uint64_t>{want_some.size(), low_ones, want_heads.size(),
                                              want_heads.size(), n}));
        const auto holds = [](auto& array, auto want, const char* what) {
            // Behind the results, the memory is as it was before.
            const std::size_t items = want.size();
            want.resize(array.size());
            std::memset(static_cast<void*>(want.data() + items), poison,
                        (want.size() - items) * sizeof(want[0]));
            const auto got = array.get();
            EXPECT_EQ(std::memcmp(got.data(), want.data(), want.size() * sizeof(want[0])), 0)
                << what;
        };
        holds(some, want_some, "select_if");
        holds(both, want_both, "partition_if");
        holds(heads, want_heads, "run_length_encode, items");
        holds(lengths, want_lengths, "run_length_encode, lengths");
        holds(keys, want_heads, "reduce_by_key, keys");
        holds(sums, want_sums, "reduce_by_key, sums");
        ASSERT_FALSE(::testing::Test::HasFailure());
    }
}

TEST(CompactionGraphs, ReplaysWithOtherDataAndCounts) {
    replay_with_other_data(reduced() ? 20'001 : 500'003);
}
TEST(CompactionGraphs, ReplaysOfFewItems) { replay_with_other_data(reduced() ? 5'001 : 131'071); }

// Flags are counted by a launch of their own, into memory that the workspace has moved away from
// when the graph is replayed.
TEST(CompactionGraphs, FlagsAreCountedInEachReplay) {
    const std::uint64_t n = reduced() ? 20'001 : 3'000'001;
    stream s;
    lookback::gpu gpu{s};
    detail::device::access::use_small(gpu, false);
    std::vector<std::uint32_t> x(n);
    for (std::uint64_t i = 0; i < n; ++i) x[i] = static_cast<std::uint32_t>(i);
    const device_array<std::uint32_t> in(x);
    device_array<std::uint32_t> out(n), more_out(4 * n);
    device_array<std::uint8_t> flags(n);
    const device_array<std::uint8_t> more_flags(std::vector<std::uint8_t>(4 * n, 1));
    const device_array<std::uint32_t> more_in(std::vector<std::uint32_t>(4 * n, 7));
    device_array<std::uint64_t> count(1);
    gpu.reserve(n);
    graph calls(s, [&] {
        partition_flagged(gpu, in.data(), in.data() + n, flags.data(), out.data(),
                          count_to{count.data()});
    });
    for (unsigned replay = 0; replay < 5; ++replay) {
        if (replay == 2) {
            EXPECT_EQ(partition_flagged(gpu, more_in.data(), more_in.data() + 4 * n,
                                        more_flags.data(), more_out.data()),
                      4 * n);
        }
        std::vector<std::uint8_t> set(n);
        for (std::uint64_t i = 0; i < n; ++i) set[i] = i * (replay + 3) % 11 < 2 * replay ? 2 : 0;
        std::vector<std::uint32_t> want;
        for (const bool kept : {true, false}) {
            for (std::uint64_t i = 0; i < n; ++i) {
                if ((set[i] != 0) == kept) want.push_back(x[i]);
            }
        }
        flags.set(set);
        out.fill_with_poison();
        calls.replay();
        EXPECT_TRUE(out.get() == want) << "replay " << replay;
        EXPECT_EQ(count.get()[0],
                  n - static_cast<std::uint64_t>(std::count(set.begin(), set.end(), 0)));
    }
}

TEST(CompactionGraphs, RoomIsReservedForItemsAndValuesOf8Bytes) {
    const std::uint64_t n = reduced() ? 300'000 : 40'000'000;
    stream s;
    lookback::gpu gpu{s};
    device_array<std::uint64_t> keys(n), values(n), keys_out(n), values_out(n), count(1);
    check(cudaMemset(keys.data(), 3, n * 8), "filling keys");
    check(cudaMemset(values.data(), 5, n * 8), "filling values");
    gpu.reserve(n);
    graph calls(s, [&] {
        unique_by_key(gpu, keys.data(), keys.data() + n, values.data(), keys_out.data(),
                      values_out.data(), count_to{count.data()});
    });
    calls.replay();
    EXPECT_EQ(count.get()[0], 1U);
}

}  // namespace
}  // namespace lookback::test
