// Every primitive with no items and null pointers: there is nothing to do, and no error.
#include <gtest/gtest.h>

#include <cstdint>

#include "lookback/lookback.hpp"

namespace lookback::test {
namespace {

int* const null = nullptr;
std::uint64_t* const counts = nullptr;
constexpr cpu where{4};

bool odd(int x) { return x % 2 != 0; }

}  // namespace

TEST(Empty, Scans) {
    EXPECT_EQ(lookback::inclusive_scan(where, null, null, null), null);
    EXPECT_EQ(lookback::exclusive_scan(where, null, null, null, 0), null);
    for (const axis_extents extents : {axis_extents{0, 3, 2}, {3, 0, 2}, {3, 2, 0}}) {
        EXPECT_EQ(lookback::inclusive_scan(where, null, extents, null), null);
        EXPECT_EQ(lookback::exclusive_scan(where, null, extents, null), null);
    }
}

TEST(Empty, SegmentedScans) {
    EXPECT_EQ(lookback::inclusive_scan_by_key(where, null, null, null, null), null);
    EXPECT_EQ(lookback::exclusive_scan_by_key(where, null, null, null, null), null);
    const head_flags flags{null};
    EXPECT_EQ(lookback::inclusive_segmented_scan(where, null, null, flags, null), null);
    EXPECT_EQ(lookback::exclusive_segmented_scan(where, null, null, flags, null), null);
    const int zeros[] = {0, 0};
    const segment_offsets offsets{zeros, zeros + 2};
    EXPECT_EQ(lookback::inclusive_segmented_scan(where, null, null, offsets, null), null);
    EXPECT_EQ(lookback::exclusive_segmented_scan(where, null, null, offsets, null), null);
}

TEST(Empty, Compaction) {
    EXPECT_EQ(lookback::select_if(where, null, null, null, odd), 0U);
    EXPECT_EQ(lookback::select_flagged(where, null, null, null, null), 0U);
    EXPECT_EQ(lookback::unique(where, null, null, null), 0U);
    EXPECT_EQ(lookback::unique_by_key(where, null, null, null, null, null), 0U);
    EXPECT_EQ(lookback::partition_if(where, null, null, null, odd), 0U);
    EXPECT_EQ(lookback::partition_if(where, null, null, null, null, odd), 0U);
    EXPECT_EQ(lookback::partition_if(where, null, null, null, null, null, odd, odd),
              (partition_counts{0, 0}));
}

TEST(Empty, Runs) {
    EXPECT_EQ(lookback::run_length_encode(where, null, null, null, counts), 0U);
    EXPECT_EQ(lookback::nontrivial_runs(where, null, null, counts, counts), 0U);
    EXPECT_EQ(lookback::reduce_by_key(where, null, null, null, null, null), 0U);
}

TEST(Empty, Sorting) {
    lookback::sort_keys(where, null, null, null);
    lookback::sort_pairs(where, null, null, null, null, null);
    lookback::sort_order(where, null, null, null);
    const int zero = 0;
    const lookback::segment_offsets none{&zero, &zero + 1};
    lookback::segmented_sort_keys(where, null, null, none, null);
    lookback::segmented_sort_pairs(where, null, null, null, none, null, null);
    lookback::segmented_sort_order(where, null, null, none, null);
}

}  // namespace lookback::test
