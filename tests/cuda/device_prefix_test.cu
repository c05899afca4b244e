// The look-back as a component: every tile is claimed once and gets the fold of the tiles before
// it, with any number of blocks, in graphs, among scans.
#include "lookback/kernel/device_prefix.hpp"
#include "support/generated.hpp"
#include "support/graph.hpp"
#include "support/pieces.hpp"

namespace lookback::test {
namespace {

using detail::device::access;

// Tile t has the aggregate items(t). out[t] gets its prefix, and claims[t] is how often it was
// claimed.
template <class A, class Op, class Prefix, class Items>
__global__ void prefix_kernel(prefix_workspace<A> workspace, Items items, Prefix init, Op op,
                              const std::uint32_t* tiles, Prefix* out, unsigned* claims,
                              unsigned* torn) {
    using prefix_type = device_prefix<A, Op, Prefix>;
    __shared__ typename prefix_type::memory memory;
    prefix_type before(workspace, memory, init, op, tiles == nullptr ? workspace.tiles() : *tiles);
    while (before.claim()) {
        const std::uint32_t tile = before.tile();
        // Only the aggregate of thread 0 counts.
        const A aggregate = items(threadIdx.x == 0 ? tile : tile + threadIdx.x);
        const Prefix prefix = before.exclusive_prefix(aggregate);
        if (threadIdx.x == blockDim.x - 1) {
            out[tile] = prefix;
            atomicAdd(claims + tile, 1U);
        }
        // Even a warp that is late sees the same tile as all others.
        if (threadIdx.x / 32 == tile % (blockDim.x / 32)) __nanosleep(200);
        if (before.tile() != tile) atomicAdd(torn, 1U);
    }
}

template <class A, class Op, class Prefix>
struct prefix_case {
    stream s;
    lookback::gpu gpu{s};
    Op op;
    Prefix init;
    std::uint32_t most;
    device_array<Prefix> out;
    device_array<unsigned> claims, torn{1};

    prefix_case(const Op& with, const Prefix& begin, std::uint32_t at_most)
        : op(with), init(begin), most(at_most), out(at_most), claims(at_most) {}

