// Calls with ranges, and without an execution, give the results of the same calls with iterators.
#include <algorithm>
#include <functional>
#include <memory>
#include <ranges>
#include <span>

#include "support/check_scan.hpp"

namespace lookback::test {
namespace {

using ints = std::vector<int>;
using counts = std::vector<std::size_t>;

const ints keys = {1, 1, 2, 2, 2, 3, 1, 1};
const ints values = {3, 1, 7, 0, 4, 1, 6, 3};
const auto is_odd = [](int x) { return x % 2 != 0; };

ints first(const ints& all, std::size_t items) {
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(items)};
}

}  // namespace

TEST(Ranges, OfScans) {
    ints out(8);
    EXPECT_EQ(lookback::inclusive_scan(values, out), out.end());
    EXPECT_EQ(out, (ints{3, 4, 11, 11, 15, 16, 22, 25}));
    lookback::exclusive_scan(values, out);
    EXPECT_EQ(out, (ints{0, 3, 4, 11, 11, 15, 16, 22}));
    lookback::exclusive_scan(values.begin(), values.end(), out.begin());
    EXPECT_EQ(out, (ints{0, 3, 4, 11, 11, 15, 16, 22}));
    lookback::exclusive_scan(cpu{1}, values, out, 5, maximum{});
    EXPECT_EQ(out, (ints{5, 5, 5, 7, 7, 7, 7, 7}));
}

TEST(Ranges, OfScansAlongAnAxis) {
    const axis_extents columns{1, 2, 4};
    ints out(8);
    EXPECT_EQ(lookback::inclusive_scan(values, columns, out), out.end());
    EXPECT_EQ(out, (ints{3, 1, 7, 0, 7, 2, 13, 3}));
    lookback::inclusive_scan(values, columns, out, plus<>{}, 10);
    EXPECT_EQ(out, (ints{13, 11, 17, 10, 17, 12, 23, 13}));
    lookback::exclusive_scan(cpu{1}, values, columns, out, 1);
    EXPECT_EQ(out, (ints{1, 1, 1, 1, 4, 2, 8, 1}));
    lookback::exclusive_scan(values.begin(), columns, out.begin());
    EXPECT_EQ(out, (ints{0, 0, 0, 0, 3, 1, 7, 0}));
}

TEST(Ranges, OfScansByKey) {
    ints out(8);
    EXPECT_EQ(lookback::inclusive_scan_by_key(keys, values, out), out.end());
    EXPECT_EQ(out, (ints{3, 4, 7, 7, 11, 1, 6, 9}));
    lookback::inclusive_scan_by_key(keys, values, out, 10, maximum{});
    EXPECT_EQ(out, (ints{10, 10, 10, 10, 10, 10, 10, 10}));
    lookback::exclusive_scan_by_key(keys, values, out);
    EXPECT_EQ(out, (ints{0, 3, 0, 7, 7, 0, 0, 6}));
    lookback::exclusive_scan_by_key(cpu{1}, keys, values, out, 1, plus<>{}, std::equal_to<>{});
    EXPECT_EQ(out, (ints{1, 4, 1, 8, 8, 1, 1, 7}));
    lookback::exclusive_scan_by_key(keys.begin(), keys.end(), values.begin(), out.begin(), 0);
    EXPECT_EQ(out, (ints{0, 3, 0, 7, 7, 0, 0, 6}));
}

TEST(Ranges, OfSegmentedScans) {
    const ints flags = {0, 0, 1, 0, 0, 1, 1, 0}, offsets = {0, 2, 5, 5, 8};
    ints out(8);
    EXPECT_EQ(lookback::inclusive_segmented_scan(values, head_flags{flags.begin()}, out),
              out.end());
    EXPECT_EQ(out, (ints{3, 4, 7, 7, 11, 1, 6, 9}));
    const segment_offsets segments{offsets.begin(), offsets.end()};
    lookback::inclusive_segmented_scan(values, segments, out, 1);
    EXPECT_EQ(out, (ints{4, 5, 8, 8, 12, 2, 8, 11}));
    lookback::exclusive_segmented_scan(cpu{1}, values, segments, out);
    EXPECT_EQ(out, (ints{0, 3, 0, 7, 7, 0, 1, 7}));
    lookback::exclusive_segmented_scan(values.begin(), values.end(), segments, out.begin(), 0,
                                       maximum{});
    EXPECT_EQ(out, (ints{0, 3, 0, 7, 7, 0, 1, 6}));
}

