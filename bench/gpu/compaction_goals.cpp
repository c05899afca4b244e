#include <algorithm>

#include "goals.hpp"

namespace lookback::bench {
namespace {

struct row {
    const char* op;
    const char* data;
    double most_ms;  // for 2^30 items
};
constexpr row rows[] = {
    {"select_if", "keep 50 %", 1.65},      {"partition_if", "keep 50 %", 2.3},
    {"unique", "runs of 500", 1.15},       {"run_length_encode", "runs of 500", 1.25},
    {"reduce_by_key", "runs of 500", 2.2}, {"inclusive_scan_by_key", "runs of 500", 3.25},
};

bool is_of(const row& r, const cell& c) { return c.op == r.op && c.data == r.data; }

goal time_of(const row& r, const std::vector<cell>& cells) {
    return extreme(
        std::string(r.op) + ", " + r.data + ", 2^30: at most " + with_digits(r.most_ms) + " ms",
        cells, [&](const cell& c) { return is_of(r, c) && c.items == 1U << 30; },
        [](const cell& c) -> std::optional<double> {
            const auto us = c.device("ours");
            return us ? std::optional(*us / 1e3) : std::nullopt;
        },
        r.most_ms, false);
}

}  // namespace

std::vector<goal> compaction_goals(const std::vector<cell>& cells) {
    std::vector<goal> all;
    for (const row& r : rows) all.push_back(time_of(r, cells));
    all.push_back(extreme(
        "all of these, 2^12 to 2^20: at most 0.75 of CUB's time", cells,
        [](const cell& c) {
            const bool small = c.items <= 1U << 20;
            return small && std::ranges::any_of(rows, [&](const row& r) { return is_of(r, c); });
        },
        [](const cell& c) -> std::optional<double> {
            const auto speedup = c.speedup_over_cub();
            return speedup ? std::optional(1 / *speedup) : std::nullopt;
        },
        0.75, false));
    // With fewer items, most of the time is taken by restoring the input and by starting a call.
    all.push_back(extreme(
        "in place, 2^28 and more: at most 1.05 times the time", cells,
        [](const cell& c) { return c.device("restoring") && c.items >= 1U << 28; },
        [](const cell& c) { return c.in_place_ratio(); }, 1.05, false));
    all.push_back(extreme(
        "columns, 2^27 and more: at most 1.5 times the flat scan's time", cells,
        [](const cell& c) { return c.device("flat") && c.items >= 1U << 27; },
        [](const cell& c) -> std::optional<double> {
            const auto ours = c.device("ours");
            return ours ? std::optional(*ours / *c.device("flat")) : std::nullopt;
        },
        1.5, false));
    return all;
}

}  // namespace lookback::bench
