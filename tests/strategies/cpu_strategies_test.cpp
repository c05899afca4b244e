// The strategies on the CPU, compared with the sequential fold, and the registry of their names.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "strategies/cpu/single_pass.hpp"
#include "strategies/cpu/two_phases.hpp"
#include "strategies/registry.hpp"
#include "support/check_scan.hpp"

namespace lookback::strategies {
namespace {

using test::kind;
using test::sequential_scan;

// Values whose sums are exact in any order.
template <class T>
std::vector<T> exact_values(std::size_t n, std::uint64_t seed) {
    std::vector<T> values = test::random_values<T>(n, seed);
    if constexpr (std::is_floating_point_v<T>) {
        for (T& x : values) x = std::trunc(8 * x);
    }
    return values;
}

// Sizes around the edges of a thread's part and of a tile.
template <class T>
std::vector<std::size_t> sizes() {
    const std::size_t tile = cpu_single_pass<chained_tiles>::tile_items<T>;
    std::vector<std::size_t> all = {0, 1, 2, 3, 4, 5, 17};
    for (const std::size_t edge : {tile, 2 * tile, 9 * tile}) {
        all.insert(all.end(), {edge - 1, edge, edge + 1});
    }
    if (!test::sanitized) all.push_back(1'000'000);
    return all;
}

template <class Strategy, class T, class Op>
void check(Op op, const char* name) {
    constexpr std::size_t guard = 16;
    for (const std::size_t n : sizes<T>()) {
        const std::vector<T> items = exact_values<T>(n, n + 1);
        const std::vector<T> want = sequential_scan<T>(items, kind::inclusive, false, op, T{});
        for (const int threads : {0, 1, 2, 7}) {
            for (const bool in_place : {false, true}) {
                const std::string what = std::string(name) + ", threads " +
                                         std::to_string(threads) + ", n " + std::to_string(n) +
                                         (in_place ? ", in place" : "");
                const T poison = test::random_values<T>(1, 4711)[0];
                std::vector<T> room(n + 2 * guard, poison);
                if (in_place) std::ranges::copy(items, room.begin() + guard);
                const T* const in = in_place ? room.data() + guard : items.data();
                Strategy::run(threads, in, room.data() + guard, n, op);
                for (std::size_t i = 0; i < n; ++i) {
                    ASSERT_EQ(room[guard + i], want[i]) << "item " << i << " of: " << what;
                }
                for (std::size_t i = 0; i < guard; ++i) {
                    ASSERT_EQ(room[i], poison) << "written before the output: " << what;
                    ASSERT_EQ(room[guard + n + i], poison) << "written past the output: " << what;
                }
            }
        }
    }
}

template <class T, class Op>
void check_all(Op op) {
    check<cpu_sequential, T>(op, "sequential");
    check<cpu_scan_then_propagate, T>(op, "scan-then-propagate");
    check<cpu_reduce_then_scan, T>(op, "reduce-then-scan");
    check<cpu_single_pass<chained_tiles>, T>(op, "chained");
    check<cpu_single_pass<tiles_that_look_back>, T>(op, "look-back");
    check<cpu_library, T>(op, "the library's");
}

}  // namespace

TEST(CpuStrategies, SumsOfIntegers) { check_all<std::int32_t>(plus{}); }
TEST(CpuStrategies, SumsOfFloats) { check_all<double>(plus{}); }
TEST(CpuStrategies, Maxima) { check_all<float>(maximum{}); }
TEST(CpuStrategies, Affine8Bytes) { check_all<test::affine32>(affine{}); }
TEST(CpuStrategies, Matrix16Bytes) { check_all<test::matrix>(test::matrix_product{}); }
TEST(CpuStrategies, Span24Bytes) { check_all<test::span_of>(test::join{}); }

// A hundred runs of the strategies whose threads wait for each other.
TEST(CpuStrategies, Repeated) {
    using T = test::affine32;
    const std::vector<T> items = exact_values<T>(300'001, 5);
    const std::vector<T> want = sequential_scan<T>(items, kind::inclusive, false, affine{}, T{});
    const auto repeat = [&]<class Strategy>(Strategy) {
        for (int run = 0; run < 100; ++run) {
            std::vector<T> got(items.size());
            Strategy::run(0, items.data(), got.data(), items.size(), affine{});
            ASSERT_EQ(got, want) << "run " << run;
        }
    };
    repeat(cpu_single_pass<chained_tiles>{});
    repeat(cpu_single_pass<tiles_that_look_back>{});
}

TEST(Registry, NamesAreDistinctAndFound) {
    std::set<std::string_view> names;
    for (const strategy& s : all_strategies()) {
        EXPECT_TRUE(names.insert(s.name).second) << s.name;
        EXPECT_FALSE(s.source.empty()) << s.name;
        EXPECT_EQ(find_strategy(s.name), &s);
        EXPECT_TRUE(s.name.starts_with(s.runs_on == backend::cpu ? "cpu-" : "cuda-")) << s.name;
    }
    for (const sort_strategy& s : all_sort_strategies()) {
        EXPECT_TRUE(names.insert(s.name).second) << s.name;
        EXPECT_FALSE(s.source.empty()) << s.name;
        EXPECT_EQ(find_sort_strategy(s.name), &s);
        EXPECT_TRUE(s.name.starts_with("cuda-sort-")) << s.name;
    }
    EXPECT_EQ(find_strategy("bubble"), nullptr);
    EXPECT_EQ(find_strategy("cuda-sort-bitonic"), nullptr);
    EXPECT_EQ(find_sort_strategy("cuda-chained"), nullptr);
}

template <class T>
void check_registered(const strategy& s, item_type type) {
    const std::vector<T> items = exact_values<T>(50'000, 3);
    const auto run = [&](folding fold, auto op) {
        std::vector<T> got(items.size());
        s.run({type, fold, items.data(), got.data(), items.size()}, {});
        EXPECT_EQ(got, sequential_scan<T>(items, kind::inclusive, false, op, T{})) << s.name;
    };
    run(folding::sum, plus{});
    run(folding::maximum, maximum{});
}

TEST(Registry, EveryTypeAndOperatorOfTheCpuStrategies) {
    for (const strategy& s : all_strategies()) {
        if (s.runs_on != backend::cpu) continue;
        check_registered<std::int32_t>(s, item_type::i32);
        check_registered<std::int64_t>(s, item_type::i64);
        check_registered<float>(s, item_type::f32);
        check_registered<double>(s, item_type::f64);
    }
}

}  // namespace lookback::strategies