TEST(Ranges, OfSelections) {
    ints out(8), out_values(8);
    EXPECT_EQ(first(out, lookback::select_if(values, out, is_odd)), (ints{3, 1, 7, 1, 3}));
    const ints flags = {1, 0, 0, 0, 1, 0, 0, 1};
    EXPECT_EQ(first(out, lookback::select_flagged(values, flags, out)), (ints{3, 4, 3}));
    EXPECT_EQ(first(out, lookback::unique(keys, out)), (ints{1, 2, 3, 1}));
    EXPECT_EQ(first(out, lookback::unique(cpu{1}, keys, out, std::less_equal<>{})), (ints{1, 1}));
    EXPECT_EQ(lookback::unique_by_key(keys, values, out, out_values), 4u);
    EXPECT_EQ(first(out, 4), (ints{1, 2, 3, 1}));
    EXPECT_EQ(first(out_values, 4), (ints{3, 7, 1, 6}));
    EXPECT_EQ(lookback::select_if(values.begin(), values.end(), out.begin(), is_odd), 5u);
    ints in_place = values;
    EXPECT_EQ(lookback::select_if(in_place, in_place, is_odd), 5u);
    EXPECT_EQ(first(in_place, 5), (ints{3, 1, 7, 1, 3}));
}

TEST(Ranges, OfPartitions) {
    ints out(8), rest(8), third(8);
    EXPECT_EQ(lookback::partition_if(values, out, is_odd), 5u);
    EXPECT_EQ(out, (ints{3, 1, 7, 1, 3, 0, 4, 6}));
    EXPECT_EQ(lookback::partition_if(cpu{1}, values, out, rest, is_odd), 5u);
    EXPECT_EQ(first(rest, 3), (ints{0, 4, 6}));
    const auto is_zero = [](int x) { return x == 0; };
    const partition_counts found =
        lookback::partition_if(values, out, rest, third, is_odd, is_zero);
    EXPECT_EQ(found.first, 5u);
    EXPECT_EQ(found.second, 1u);
    EXPECT_EQ(first(third, 2), (ints{4, 6}));
    EXPECT_EQ(lookback::partition_if(values.begin(), values.end(), out.begin(), is_odd), 5u);
}

TEST(Ranges, ThatAreArrays) {
    int in[8] = {3, 1, 7, 0, 4, 1, 6, 3};
    int kept[8] = {}, rest[8] = {}, out[8] = {};
    EXPECT_EQ(lookback::partition_if(in, kept, rest, is_odd), 5u);
    EXPECT_EQ(ints(kept, kept + 8), (ints{3, 1, 7, 1, 3, 0, 0, 0}));
    EXPECT_EQ(ints(rest, rest + 8), (ints{0, 4, 6, 0, 0, 0, 0, 0}));
    EXPECT_EQ(lookback::partition_if(cpu{1}, in, kept, rest, is_odd), 5u);
    EXPECT_EQ(lookback::partition_if(in, out, is_odd), 5u);
    EXPECT_EQ(ints(out, out + 8), (ints{3, 1, 7, 1, 3, 0, 4, 6}));
    EXPECT_EQ(lookback::partition_if(cpu{1}, in, out, is_odd), 5u);
    EXPECT_EQ(lookback::partition_if(in, in + 8, out, is_odd), 5u);
    EXPECT_EQ(lookback::partition_if(cpu{1}, in, in + 8, out, is_odd), 5u);
}

// The second argument is an output, never the end of the first.
template <class... Arrays>
concept selects = requires(Arrays&... arrays) { lookback::select_if(arrays..., is_odd); };
static_assert(selects<int[8], int[8]>);
static_assert(selects<const cpu, int[8], int[8]>);
static_assert(selects<int[8], int*, int[8]>);
static_assert(!selects<int[8], int[8], int[8]>);
static_assert(!selects<const cpu, int[8], int[8], int[8]>);

TEST(Ranges, OfPartitionsIntoOneBackward) {
    const ints want = {6, 4, 0, 3, 1, 7, 1, 3};
    ints guarded(24, -1);  // so that writes beside the output show
    const auto begin = guarded.begin() + 8, end = begin + 8;
    EXPECT_EQ(lookback::partition_if(values.begin(), values.end(), std::make_reverse_iterator(end),
                                     is_odd),
              5u);
    EXPECT_EQ(ints(begin, end), want);
    std::fill(begin, end, -1);
    EXPECT_EQ(lookback::partition_if(
                  values, std::ranges::subrange(begin, end) | std::views::reverse, is_odd),
              5u);
    EXPECT_EQ(ints(begin, end), want);
    EXPECT_EQ(std::count(guarded.begin(), guarded.end(), -1), 16);
}

