#include <string>

#include "goals.hpp"

namespace lookback::bench {
namespace {

struct row {
    const char* type;
    const char* data;
    std::uint64_t items;
    double limit;
};

// Billions of keys a second, at least.
constexpr row rates[] = {
    {"u32", "random", 1U << 24, 65},     {"u32", "random", 1U << 28, 75},
    {"u32", "random", 1U << 30, 75},     {"u64", "random", 1U << 28, 22},
    {"u32+u32", "random", 1U << 28, 45},
};
// Microseconds, at most.
constexpr row times_of[] = {
    {"u8", "random", 1U << 30, 800},      {"u16", "random", 1U << 30, 1500},
    {"u32", "all equal", 1U << 28, 1200}, {"u32", "sorted", 1U << 28, 800},
    {"u32", "skewed", 1U << 28, 5400},    {"u32", "random", 1U << 10, 6},
    {"u32", "random", 1U << 12, 7},       {"u32", "random", 1U << 14, 12},
    {"u32", "random", 1U << 16, 15},      {"u32", "random", 1U << 18, 22},
    {"u32", "random", 1U << 20, 35},      {"u32", "random", 1U << 22, 85},
};

goal goal_of(const row& r, const std::vector<cell>& cells, bool is_rate) {
    cell named;
    named.op = "sort";
    named.type = r.type;
    named.data = r.data;
    named.items = r.items;
    return extreme(
        named.name() + (is_rate ? ": at least " : ": at most ") + with_digits(r.limit) +
            (is_rate ? " Gkeys/s" : " us"),
        cells,
        [&](const cell& c) { return c.type == r.type && c.data == r.data && c.items == r.items; },
        [&](const cell& c) { return is_rate ? c.billions_a_second() : c.device("ours"); }, r.limit,
        is_rate);
}

}  // namespace

std::vector<goal> sort_goals(const std::vector<cell>& cells) {
    std::vector<goal> all;
    for (const row& r : rates) all.push_back(goal_of(r, cells, true));
    for (const row& r : times_of) all.push_back(goal_of(r, cells, false));
    return all;
}

std::vector<goal> segmented_sort_goals(const std::vector<cell>& cells) {
    constexpr double limit = .6;
    std::vector<goal> all;
    for (const char* data : {"segments of 1", "segments of 30", "segments of 1000",
                             "segments of 1000000", "mixed segments"}) {
        all.push_back(extreme(
            std::string("u32 ") + data + " 2^26: at most " + with_digits(limit) + " of CUB's time",
            cells,
            [&](const cell& c) { return c.type == "u32" && c.data == data && c.items == 1U << 26; },
            [](const cell& c) -> std::optional<double> {
                const auto speedup = c.speedup_over_cub();
                return speedup ? std::optional(1 / *speedup) : std::nullopt;
            },
            limit, false));
    }
    return all;
}

}  // namespace lookback::bench
