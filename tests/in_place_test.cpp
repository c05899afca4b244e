// Compaction over its own input, with delays where they are most likely to cause errors. An item
// that is overwritten before it is read shows, because each item holds its number many times.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "support/compaction.hpp"

namespace lookback::test {
namespace {

// A tile has only 64 of these items, so that there are as many tiles as possible.
struct wide {
    std::array<std::uint32_t, 256> copies;
    explicit wide(std::uint32_t number) { copies.fill(number); }
    std::uint32_t number() const { return copies.front(); }
    bool whole() const { return std::count(copies.begin(), copies.end(), number()) == 256; }
};

constexpr std::size_t items = 64 * 64 + 17;
constexpr int workers = 8;  // the driver is called without the limit to the cores

std::vector<wide> numbered_items() {
    std::vector<wide> all;
    for (std::uint32_t i = 0; i < items; ++i) all.emplace_back(i);
    return all;
}

// Delays some items, chosen by item and round, so that another worker overtakes.
void delay(std::uint32_t number, unsigned round) {
    switch ((number * 2654435761U + round * 40503U) >> 20 & 255) {
        case 0: std::this_thread::sleep_for(std::chrono::microseconds(50)); break;
        case 1:
        case 2: std::this_thread::yield(); break;
        default: break;
    }
}

template <class Round>
void for_some_time(const Round& round) {
    const char* wanted = std::getenv("LOOKBACK_STRESS_SECONDS");
    const std::chrono::duration<double> time(wanted ? std::atof(wanted) : 1.0);
    const auto end = std::chrono::steady_clock::now() + time;
    for (unsigned r = 0; std::chrono::steady_clock::now() < end; ++r) {
        round(r);
        if (::testing::Test::HasFailure()) return;
    }
}

}  // namespace

TEST(InPlace, SelectUnderDelays) {
    const auto in = numbered_items();
    for_some_time([&](unsigned round) {
        // Nearly all items are kept, or few, so that writers follow readers closely, or far behind.
        const std::uint32_t drop = std::array{2U, 7U, 64U, 1000U}[round % 4];
        auto both = in;
        std::atomic<std::size_t> torn{0};
        const auto wanted = [&](const wide& x) {
            if (!x.whole()) ++torn;
            delay(x.number(), round);
            return (x.number() + round) % drop != 0;
        };
        const auto first = both.begin();
        const detail::by_predicates<decltype(wanted)> classes{wanted};
        const detail::item_classes classifier(first, classes);
        const detail::compaction_problem problem(first, items, classifier, first);
        detail::single_pass_run run(problem);
        run.run(workers);
        std::size_t kept = 0;
        for (std::uint32_t i = 0; i < items; ++i) {
            if ((i + round) % drop == 0) continue;
            ASSERT_TRUE(both[kept].whole() && both[kept].number() == i)
                << "item " << kept << " is " << both[kept].number() << " and not " << i;
            ++kept;
        }
        ASSERT_EQ(run.total().of[0], kept);
        ASSERT_EQ(torn, 0U);
    });
}

// A key is compared with the key before it, which may belong to another tile. Folds are written
// late: the last fold of a tile is written by the tile after it.
TEST(InPlace, ReduceByKeyUnderDelays) {
    const auto in = numbered_items();
    for_some_time([&](unsigned round) {
        const std::uint32_t run_length = std::array{1U, 2U, 3U, 100U}[round % 4];
        auto keys = in;
        std::vector<std::uint32_t> values(items, 1);
        std::atomic<std::size_t> torn{0};
        const auto equal = [&](const wide& x, const wide& y) {
            if (!x.whole() || !y.whole() || x.number() + 1 != y.number()) ++torn;
            delay(y.number(), round);
            return y.number() % run_length != 0;
        };
        const auto first = keys.begin();
        const plus<> op;
        using iterator = std::vector<wide>::iterator;
        using counts = std::vector<std::uint32_t>::iterator;
        using folds = detail::run_folds<iterator, counts, iterator, counts, std::uint32_t, plus<>>;
        const folds results(first, items, values.begin(), first, values.begin(), op);
        const detail::run_heads<folds::tile_items, iterator, decltype(equal)> heads(first, items,
                                                                                    equal);
        const detail::run_problem problem(results, items, heads);
        detail::single_pass_run run(problem);
        run.run(workers);
        ASSERT_EQ(run.total().heads, (items + run_length - 1) / run_length);
        for (std::uint32_t r = 0; r < run.total().heads; ++r) {
            ASSERT_TRUE(keys[r].whole() && keys[r].number() == r * run_length) << "run " << r;
            if (r + 1 < run.total().heads) {
                ASSERT_EQ(values[r], run_length) << "run " << r;
            }
        }
        ASSERT_EQ(torn, 0U);
    });
}

}  // namespace lookback::test
