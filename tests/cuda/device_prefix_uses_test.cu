// Kernels that find the places of their results with the look-back as a component; and what the
// component refuses.
#include "lookback/kernel/binary.hpp"
#include "lookback/kernel/block.hpp"
#include "lookback/kernel/device_prefix.hpp"
#include "lookback/kernel/tile_io.hpp"
#include "support/graph.hpp"
#include "support/pieces.hpp"

namespace lookback::test {
namespace {

constexpr int threads = 256;

// Run-length decoding in one launch: item i appears lengths[i] times.
template <int per_thread>
__global__ __launch_bounds__(threads) void decode_kernel(prefix_workspace<std::uint32_t> workspace,
                                                         const std::uint32_t* lengths,
                                                         std::uint32_t items, std::uint32_t* out,
                                                         std::uint64_t* count) {
    using prefix_type = device_prefix<std::uint32_t, plus<>, std::uint64_t>;
    using tile_type = block::tile_io<std::uint32_t, threads, per_thread>;
    using scan = block::scan<std::uint32_t, threads>;
    __shared__ prefix_type::memory memory;
    __shared__ typename tile_type::memory stage;
    __shared__ scan::memory sums;
    prefix_type before(workspace, memory, std::uint64_t{0});
    while (before.claim()) {
        const std::uint32_t first = before.tile() * tile_type::items_of_tile;
        const int here = static_cast<int>(
            min(items - first, static_cast<std::uint32_t>(tile_type::items_of_tile)));
        std::uint32_t length[per_thread], place[per_thread];
        tile_type(stage).load_blocked(lengths + first, length, here);
        for (int i = 0; i < per_thread; ++i) place[i] = length[i];
        const std::uint32_t all = scan(sums).exclusive(place, 0U, plus{}, here);
        const std::uint64_t prefix = before.exclusive_prefix(all);
        for (int i = 0; i < per_thread; ++i) {
            const int at = static_cast<int>(threadIdx.x) * per_thread + i;
            for (std::uint32_t k = 0; at < here && k < length[i]; ++k) {
                out[prefix + place[i] + k] = first + static_cast<std::uint32_t>(at);
            }
        }
        if (threadIdx.x == 0 && before.tile() + 1 == workspace.tiles()) *count = prefix + all;
    }
}

// Keeps the odd numbers, in place.
__global__ __launch_bounds__(threads) void compact_kernel(prefix_workspace<int> workspace,
                                                          std::uint32_t* items, std::uint32_t count,
                                                          int* kept) {
    using prefix_type = device_prefix<int>;
    __shared__ prefix_type::memory memory;
    __shared__ block::binary_sums<threads>::memory sums;
    prefix_type before(workspace, memory, 0);
    while (before.claim()) {
        const std::uint32_t at = before.tile() * threads + threadIdx.x;
        const std::uint32_t item = at < count ? items[at] : 0;
        const bool wanted = item % 2 == 1;
        const auto [place, all] = block::binary_sums<threads>(sums).exclusive(wanted);
        const int prefix = before.ordered_exclusive_prefix(all);
        if (wanted) items[prefix + place] = item;
        if (threadIdx.x == 0 && before.tile() + 1 == workspace.tiles()) *kept = prefix + all;
    }
}

std::uint32_t tiles_of(std::uint32_t items, std::uint32_t per_tile) {
    return (items + per_tile - 1) / per_tile;
}

}  // namespace

TEST(DevicePrefix, ResultsOfAnyNumberFindTheirPlaces) {
    constexpr int per_thread = 5;
    std::mt19937_64 random(8);
    for (const std::uint32_t items : {1U, 7U, 1280U, 1281U, 100'000U, 3'000'001U}) {
        if (reduced() && items > 2000) continue;
        // The lengths are mostly short, often 0, and sometimes long; in one case all are 0.
        std::vector<std::uint32_t> lengths(items), want;
        for (auto& length : lengths) {
            const auto bits = static_cast<std::uint32_t>(random() >> 32);
            length = items == 7 ? 0 : bits % 3 == 0 ? 0 : bits % 5000 == 1 ? 300 : bits / 8 % 9;
        }
        for (std::uint32_t i = 0; i < items; ++i) want.insert(want.end(), lengths[i], i);
        const std::uint64_t all = want.size();
        want.resize(all + 100, poisoned<std::uint32_t>());
        stream s;
        lookback::gpu gpu(s);
        device_array<std::uint32_t> lengths_device(lengths), out(want.size());
        device_array<std::uint64_t> count(1);
        const std::uint32_t tiles = tiles_of(items, threads * per_thread);
        const prefix_workspace<std::uint32_t> workspace(gpu, tiles);
        for (int run = 0; run < 3; ++run) {
            decode_kernel<per_thread>
                <<<workspace.blocks(decode_kernel<per_thread>, threads), threads, 0, s>>>(
                    workspace, lengths_device.data(), items, out.data(), count.data());
            check(cudaGetLastError(), "starting the expansion");
            s.wait();
            EXPECT_EQ(count.get()[0], all) << items << " items";
            ASSERT_EQ(difference(want, out.get()), "") << items << " items, run " << run;
            out.fill_with_poison();
        }
    }
}

TEST(DevicePrefix, CompactionOverItsOwnInput) {
    for (const std::uint32_t items : {1U, 255U, 257U, 20'000'003U}) {
        if (reduced() && items > 1000) continue;
        const auto values = random_values<std::uint32_t>(items, items);
        std::vector<std::uint32_t> want;
        for (const std::uint32_t value : values) {
            if (value % 2 == 1) want.push_back(value);
        }
        stream s;
        lookback::gpu gpu(s);
        device_array<std::uint32_t> data(values);
        device_array<int> kept(1);
        const prefix_workspace<int> workspace(gpu, tiles_of(items, threads));
        for (int run = 0; run < 5; ++run) {
            data.set(values);
            compact_kernel<<<workspace.blocks(compact_kernel, threads), threads, 0, s>>>(
                workspace, data.data(), items, kept.data());
            check(cudaGetLastError(), "starting the compaction");
            s.wait();
            ASSERT_EQ(static_cast<std::size_t>(kept.get()[0]), want.size()) << items << " items";
            auto got = data.get();
            got.resize(want.size());
            ASSERT_EQ(difference(want, got), "") << items << " items, run " << run;
        }
    }
}

TEST(DevicePrefix, WhatIsRefused) {
    stream s;
    lookback::gpu gpu(s);
    try {
        const prefix_workspace<int> too_many(gpu, (std::uint64_t{1} << 31) + 1);
        ADD_FAILURE() << "2^31 + 1 tiles were accepted";
    } catch (const std::invalid_argument& e) {
        EXPECT_NE(std::string(e.what()).find("2147483649"), std::string::npos) << e.what();
    }
    try {
        graph refused(s, [&] { const prefix_workspace<int> late(gpu, 5000); });
        ADD_FAILURE() << "memory was allocated inside a capture";
    } catch (const cuda_error& e) {
        EXPECT_EQ(e.code(), cudaErrorStreamCaptureUnsupported) << e.what();
    }
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    const prefix_workspace<int> none(gpu, 0);
    EXPECT_EQ(none.tiles(), 0U);
    EXPECT_EQ(none.blocks(compact_kernel, threads), 1U);
    const prefix_workspace<int> many(gpu, 1'000'000);
    const unsigned blocks = many.blocks(compact_kernel, threads);
    EXPECT_GT(blocks, 1U);
    EXPECT_LT(blocks, 1'000'000U);
}

}  // namespace lookback::test
