/// \file
/// The ways to scan and to sort, beside each other: which ones, and what is measured.
#pragma once

#include <array>
#include <string>

#include "program.hpp"

namespace lookback::bench {

/// Names of strategies, as in strategies/registry.hpp.
inline constexpr std::array global_names = {
    "cuda-scan-then-propagate",     "cuda-hierarchical",   "cuda-reduce-then-scan",
    "cuda-reduce-then-scan-elided", "cuda-chained",        "cuda-look-back-thread",
    "cuda-look-back-copy",          "cuda-look-back-warp",
};
inline constexpr std::array report_names = {
    "cuda-reduce-then-scan", "cuda-chained",        "cuda-look-back-thread",
    "cuda-look-back-copy",   "cuda-look-back-warp",
};
inline constexpr std::array block_names = {
    "cuda-block-hillis-steele",
    "cuda-block-kogge-stone",
    "cuda-block-sklansky",
    "cuda-block-brent-kung",
    "cuda-block-blelloch",
    "cuda-block-blelloch-padded",
    "cuda-block-blelloch-unrolled",
    "cuda-block-vectors",
    "cuda-block-warp-scans-brent-kung",
    "cuda-block-raking",
    "cuda-block-warp-scans-sklansky",
};
inline constexpr std::array sort_names = {
    "cuda-sort-split",          "cuda-sort-split-merge", "cuda-sort-bitonic",
    "cuda-sort-odd-even-merge", "cuda-sort-histograms",
};

/// Every way to scan, by the number of items.
void measure_sums_i32(session& s, const observer& tell);
void measure_sums_f32(session& s, const observer& tell);
void measure_sums_i64(session& s, const observer& tell);
/// The four lengths of Willén and Broløs, "Single Pass Scan", tables 1 to 4.
void measure_lengths(session& s, const observer& tell);
/// Ways to scan a tile, within scan-then-propagate.
void measure_blocks(session& s, const observer& tell);
/// Keeping some items, in one pass or by a scan and a scatter.
void measure_compaction(session& s, const observer& tell);
/// Sorts of random keys, by their number.
void measure_sorts(session& s, const observer& tell);

/// For a profiler: scans 2^28 numbers of 32 bits with the strategy of this name, warmed up, between
/// cudaProfilerStart and cudaProfilerStop. Throws std::invalid_argument if there is no such name.
void scan_once(const std::string& name);

}  // namespace lookback::bench
