// Selections in place on the GPU, repeated many times, by few blocks and many.
#include "lookback/select.hpp"
#include "support/compaction_cases.hpp"
#include "support/select_items.hpp"

namespace lookback::test {
namespace {

using detail::device::access;

TEST(Select, InPlaceUnderLoad) {
    // Tiles keep all fractions of their items, the most in the front. This is repeated many times:
    // if a result were written before another tile has read its items, it would show.
    const std::uint64_t n = reduced() ? 300'000 : 20'000'003;
    std::vector<std::uint32_t> keys(n);
    std::minstd_rand random(1);
    for (std::uint64_t i = 0; i < n; ++i) {
        const bool drop = i / 50'000 % 3 != 0 && random() % 100 < i * 100 / n;
        keys[i] = static_cast<std::uint32_t>(i) | (drop ? 0x80000000U : 0);
    }
    const below keep{0x80000000U};
    std::vector<std::uint32_t> want;
    for (const auto k : keys) {
        if (k < 0x80000000U) want.push_back(k);
    }
    lookback::gpu gpu;
    for (int turn = 0; turn < (reduced() ? 2 : 20); ++turn) {
        access::limit_blocks(gpu, turn % 4 == 3 ? 7 : 0);
        access::use_pipeline(gpu, turn % 5 != 4);
        shifted_array<std::uint32_t> in(keys, turn % 2);
        ASSERT_EQ(select_if(gpu, in.data(), in.data() + n, in.data(), keep), want.size());
        in.expect(want, "select_if in place", keys);
    }
}

TEST(Select, UniqueInPlaceUnderLoad) {
    // The item before a tile belongs to another tile, which may be written at that moment.
    const std::uint64_t n = reduced() ? 300'000 : 20'000'003;
    std::vector<std::uint32_t> keys(n), want;
    for (std::uint64_t i = 0; i < n; ++i) {
        // Runs of one item in the front, then longer and longer runs, cut at the edges of tiles.
        keys[i] = static_cast<std::uint32_t>(i < n / 3 ? i : i - i % (2 + i * 60 / n));
        if (i == 0 || keys[i] != keys[i - 1]) want.push_back(keys[i]);
    }
    lookback::gpu gpu;
    for (int turn = 0; turn < (reduced() ? 2 : 20); ++turn) {
        access::limit_blocks(gpu, turn % 4 == 3 ? 7 : 0);
        shifted_array<std::uint32_t> in(keys, turn % 2);
        ASSERT_EQ(unique(gpu, in.data(), in.data() + n, in.data()), want.size());
        in.expect(want, "unique in place", keys);
    }
}

}  // namespace
}  // namespace lookback::test
