// Properties of the primitives, tested on random inputs that are made smaller when a test fails.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "lookback/lookback.hpp"

namespace lookback::test {
namespace {

// Random content in sizes of more than a tile: the vector of the property, repeated.
std::vector<std::int32_t> stretched(const std::vector<std::int32_t>& seed) {
    const auto copies = *rc::gen::element<std::size_t>(1, 1, 10, 2000);
    std::vector<std::int32_t> all;
    for (std::size_t c = 0; c < copies; ++c) all.insert(all.end(), seed.begin(), seed.end());
    return all;
}

// The same, with items repeated in runs of random lengths.
std::vector<std::int32_t> in_runs(const std::vector<std::int32_t>& seed) {
    const auto longest = *rc::gen::element<std::uint32_t>(1, 3, 1000);
    std::vector<std::int32_t> all;
    for (const std::int32_t x : stretched(seed)) {
        if (all.size() > 300000) break;
        all.insert(all.end(), 1 + static_cast<std::uint32_t>(x) % longest, x);
    }
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

RC_GTEST_PROP(Properties, SelectAndItsComplementPartitionTheInput,
              (const std::vector<std::int32_t>& seed, std::int32_t limit)) {
    const auto in = stretched(seed);
    const auto below = [limit](std::int32_t x) { return x < limit; };
    const auto above = [limit](std::int32_t x) { return x >= limit; };
    std::vector<std::int32_t> both(in.size()), parts(in.size());
    const std::size_t kept = select_if(some_threads(), in.begin(), in.end(), both.begin(), below);
    const auto rest = both.begin() + static_cast<std::ptrdiff_t>(kept);
    RC_ASSERT(kept + select_if(some_threads(), in.begin(), in.end(), rest, above) == in.size());
    RC_ASSERT(partition_if(some_threads(), in.begin(), in.end(), parts.begin(), below) == kept);
    RC_ASSERT(parts == both);
    auto want = in;
    std::stable_partition(want.begin(), want.end(), below);
    RC_ASSERT(both == want);
}

RC_GTEST_PROP(Properties, DecodingUndoesRunLengths, (const std::vector<std::int32_t>& seed)) {
    const auto in = in_runs(seed);
    std::vector<std::int32_t> values(in.size());
    std::vector<std::size_t> lengths(in.size());
    const std::size_t runs =
        run_length_encode(some_threads(), in.begin(), in.end(), values.begin(), lengths.begin());
    std::vector<std::int32_t> decoded;
    for (std::size_t r = 0; r < runs; ++r) {
        // A separate variable, because RC_ASSERT evaluates all parts of its condition.
        const bool differs = r == 0 || values[r] != values[r - 1];
        RC_ASSERT(differs);
        decoded.insert(decoded.end(), lengths[r], values[r]);
    }
    RC_ASSERT(decoded == in);
    std::vector<std::int32_t> heads(in.size());
    RC_ASSERT(lookback::unique(some_threads(), in.begin(), in.end(), heads.begin()) == runs);
    RC_ASSERT(heads.begin() + static_cast<std::ptrdiff_t>(runs) ==
              std::mismatch(heads.begin(), heads.begin() + static_cast<std::ptrdiff_t>(runs),
                            values.begin())
                  .first);
}

RC_GTEST_PROP(Properties, ScanByKeyIsAScanOfEachSegment,
              (const std::vector<std::int32_t>& seed, std::int32_t init)) {
    const auto keys = in_runs(seed);
    std::vector<std::int32_t> values(keys.size()), by_key(keys.size()), one_by_one(keys.size());
    std::iota(values.begin(), values.end(), 1);
    exclusive_scan_by_key(some_threads(), keys.begin(), keys.end(), values.begin(), by_key.begin(),
                          init);
    for (std::size_t i = 0; i < keys.size();) {
        std::size_t end = i;
        while (end < keys.size() && keys[end] == keys[i]) ++end;
        const auto at = [](auto& all, std::size_t k) {
            return all.begin() + static_cast<std::ptrdiff_t>(k);
        };
        lookback::exclusive_scan(cpu{1}, at(values, i), at(values, end), at(one_by_one, i), init);
        i = end;
    }
    RC_ASSERT(by_key == one_by_one);
}

RC_GTEST_PROP(Properties, SumsByKeyAddUp, (const std::vector<std::int32_t>& seed)) {
    const auto keys = in_runs(seed);
    const std::vector<std::uint64_t> values(keys.begin(), keys.end());
    std::vector<std::int32_t> keys_out(keys.size());
    std::vector<std::uint64_t> sums(keys.size());
    reduce_by_key(some_threads(), keys.begin(), keys.end(), values.begin(), keys_out.begin(),
                  sums.begin());
    RC_ASSERT(std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}) ==
              std::accumulate(values.begin(), values.end(), std::uint64_t{0}));
}

}  // namespace lookback::test
