// Selections, partitions and runs of numbers of every size. Predicates are called by loops that are
// compiled for several instruction sets; keys are compared by kernels. NaN is not below or equal to
// anything; 0 and -0 are equal.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>

#include "support/compaction.hpp"

namespace lookback::test {
namespace {

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

// A few values from the whole range of the type, so that there are runs.
template <class T>
std::vector<T> few_values(std::size_t n) {
    using limits = std::numeric_limits<T>;
    std::vector<T> values = {
        T(0), T(1), T(2), limits::max(), limits::lowest(), T(limits::max() / 2)};
    if constexpr (std::is_floating_point_v<T>) {
        values.insert(values.end(), {T(-0.0), limits::quiet_NaN(), limits::infinity(), T(0.5)});
    }
    std::mt19937_64 random(n);
    std::vector<T> items(n);
    std::size_t which = 0;
    for (T& item : items) {
        if (random() % 3 == 0) which = random() % values.size();
        item = values[which];
    }
    return items;
}

template <class T>
std::vector<T> kept_by_a_loop(const T* in, std::size_t n, const auto& keep) {
    std::vector<T> kept;
    for (std::size_t i = 0; i < n; ++i) {
        if (keep(i)) kept.push_back(in[i]);
    }
    return kept;
}

template <class T>
struct Numbers : testing::Test {};
using number_types =
    testing::Types<std::uint8_t, std::int16_t, std::uint32_t, float, std::int64_t, double>;
TYPED_TEST_SUITE(Numbers, number_types);

// Checks arrays of many sizes, with two alignments.
template <class T, class Check>
void for_arrays(const Check& check) {
    const std::size_t tile = detail::compaction_tile_items<T>;
    for (const std::size_t n : sizes_around(tile)) {
        if (n > 4 * tile && !std::is_same_v<T, double> && !std::is_same_v<T, std::uint8_t>)
            continue;
        const auto all = few_values<T>(n + 3);
        for (const std::size_t skipped : {0, 3}) {
            for (const int threads : {1, 3}) {
                check(all, skipped, n, cpu{.threads = threads});
                if (testing::Test::HasFatalFailure()) return;
            }
        }
    }
}

TYPED_TEST(Numbers, KeptByAPredicate) {
    using T = TypeParam;
    constexpr T bound = T(2);
    for_arrays<T>([&](const auto& all, std::size_t skipped, std::size_t n, const cpu& where) {
        const T* const in = all.data() + skipped;
        const auto below = [](T x) { return x < bound; };
        const auto above = [](T x) { return x > bound; };
        const auto want = kept_by_a_loop(in, n, [&](std::size_t i) { return below(in[i]); });
        std::vector<T> out(n);
        out.resize(select_if(where, in, in + n, out.data(), below));
        ASSERT_TRUE(same_bits(out, want)) << n << " from item " << skipped;
        // Into three outputs: NaN goes to the third.
        const auto second = kept_by_a_loop(in, n, [&](std::size_t i) { return above(in[i]); });
        const auto third =
            kept_by_a_loop(in, n, [&](std::size_t i) { return !below(in[i]) && !above(in[i]); });
        std::vector<T> a(n), b(n), c(n);
        const auto [to_a, to_b] =
            partition_if(where, in, in + n, a.data(), b.data(), c.data(), below, above);
        a.resize(to_a), b.resize(to_b), c.resize(n - to_a - to_b);
        ASSERT_TRUE(same_bits(a, want) && same_bits(b, second) && same_bits(c, third))
            << n << " from item " << skipped;
    });
}

TYPED_TEST(Numbers, FirstOfEachRun) {
    using T = TypeParam;
    for_arrays<T>([&](const auto& all, std::size_t skipped, std::size_t n, const cpu& where) {
        const T* const in = all.data() + skipped;
        const auto begins = [&](std::size_t i) { return i == 0 || !(in[i] == in[i - 1]); };
        const auto want = kept_by_a_loop(in, n, begins);
        std::vector<T> out(n);
        out.resize(unique(where, in, in + n, out.data()));
        ASSERT_TRUE(same_bits(out, want)) << n << " from item " << skipped;
        std::vector<T> keys(n);
        std::vector<std::uint32_t> lengths(n);
        const std::size_t runs = run_length_encode(where, in, in + n, keys.data(), lengths.data());
        keys.resize(runs);
        ASSERT_TRUE(same_bits(keys, want)) << n << " from item " << skipped;
        for (std::size_t r = 0, i = 0; r < runs; i += lengths[r++]) {
            ASSERT_TRUE(begins(i)) << n << " from item " << skipped;
        }
    });
}

}  // namespace
}  // namespace lookback::test
