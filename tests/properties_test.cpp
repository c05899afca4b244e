// Properties of scans on random inputs that shrink when they fail.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "lookback/lookback.hpp"

namespace lookback::test {
namespace {

// Random content, in sizes that cross tiles: the property's own vector, repeated.
std::vector<std::int32_t> stretched(const std::vector<std::int32_t>& seed) {
    const auto copies = *rc::gen::element<std::size_t>(1, 1, 10, 2000);
    std::vector<std::int32_t> all;
    for (std::size_t c = 0; c < copies; ++c) all.insert(all.end(), seed.begin(), seed.end());
    return all;
}

cpu some_threads() { return {.threads = *rc::gen::inRange(0, 9)}; }

}  // namespace

RC_GTEST_PROP(Properties, DifferencesUndoASum, (const std::vector<std::int32_t>& seed)) {
    const auto in = stretched(seed);
    std::vector<std::int32_t> sums(in.size()), back(in.size());
    lookback::inclusive_scan(some_threads(), in, sums);
    std::adjacent_difference(sums.begin(), sums.end(), back.begin(),
                             [](std::int32_t a, std::int32_t b) {
                                 return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) -
                                                                  static_cast<std::uint32_t>(b));
                             });
    RC_ASSERT(back == in);
}

RC_GTEST_PROP(Properties, ExclusiveIsInclusiveOneLater,
              (const std::vector<std::int32_t>& seed, std::int32_t init)) {
    const auto in = stretched(seed);
    std::vector<std::int32_t> inclusive(in.size()), exclusive(in.size());
    lookback::inclusive_scan(some_threads(), in, inclusive, plus<>{}, init);
    lookback::exclusive_scan(some_threads(), in, exclusive, init);
    if (in.empty()) return;
    RC_ASSERT(exclusive[0] == init);
    RC_ASSERT(std::equal(exclusive.begin() + 1, exclusive.end(), inclusive.begin()));
}

RC_GTEST_PROP(Properties, ExclusiveIsInclusiveOneLaterForFloatsToo,
              (const std::vector<std::int32_t>& seed)) {
    const auto numbers = stretched(seed);
    std::vector<double> in(numbers.begin(), numbers.end());
    for (double& x : in) x *= 0.1;
    std::vector<double> inclusive(in.size()), exclusive(in.size());
    lookback::inclusive_scan(some_threads(), in, inclusive, plus<>{}, 0.7);
    lookback::exclusive_scan(some_threads(), in, exclusive, 0.7);
    if (in.empty()) return;
    RC_ASSERT(std::equal(exclusive.begin() + 1, exclusive.end(), inclusive.begin()));
}

RC_GTEST_PROP(Properties, BackwardIsForwardReversed, (const std::vector<std::int32_t>& seed)) {
    auto in = stretched(seed);
    std::vector<std::int32_t> backward(in.size()), forward(in.size());
    lookback::inclusive_scan(some_threads(), in.rbegin(), in.rend(), backward.rbegin(), minimum{});
    std::reverse(in.begin(), in.end());
    lookback::inclusive_scan(some_threads(), in, forward, minimum{});
    std::reverse(forward.begin(), forward.end());
    RC_ASSERT(backward == forward);
}

RC_GTEST_PROP(Properties, RunningMaximumNeverFalls, (const std::vector<std::int32_t>& seed)) {
    const auto in = stretched(seed);
    std::vector<std::int32_t> out(in.size());
    lookback::inclusive_scan(some_threads(), in, out, maximum{});
    RC_ASSERT(std::is_sorted(out.begin(), out.end()));
    if (!in.empty()) RC_ASSERT(out.back() == *std::max_element(in.begin(), in.end()));
}

}  // namespace lookback::test