TEST(Ranges, OfRuns) {
    ints out(8), sums(8);
    counts lengths(8), offsets(4);
    EXPECT_EQ(lookback::run_length_encode(keys, out, lengths), 4u);
    EXPECT_EQ(first(out, 4), (ints{1, 2, 3, 1}));
    EXPECT_EQ((counts{lengths.begin(), lengths.begin() + 4}), (counts{2, 3, 1, 2}));
    EXPECT_EQ(lookback::nontrivial_runs(keys, offsets, lengths), 3u);
    EXPECT_EQ((counts{offsets.begin(), offsets.begin() + 3}), (counts{0, 2, 6}));
    EXPECT_EQ(lookback::reduce_by_key(keys, values, out, sums), 4u);
    EXPECT_EQ(first(sums, 4), (ints{4, 11, 1, 9}));
    EXPECT_EQ(lookback::reduce_by_key(cpu{1}, keys, values, out, sums, maximum{}), 4u);
    EXPECT_EQ(first(sums, 4), (ints{3, 7, 1, 6}));
    EXPECT_EQ(lookback::reduce_by_key(keys.begin(), keys.end(), values.begin(), out.begin(),
                                      sums.begin()),
              4u);
}

TEST(Ranges, ComputedAndWithEndsOfAnotherType) {
    const std::size_t n = 100000;
    std::vector<unsigned> out(n), want(n);
    for (unsigned i = 0, sum = 0; i < n; ++i) want[i] = sum += i;
    lookback::inclusive_scan(cpu{4}, std::views::iota(0u, n), out);
    EXPECT_EQ(out, want);
    lookback::inclusive_scan(cpu{4}, std::views::iota(0u) | std::views::take(n), out, plus<>{}, 0u);
    EXPECT_EQ(out, want);
    const auto numbers = std::views::iota(0u) | std::views::take(n);
    EXPECT_EQ(lookback::select_if(numbers, out, [](unsigned i) { return i % 2 == 1; }), n / 2);
    EXPECT_EQ(out[n / 2 - 1], n - 1);
}

// A temporary view of an array is written through; a temporary array, which would be lost, is
// refused.
TEST(Ranges, ThatAreTemporaries) {
    ints out(8);
    lookback::inclusive_scan(values, std::span(out));
    EXPECT_EQ(out.back(), 25);
    lookback::inclusive_scan(values | std::views::take(4), out | std::views::drop(4));
    EXPECT_EQ(out.back(), 11);
    lookback::inclusive_scan(ints{1, 2}, std::views::reverse(out));
    EXPECT_EQ(out.back(), 1);
}

// With executions that are derived from `cpu`, or references to a `cpu`.
TEST(Ranges, WithDerivedAndReferencedExecutions) {
    struct my_cpu : cpu {};
    const my_cpu mine{{.threads = 1}};
    const cpu where{1};
    ints out(8), sums(8);
    lookback::inclusive_scan(mine, values, out);
    EXPECT_EQ(out.back(), 25);
    lookback::exclusive_scan(std::cref(where), values.begin(), values.end(), out.begin());
    EXPECT_EQ(out.back(), 22);
    lookback::inclusive_scan_by_key(mine, keys, values, out);
    EXPECT_EQ(out.back(), 9);
    lookback::exclusive_segmented_scan(mine, values, head_flags{keys.begin()}, out);
    EXPECT_EQ(lookback::select_if(mine, values, out, is_odd), 5u);
    EXPECT_EQ(lookback::unique(std::cref(where), keys.begin(), keys.end(), out.begin()), 4u);
    EXPECT_EQ(lookback::partition_if(mine, values, out, is_odd), 5u);
    EXPECT_EQ(lookback::reduce_by_key(std::ref(where), keys, values, out, sums), 4u);
    EXPECT_EQ(lookback::run_length_encode(my_cpu{}, keys, out, sums), 4u);
}

// With an object that converts to an execution, and with an execution in braces.
TEST(Ranges, WithWhatConvertsToAnExecution) {
    struct on_two_threads {
        operator cpu() const { return {.threads = 2}; }
    };
    ints out(8);
    lookback::inclusive_scan(on_two_threads{}, values, out);
    EXPECT_EQ(out.back(), 25);
    lookback::inclusive_scan({.threads = 2}, values, out);
    EXPECT_EQ(out.back(), 25);
    lookback::inclusive_scan({.threads = 2}, values.begin(), values.end(), out.begin());
    EXPECT_EQ(out.back(), 25);
}

TEST(Ranges, FunctionsThatOnlyMoveAndItemsThatAreNotConst) {
    ints in = values, out(8);
    auto owner = [two = std::make_unique<int>(2)](int x) { return x % *two == 1; };
    EXPECT_EQ(lookback::select_if(cpu{}, in.begin(), in.end(), out.begin(), std::move(owner)), 5U);
    EXPECT_EQ(lookback::select_if(in, out, [](int& x) { return x % 2 == 1; }), 5U);
    int a[4] = {1, 2, 3, 4}, flags[4] = {0, 1, 0, 1}, b[4] = {}, c[4] = {};
    EXPECT_EQ(lookback::select_flagged(a, a + 4, flags, b), 2U);
    EXPECT_EQ(b[1], 4);
    EXPECT_EQ(lookback::unique_by_key(a, a + 4, flags, b, c), 4U);
}

}  // namespace lookback::test
