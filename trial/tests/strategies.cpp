// Every CUDA strategy on trial, with an operator that does not commute. The strategies in one pass
// run with two operators: the value of one shares a word with its state, the value of the other
// does not.
#include "strategies/cuda/strategies.cuh"

#include <functional>
#include <vector>

#include "support/check_scan.hpp"
#include "support/values.hpp"
#include "tests/trial.hpp"

namespace lookback::trial {
namespace {

template <class T, class Op>
class strategies_trial {
 public:
    strategies_trial(case_choices& choices, Op op) : choices_(choices), op_(op) {}

    template <class Strategy>
    void run(const strategies::named<Strategy>&) {
        constexpr std::uint64_t tile = Strategy::template tile_items<T>;
        strategies::device gpu;
        // Two calls share the memory between kernels.
        for (std::uint64_t calls = choices_.between(1, 2); calls > 0; --calls) {
            const std::uint64_t n = choices_.size_around(tile, 6);
            const auto shift = [&] { return choices_.one_in(3) ? choices_.below(5) : 0; };
            const bool in_place = choices_.said("in place", choices_.coin());
            const auto items = test::random_values<T>(n, choices_.bits());
            gpu_array<T> in(items, shift()), out(n, shift());
            Strategy::run(gpu, in.data(), in_place ? in.data() : out.data(), n, op_);
            const auto want =
                test::sequential_scan<T>(items, test::kind::inclusive, false, op_, T{});
            EXPECT_TRUE(same_items(in_place ? in.get() : out.get(), want));
            EXPECT_TRUE(in.is_untouched_around(n) && out.is_untouched_around(in_place ? 0 : n));
            if (!in_place) {
                EXPECT_TRUE(same_items(in.get(), items)) << "the input has changed";
            }
        }
    }

 private:
    case_choices& choices_;
    Op op_;
};

// `for_each`: a function of strategies/cuda/strategies.cuh. There are `schedules` schedules for
// each strategy. The library's own scan has other tests.
template <class T, class Op, class ForEach>
void on_trial(int schedules, Op op, const ForEach& for_each) {
    std::vector<std::function<void(case_choices&)>> all;
    for_each([&]<class Strategy>(const strategies::named<Strategy>& s) {
        if constexpr (!std::is_same_v<Strategy, strategies::library>) {
            all.push_back([op, s](case_choices& c) {
                c.text = s.name;
                strategies_trial<T, Op>(c, op).run(s);
            });
        }
    });
    for_schedules(schedules * static_cast<int>(all.size()), [&](case_choices& c) { c.of(all)(c); });
}

TEST(Strategies, InOnePass) {
    const auto for_each = [](auto&& f) { strategies::for_each_single_pass(f); };
    on_trial<test::affine32>(40, affine{}, for_each);
    on_trial<test::span_of>(20, test::join{}, for_each);
}
TEST(Strategies, InSeveralPasses) {
    on_trial<test::affine32>(25, affine{}, [](auto&& f) { strategies::for_each_multi_pass(f); });
}
TEST(Strategies, BlocksWithArrays) {
    on_trial<test::affine32>(15, affine{}, [](auto&& f) { strategies::for_each_array_block(f); });
}
TEST(Strategies, BlocksOfThreads) {
    on_trial<test::affine32>(15, affine{}, [](auto&& f) { strategies::for_each_thread_block(f); });
}

}  // namespace
}  // namespace lookback::trial
