/// \file
/// What the primitives that keep or drop items are measured on.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "kept.hpp"

namespace lookback::bench {

inline constexpr std::array keep_percents = {0, 10, 50, 90, 100};
inline constexpr std::array mean_runs = {1, 10, 500, 100'000};

inline std::string keep_text(int percent) { return "keep " + std::to_string(percent) + " %"; }
inline std::string runs_text(int mean) { return "runs of " + std::to_string(mean); }

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

/// Flags, of which half are set, of a byte each.
void fill_flags(session& s, std::uint64_t n);

/// Keys in runs whose lengths are independent and geometric, of this mean.
void fill_keys(session& s, std::uint64_t n, int mean);

/// Small whole numbers, as floats: their sums do not depend on the order of additions.
void fill_values(session& s, std::uint64_t n);

}  // namespace lookback::bench
