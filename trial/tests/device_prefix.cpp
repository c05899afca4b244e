// A device_prefix on trial, in kernels like a user's: one only asks for prefixes, the other
// overwrites what other blocks read.
#include "lookback/kernel/device_prefix.hpp"

#include <list>

#include "lookback/kernel/binary.hpp"
#include "support/values.hpp"
#include "tests/trial.hpp"

namespace lookback::trial {
namespace {

using detail::device::shared_memory;
using detail::device::thread_in_block;

// out[t] becomes the fold of the items of the tiles before t.
template <class A, class Op, class Prefix>
__global__ void prefix_kernel(prefix_workspace<A> workspace, const A* in, Prefix init, Op op,
                              std::uint32_t tiles, Prefix* out, Prefix* again) {
    using prefix_type = device_prefix<A, Op, Prefix>;
    detail::device::wait_for_previous_kernel();
    prefix_type before(workspace, shared_memory<typename prefix_type::memory>(), init, op, tiles);
    while (before.claim()) {
        const std::uint32_t tile = before.tile();
        const Prefix prefix = before.exclusive_prefix(in[tile]);
        if (thread_in_block() == 0) out[tile] = prefix;
        if (thread_in_block() ==
            static_cast<int>(detail::device::threads_in_grid() / detail::device::blocks_in_grid()) -
                1) {
            again[before.tile()] = prefix;
        }
    }
}

template <class A, class Prefix, class Op>
void run_prefixes(case_choices& choices, Op op) {
    lookback::gpu gpu;
    const std::uint64_t tiles = choices.said(
        "tiles", choices.coin() ? choices.below(10)
                                : choices.of<std::uint64_t>({31, 32, 33, 64, 65, 100, 200}));
    const prefix_workspace<A> workspace(gpu, tiles + choices.below(2) * choices.below(100));
    if (choices.one_in(8)) detail::device::access::set_epoch<A>(gpu, 0xffffffffU - 1);
    const auto items = test::random_values<A>(tiles, choices.bits());
    const Prefix init = test::random_values<Prefix>(1, choices.bits())[0];
    std::vector<Prefix> want;
    Prefix prefix = init;
    for (const A& item : items) {
        want.push_back(prefix);
        prefix = op(prefix, item);
    }
    gpu_array<A> in(items);
    struct outputs {
        explicit outputs(std::uint64_t items) : first(items), again(items) {}
        gpu_array<Prefix> first, again;
    };
    std::list<outputs> all;  // of each launch
    const unsigned threads = 32 * static_cast<unsigned>(choices.between(1, 4));
    const auto kernel = prefix_kernel<A, Op, Prefix>;
    const unsigned blocks = choices.coin() ? workspace.blocks(kernel, static_cast<int>(threads))
                                           : static_cast<unsigned>(choices.between(1, 9));
    for (std::uint64_t i = choices.said("launches", choices.between(1, 4)); i > 0; --i) {
        if (choices.one_in(4)) detail::device::access::set_epoch<A>(gpu, 0xffffffffU);
        outputs& out = all.emplace_back(tiles);
        start_kernel(nullptr, kernel, blocks, threads, choices.coin(), workspace,
                     static_cast<const A*>(in.data()), init, op, static_cast<std::uint32_t>(tiles),
                     out.first.data(), out.again.data());
    }
    for (outputs& out : all) {
        for (auto* const one : {&out.first, &out.again}) {
            EXPECT_TRUE(same_items(one->get(), want));
            EXPECT_TRUE(one->is_untouched_around(tiles));
        }
    }
}

// Keeps the odd items, over its own input, with as many tiles as the items need.
template <int threads>
__global__ void compact_kernel(prefix_workspace<int> workspace, std::uint32_t* items,
                               std::uint32_t count, int* kept) {
    struct memory {
        device_prefix<int>::memory prefix;
        typename block::binary_sums<threads>::memory sums;
    };
    auto& shared = shared_memory<memory>();
    detail::device::wait_for_previous_kernel();
    device_prefix<int> before(workspace, shared.prefix, 0);
    while (before.claim()) {
        const auto thread = static_cast<std::uint32_t>(thread_in_block());
        const std::uint32_t at = before.tile() * threads + thread;
        const std::uint32_t item = at < count ? items[at] : 0;
        const bool wanted = item % 2 == 1;
        const auto [place, all] = block::binary_sums<threads>(shared.sums).exclusive(wanted);
        const int prefix = before.ordered_exclusive_prefix(all);
        if (wanted) items[prefix + place] = item;
        if (thread == 0 && before.tile() + 1 == workspace.tiles()) *kept = prefix + all;
    }
}

template <int threads>
void run_compaction(case_choices& choices) {
    lookback::gpu gpu;
    const std::uint64_t n = choices.size_around(threads, 40);
    const prefix_workspace<int> workspace(gpu, detail::device::tiles_for(n, threads));
    auto values = test::random_values<std::uint32_t>(n, choices.bits());
    std::vector<std::uint32_t> want;
    const std::uint64_t density = choices.between(1, 4);
    for (std::uint32_t& x : values) {
        if (choices.one_in(density)) x |= 1;
        if (x % 2 == 1) want.push_back(x);
    }
    gpu_array<std::uint32_t> items(values);
    gpu_array<int> kept(std::vector<int>{0});
    const unsigned blocks = choices.coin() ? workspace.blocks(compact_kernel<threads>, threads)
                                           : static_cast<unsigned>(choices.between(1, 9));
    start_kernel(nullptr, compact_kernel<threads>, blocks, threads, true, workspace, items.data(),
                 static_cast<std::uint32_t>(n), kept.data());
    EXPECT_TRUE(same_items(kept.get(), {static_cast<int>(want.size())}));
    EXPECT_TRUE(same_items(items.get(want.size()), want));
    EXPECT_TRUE(items.is_untouched_around(n));
}

TEST(DevicePrefix, OfEachTile) {
    for_schedules(80, [](case_choices& choices) {
        run_prefixes<std::uint32_t, std::uint32_t>(choices, plus<>{});
        run_prefixes<test::affine32, test::affine32>(choices, affine{});
        run_prefixes<test::span_of, test::span_of>(choices, test::join{});
    });
}

TEST(DevicePrefix, OverItsOwnInput) {
    for_schedules(100, [](case_choices& choices) {
        run_compaction<32>(choices);
        run_compaction<128>(choices);
    });
}

}  // namespace
}  // namespace lookback::trial
