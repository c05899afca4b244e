/// \file
/// What compactions and runs are measured on.
#pragma once

#include <cstdint>
#include <string>

#include "compaction.hpp"

namespace lookback::bench {

inline std::string keep_text(int percent) { return "keep " + std::to_string(percent) + " %"; }

/// Fills the input with n items, of which so many percent are kept, or with runs of this mean
/// length.
using contest_maker = contest (*)(session& s, std::uint64_t n, int percent_or_mean);

/// All sizes of one primitive, for each share of the items that is kept.
inline void measure_percents(session& s, const observer& tell, const std::string& op,
                             contest_maker make) {
    for (const int percent : {0, 10, 50, 90, 100}) {
        const auto filled = [&](std::uint64_t n) { return make(s, n, percent); };
        measure(s, tell, op, keep_text(percent), filled);
        measure_off_boundaries(s, tell, op, keep_text(percent), filled);
    }
}
/// All sizes of one primitive, for each mean length of runs.
inline void measure_runs(session& s, const observer& tell, const std::string& op,
                         contest_maker make) {
    for (const int mean : {1, 10, 500, 100'000}) {
        const std::string data = "runs of " + std::to_string(mean);
        const auto filled = [&](std::uint64_t n) { return make(s, n, mean); };
        measure(s, tell, op, data, filled);
        measure_off_boundaries(s, tell, op, data, filled);
    }
}

/// Independent items below item_limit, each as likely.
void fill_items(session& s, std::uint64_t n);
inline constexpr word item_limit = word{1} << 31;

/// Holds for a share of these items.
struct below {
    word limit;
    __host__ __device__ bool operator()(word item) const { return item < limit; }
};
inline below keep_percent(int percent) {
    return {static_cast<word>(std::uint64_t{item_limit} * static_cast<unsigned>(percent) / 100)};
}

/// Flags of a byte each, of which half are set.
void fill_flags(session& s, std::uint64_t n);

/// Keys in runs. The lengths of the runs are independent and geometric, with this mean.
void fill_keys(session& s, std::uint64_t n, int mean);

/// Small whole numbers, as floats: their sums do not depend on the order of additions.
void fill_values(session& s, std::uint64_t n);

}  // namespace lookback::bench
