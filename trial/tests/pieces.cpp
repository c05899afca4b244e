// The pieces for kernels on trial: scans and flags of a warp, scans of a block by each strategy,
// binary sums, tiles on their way to threads and back; and all of them around a device_prefix, in
// kernels that write over what they read.
#include <algorithm>
#include <list>
#include <numeric>

#include "lookback/kernel/binary.hpp"
#include "lookback/kernel/block.hpp"
#include "lookback/kernel/device_prefix.hpp"
#include "lookback/kernel/tile_io.hpp"
#include "lookback/kernel/warp.hpp"
#include "support/check_scan.hpp"
#include "support/values.hpp"
#include "tests/trial.hpp"

namespace lookback::trial {
namespace {

using block::strategy;
using detail::device::block_in_grid;
using detail::device::shared_memory;
using detail::device::sync_block;
using detail::device::thread_in_block;
using test::kind;

// What scans give of the first `count` items, and the fold.
template <class T>
struct scans_of {
    gpu_array<T> in, inclusive, exclusive, fold;
    std::vector<T> items;
    T init;

    scans_of(case_choices& choices, std::uint64_t n)
        : in(n),
          inclusive(n),
          exclusive(n),
          fold(1),
          items(test::random_values<T>(n, choices.bits())),
          init(test::random_values<T>(2, choices.bits())[1]) {
        in.set(items);
    }

