// The pieces for kernels on trial: scans and flags of a warp, scans of a block by each strategy,
// binary sums, and tiles loaded and stored. device_prefix.cpp has the pieces for many blocks.
#include "lookback/kernel/binary.hpp"
#include "lookback/kernel/block.hpp"
#include "lookback/kernel/tile_io.hpp"
#include "lookback/kernel/warp.hpp"
#include "support/check_scan.hpp"
#include "support/values.hpp"
#include "tests/trial.hpp"

namespace lookback::trial {
namespace {

using block::strategy;
using detail::device::shared_memory;
using detail::device::sync_block;
using detail::device::thread_in_block;
using test::kind;

// The scans of some items, and their fold.
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

}  // namespace
}  // namespace lookback::trial
