// The strategies on large arrays. Those in one pass are also run where races would show: arrays of
// the lengths for which the report that they follow states its results, a hundred runs, and few
// multiprocessors left.
#include <string>

#include "strategies/cuda/strategies.cuh"
#include "support/generated.hpp"

namespace lookback::test {
namespace {

using strategies::for_each_single_pass;
using strategies::named;

template <class T>
struct arrays {
    explicit arrays(std::uint64_t n) : items{n}, in(n), out(n) { fill(on, in.data(), n, items); }

    // Returns the first place where a result does not follow from the one before it.
    template <class Strategy, class Op>
    std::string wrong(Op op) {
        check(cudaMemsetAsync(out.data(), poison, out.size() * sizeof(T), on), "poisoning");
        Strategy::run(gpu, in.data(), out.data(), in.size(), op);
        check_steps(steps, on, out.data(), out.size(), items, op);
        return steps.result();
    }

    exact_items<T> items;
    stream on;
    strategies::device gpu{on};
    inspector steps{on};
    device_array<T> in, out;
};

template <class T, class Op>
void repeat(std::uint64_t n, int runs, Op op, const char* how) {
    if (reduced()) runs = 2;
    arrays<T> all(n);
    for_each_single_pass([&]<class Strategy>(named<Strategy> s) {
        for (int run = 0; run < runs; ++run) {
            const std::string wrong = all.template wrong<Strategy>(op);
            ASSERT_EQ(wrong, "") << s.name << " of " << n << " items of " << sizeof(T)
                                 << " bytes, run " << run << ", " << how;
        }
    });
}

}  // namespace

TEST(Races, TheLengthsOfTheReport) {
    for (const std::uint64_t n : {5'003'565ULL, 50'003'565ULL, 500'003'565ULL, 1'000'003'565ULL}) {
        if (reduced() && n > 6'000'000) return;
        std::size_t free = 0, total = 0;
        check(cudaMemGetInfo(&free, &total), "asking for the free memory");
        const std::uint64_t need = 2 * n * sizeof(std::int32_t) + (std::uint64_t{1} << 28);
        if (need > free) {
            GTEST_SKIP() << "not enough device memory: " << need << " bytes for " << n << " items";
        }
        repeat<std::int32_t>(n, 3, plus{}, "one of the lengths of the report");
    }
}

// Three levels of totals, and many tiles for each block.
TEST(Large, EveryStrategyInSeveralPasses) {
    arrays<std::int32_t> all(reduced() ? 5'003'565 : 50'003'565);
    const auto run = [&]<class Strategy>(named<Strategy> s) {
        EXPECT_EQ(all.wrong<Strategy>(plus{}), "") << s.name;
    };
    strategies::for_each_multi_pass(run);
    strategies::for_each_array_block(run);
    strategies::for_each_thread_block(run);
}

TEST(Races, AHundredRuns) {
    const std::uint64_t n = reduced() ? 200'003 : 5'003'565;
    repeat<std::int32_t>(n, 100, plus{}, "one after the other");
    repeat<affine32>(n, 100, affine{}, "one after the other");
    repeat<span_of>(n / 2, 100, join{}, "one after the other");
}

// Blocks wait only for tiles whose blocks are running, whatever else uses the GPU. The hog leaves
// two multiprocessors. Nothing may be allocated beside it, so each strategy runs once before.
TEST(Races, BesideAHog) {
    if (reduced()) GTEST_SKIP() << "a sanitizer may run one kernel after the other";
    arrays<affine32> all(1'000'003);
    const auto run = [&]<class Strategy>(named<Strategy> s) {
        EXPECT_EQ(all.wrong<Strategy>(affine{}), "") << s.name;
    };
    for_each_single_pass(run);
    hog busy(2);
    for (int k = 0; k < 3; ++k) for_each_single_pass(run);
    EXPECT_TRUE(busy.release()) << "the scans waited for the hog";
}

}  // namespace lookback::test