    template <class Op>
    void check(bool backward, const Op& op) {
        const std::size_t n = items.size();
        EXPECT_TRUE(same_items(
            inclusive.get(), test::sequential_scan<T>(items, kind::inclusive, backward, op, init)));
        EXPECT_TRUE(same_items(
            exclusive.get(), test::sequential_scan<T>(items, kind::exclusive, backward, op, init)));
        const auto forward = test::sequential_scan<T>(items, kind::inclusive, false, op, init);
        EXPECT_TRUE(same_items(fold.get(), {forward.back()}));
        EXPECT_TRUE(inclusive.is_untouched_around(n) && exclusive.is_untouched_around(n));
    }
};

// ---- a warp

template <direction way, class T, class Op>
__global__ void warp_kernel(const T* in, int lanes, T init, Op op, T* inclusive, T* exclusive,
                            T* fold) {
    const int lane = detail::device::lane();
    const T value = in[lane < lanes ? lane : 0];
    const T with = warp::inclusive_scan<way>(value, op, lanes);
    const T without = warp::exclusive_scan<way>(value, init, op, lanes);
    const T all = warp::reduce(value, op, lanes);
    if (lane < lanes) {
        inclusive[lane] = with;
        exclusive[lane] = without;
    }
    if (lane == 31) *fold = all;
}

template <direction way, class T, class Op>
void run_warp(case_choices& choices, Op op) {
    const int lanes = static_cast<int>(choices.said("lanes", choices.between(1, 32)));
    scans_of<T> scans(choices, static_cast<std::uint64_t>(lanes));
    start_kernel(nullptr, warp_kernel<way, T, Op>, 1, 32, false,
                 static_cast<const T*>(scans.in.data()), lanes, scans.init, op,
                 scans.inclusive.data(), scans.exclusive.data(), scans.fold.data());
    scans.check(way == direction::backward, op);
}

// ---- a block

template <int threads, int per_thread, strategy how, class T, class Op>
__global__ void block_kernel(const T* in, int count, T init, Op op, T* inclusive, T* exclusive,
                             T* fold) {
    using tile = block::tile_io<T, threads, per_thread>;
    using scan = block::scan<T, threads, how>;
    struct memory {
        typename tile::memory stage;
        typename scan::memory folds;
    };
    auto& shared = shared_memory<memory>();
    T item[per_thread], copy[per_thread];
    tile(shared.stage).load_blocked(in, item, count);
    for (int i = 0; i < per_thread; ++i) copy[i] = item[i];
    const T all = scan(shared.folds).reduce(item, op, count);
    sync_block();
    scan(shared.folds).inclusive(item, op, count);
    sync_block();
    scan(shared.folds).exclusive(copy, init, op, count);
    tile(shared.stage).store_blocked(item, inclusive, count);
    sync_block();
    tile(shared.stage).store_blocked(copy, exclusive, count);
    if (thread_in_block() == threads - 1) *fold = all;
}

template <int threads, int per_thread, strategy how, class T, class Op>
void run_block(case_choices& choices, Op op) {
    const std::uint64_t count = choices.said(
        "items", choices.coin() ? threads * per_thread : choices.between(1, threads * per_thread));
    scans_of<T> scans(choices, count);
    start_kernel(nullptr, block_kernel<threads, per_thread, how, T, Op>, 1, threads, false,
                 static_cast<const T*>(scans.in.data()), static_cast<int>(count), scans.init, op,
                 scans.inclusive.data(), scans.exclusive.data(), scans.fold.data());
    scans.check(false, op);
}

// ---- flags

struct flag_sums {
    int with, before, from_behind, count, counted, any, all, narrow, in_warp, in_segment;
    friend bool operator==(const flag_sums&, const flag_sums&) = default;
};

template <int threads>
__global__ void flag_kernel(const int* numbers, flag_sums* out) {
    using sums_type = block::binary_sums<threads>;
    const sums_type sums(shared_memory<typename sums_type::memory>());
    const int number = numbers[thread_in_block()];
    const bool flag = number % 2 == 1;
    const auto with = sums.inclusive(flag);
    sync_block();
    const auto before = sums.exclusive(flag);
    sync_block();
    const auto behind = sums.template inclusive<direction::backward>(flag);
    const unsigned segment = warp::segment_lanes(warp::ballot(number >= 6));
    out[thread_in_block()] = {with.sum,
                              before.sum,
                              behind.sum,
                              with.count,
                              block::count(flag),
                              block::any(flag) ? 1 : 0,
                              block::all(flag) ? 1 : 0,
                              block::narrow_sum<3>(static_cast<unsigned>(number)),
                              warp::binary_exclusive_sum(flag),
                              warp::binary_inclusive_sum(flag, segment)};
}

template <int threads>
void run_flags(case_choices& choices) {
    std::vector<int> numbers(threads);
    const std::uint64_t most = choices.said("numbers", choices.between(1, 8));
    for (int& x : numbers) x = static_cast<int>(choices.below(most));
    std::vector<flag_sums> want(threads);
    const auto flag = [&](int i) { return numbers[static_cast<std::size_t>(i)] % 2; };
    int all = 0, sum = 0, before = 0, in_warp = 0, in_segment = 0;
    for (int i = 0; i < threads; ++i) all += flag(i);
    for (const int x : numbers) sum += x;
    for (int i = 0; i < threads; ++i) {
        if (i % 32 == 0) in_warp = in_segment = 0;
        if (numbers[static_cast<std::size_t>(i)] >= 6) in_segment = 0;
        in_segment += flag(i);
        want[static_cast<std::size_t>(i)] = {
            before + flag(i),       before, all - before, all,       all, all > 0 ? 1 : 0,
            all == threads ? 1 : 0, sum,    in_warp,      in_segment};
        before += flag(i);
        in_warp += flag(i);
    }
    gpu_array<int> in(numbers);
    gpu_array<flag_sums> out(threads);
    start_kernel(nullptr, flag_kernel<threads>, 1, threads, false,
                 static_cast<const int*>(in.data()), out.data());
    EXPECT_TRUE(same_items(out.get(), want));
}

// ---- prefixes of tiles

// out[t] gets the fold of what the tiles before t hand in.
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

// Keeps what is odd, over its own input; as many tiles as items need.
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

TEST(Pieces, WarpScans) {
    for_schedules(60, [](case_choices& choices) {
        run_warp<direction::forward, test::affine32>(choices, affine{});
        run_warp<direction::backward, test::affine32>(choices, affine{});
        run_warp<direction::forward, test::span_of>(choices, test::join{});
    });
}

TEST(Pieces, BlockScans) {
    for_schedules(60, [](case_choices& choices) {
        run_block<32, 3, strategy::raking, test::affine32>(choices, affine{});
        run_block<96, 2, strategy::raking, test::affine32>(choices, affine{});
        run_block<256, 1, strategy::raking, test::span_of>(choices, test::join{});
        run_block<64, 5, strategy::warp_scans, test::affine32>(choices, affine{});
        run_block<224, 1, strategy::warp_scans, test::span_of>(choices, test::join{});
        run_block<32, 1, strategy::sklansky, test::affine32>(choices, affine{});
        run_block<160, 4, strategy::sklansky, test::affine32>(choices, affine{});
        run_block<256, 2, strategy::sklansky, test::span_of>(choices, test::join{});
    });
}

TEST(Pieces, Flags) {
    for_schedules(80, [](case_choices& choices) {
        run_flags<32>(choices);
        run_flags<96>(choices);
        run_flags<256>(choices);
    });
}

TEST(Pieces, Prefixes) {
    for_schedules(80, [](case_choices& choices) {
        run_prefixes<std::uint32_t, std::uint32_t>(choices, plus<>{});
        run_prefixes<test::affine32, test::affine32>(choices, affine{});
        run_prefixes<test::span_of, test::span_of>(choices, test::join{});
    });
}

TEST(Pieces, PrefixesOverTheirOwnInputs) {
    for_schedules(100, [](case_choices& choices) {
        run_compaction<32>(choices);
        run_compaction<128>(choices);
    });
}

}  // namespace
}  // namespace lookback::trial