    template <class Items>
    void start(const prefix_workspace<A>& workspace, const Items& items, unsigned blocks,
               unsigned threads, const std::uint32_t* tiles = nullptr) {
        prefix_kernel<A, Op, Prefix><<<blocks, threads, 0, s>>>(
            workspace, items, init, op, tiles, out.data(), claims.data(), torn.data());
        check(cudaGetLastError(), "starting the tiles");
    }
    void reset() {
        s.wait();
        out.fill_with_poison();
        claims.set(std::vector<unsigned>(most, 0));
        torn.set({0});
    }
    // Returns an empty string, or what is wrong.
    template <class Items>
    std::string wrong(const Items& items, std::uint32_t tiles) {
        s.wait();
        std::vector<Prefix> want(most, poisoned<Prefix>());
        std::vector<unsigned> once(most, 0);
        Prefix prefix = init;
        for (std::uint32_t t = 0; t < tiles; ++t) {
            want[t] = prefix;
            once[t] = 1;
            prefix = static_cast<Prefix>(op(prefix, items(t)));
        }
        if (std::string d = difference(once, claims.get()); !d.empty()) return "claims: " + d;
        if (torn.get()[0] != 0) return "threads of a block saw different tiles";
        return difference(want, out.get());
    }
};

template <class A, class Items = exact_items<A>, class Op, class Prefix>
void check_prefixes(const Op& op, const Prefix& init) {
    const std::vector<std::uint32_t> sizes =
        reduced()
            ? std::vector<std::uint32_t>{0, 1, 33, 257}
            : std::vector<std::uint32_t>{0,   1,   2,   3,   31,  32,  33,   63,   64,   65,
                                         127, 255, 256, 257, 288, 513, 1000, 1023, 4099, 50'001};
    prefix_case<A, Op, Prefix> test(op, init, sizes.back());
    std::uint64_t seed = 0;
    for (const std::uint32_t tiles : sizes) {
        const prefix_workspace<A> workspace(test.gpu, tiles);
        for (const unsigned blocks : {1U, 2U, 7U, 132U, 1500U}) {
            if (blocks == 1 && tiles > 5000) continue;
            for (const unsigned threads : {32U, 96U, 256U}) {
                if (reduced() && blocks * threads > 132 * 96) continue;
                const Items items{++seed};
                test.reset();
                test.start(workspace, items, blocks, threads);
                ASSERT_EQ(test.wrong(items, tiles), "")
                    << tiles << " tiles, " << blocks << " blocks of " << threads << " threads";
            }
        }
    }
}

// The sum of 32 of these numbers is less than 2^32; the sum of all is more.
struct counts {
    std::uint64_t seed;
    LOOKBACK_HD std::uint32_t operator()(std::uint64_t i) const {
        return static_cast<std::uint32_t>(hash(i + seed) >> 37);
    }
};
struct wide_sum {
    LOOKBACK_HD std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const { return a + b; }
};

// Aggregates from memory.
struct from_memory {
    const std::uint32_t* at;
    std::uint64_t count;
    __device__ std::uint32_t operator()(std::uint64_t i) const { return i < count ? at[i] : 0; }
};

}  // namespace

TEST(DevicePrefix, StatusWordsOf8Bytes) { check_prefixes<std::uint32_t>(plus{}, std::uint32_t{7}); }
TEST(DevicePrefix, StatusWordsOf16Bytes) { check_prefixes<affine32>(affine{}, affine32{3, 5}); }
TEST(DevicePrefix, SplitStatusWords) {
    check_prefixes<matrix>(matrix_product{}, matrix{1, 2, 3, 7});
}
TEST(DevicePrefix, OnlyNeighboursAreJoined) {
    check_prefixes<span_of>(join{}, span_of{1, ~0ULL, ~0ULL});
}
TEST(DevicePrefix, PrefixesWiderThanAggregates) {
    check_prefixes<std::uint32_t, counts>(wide_sum{}, std::uint64_t{1} << 40);
}

TEST(DevicePrefix, FloatsHaveTheSameBitsInEveryRun) {
    const std::uint32_t tiles = reduced() ? 1007 : 10'007;
    prefix_case<float, plus<>, float> test(plus{}, 0.25F, tiles);
    const prefix_workspace<float> workspace(test.gpu, tiles);
    const rounding_items<float> items{5};
    std::vector<float> first;
    for (int run = 0; run < (reduced() ? 3 : 100); ++run) {
        test.reset();
        const unsigned blocks = run % 4 == 0 ? 1U + static_cast<unsigned>(run) : 264U;
        test.start(workspace, items, blocks, run % 3 == 0 ? 64 : 256);
        test.s.wait();
        const auto got = test.out.get();
        if (run == 0) first = got;
        ASSERT_EQ(difference(first, got), "") << "run " << run << ", " << blocks << " blocks";
    }
    double sum = 0.25;
    for (std::uint32_t t = 0; t < tiles; ++t) {
        ASSERT_NEAR(first[t], sum, 1e-3) << "tile " << t;
        sum += items(t);
    }
}

TEST(DevicePrefix, TilesThatOnlyTheDeviceKnows) {
    prefix_case<std::uint32_t, plus<>, std::uint32_t> test(plus{}, 1U, 3000);
    const prefix_workspace<std::uint32_t> workspace(test.gpu, 3000);
    for (const std::uint32_t tiles : {0U, 1U, 31U, 700U, 3000U}) {
        const exact_items<std::uint32_t> items{tiles};
        test.reset();
        device_array<std::uint32_t> count(std::vector<std::uint32_t>{tiles});
        test.start(workspace, items, 100, 128, count.data());
        EXPECT_EQ(test.wrong(items, tiles), "") << tiles << " of 3000 tiles";
    }
}

TEST(DevicePrefix, ReplaysOfAGraphAmongScans) {
    const std::uint32_t tiles = reduced() ? 100 : 5000;
    const std::uint64_t n = reduced() ? 20'001 : 3'000'001;
    prefix_case<std::uint32_t, plus<>, std::uint32_t> test(plus{}, 1U, tiles);
    device_array<std::uint32_t> numbers(tiles);
    device_array<std::int32_t> in(n), scanned(n);
    test.gpu.reserve<std::int32_t>(n);
    const prefix_workspace<std::uint32_t> workspace(test.gpu, tiles);
    graph both(test.s, [&] {
        test.start(workspace, from_memory{numbers.data(), tiles}, 132, 128);
        lookback::inclusive_scan(test.gpu, in.data(), in.data() + n, scanned.data());
    });
    inspector steps(test.s);
    for (std::uint64_t replay = 0; replay < (reduced() ? 3 : 200); ++replay) {
        const exact_items<std::uint32_t> items{replay};
        const exact_items<std::int32_t> scan_items{replay + 1};
        test.reset();
        fill(test.s, numbers.data(), tiles, items);
        fill(test.s, in.data(), n, scan_items);
        both.replay();
        // Between replays, the same workspace is sometimes used without the graph.
        if (replay % 7 == 3) {
            lookback::inclusive_scan(test.gpu, in.data(), in.data() + n / 10, scanned.data());
        }
        check_steps(steps, test.s, scanned.data(), n, scan_items, plus{});
        ASSERT_EQ(test.wrong(items, tiles), "") << "replay " << replay;
        ASSERT_EQ(steps.result(), "") << "the scan of replay " << replay;
    }
}

template <class A, class Op>
void check_epochs(const Op& op, const A& init) {
    const std::uint32_t tiles = reduced() ? 201 : 2001;
    prefix_case<A, Op, A> test(op, init, tiles);
    const prefix_workspace<A> workspace(test.gpu, tiles);
    for (const unsigned blocks : {1U, 7U, 200U}) {
        for (int launch = 0; launch < 6; ++launch) {
            if (launch == 2) access::set_epoch<A>(test.gpu, 0xfffffffe);
            const exact_items<A> items{blocks + static_cast<unsigned>(launch)};
            test.reset();
            test.start(workspace, items, blocks, 64);
            ASSERT_EQ(test.wrong(items, tiles), "") << blocks << " blocks, launch " << launch;
        }
    }
}
TEST(DevicePrefix, NumbersOfLaunchesBeginAgain) {
    check_epochs<std::uint32_t>(plus{}, std::uint32_t{1});
    check_epochs<affine32>(affine{}, affine32{3, 5});
    check_epochs<span_of>(join{}, span_of{1, ~0ULL, ~0ULL});
}

TEST(DevicePrefix, MoreBlocksThanRunAtOnce) {
    if (reduced()) GTEST_SKIP() << "a sanitizer may run one kernel after the other";
    const std::uint32_t tiles = 3000;
    prefix_case<std::uint32_t, plus<>, std::uint32_t> test(plus{}, 1U, tiles);
    const prefix_workspace<std::uint32_t> workspace(test.gpu, tiles);
    const exact_items<std::uint32_t> items{3};
    test.reset();
    test.start(workspace, items, 8, 256);  // loads the kernel
    ASSERT_EQ(test.wrong(items, tiles), "");
    test.reset();
    hog others(1);  // only one multiprocessor is left
    test.start(workspace, items, 4000, 1024);
    test.s.wait();
    EXPECT_TRUE(others.release()) << "the hog gave up before";
    EXPECT_EQ(test.wrong(items, tiles), "");
}

}  // namespace lookback::test
