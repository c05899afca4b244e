/// \file
/// The benchmark programs on the CPU: cells of a table, whose implementations take turns.
///
/// Google Benchmark runs what is registered in the order of registration, all repetitions of one
/// benchmark in a row, and its random interleaving would shuffle whole cells into each other, each
/// with other memory. The speed of a machine drifts, so here a repetition is a benchmark of its
/// own, of the same name: a cell's implementations follow each other, in another order in each
/// round. The medians of the rounds are taken where the results are read (tools/bench_result.py).
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace lookback::bench {

struct settings {
    int rounds;
    double min_seconds;  ///< a repetition takes at least so long
    bool quick;
};

inline std::size_t power(int exponent) { return std::size_t{1} << exponent; }

/// Up to so many items are run a few times before the clock starts: threads are awake then, and
/// caches full. Above, one call is long.
inline constexpr std::size_t few_items = std::size_t{1} << 22;

/// Who takes part in a cell.
struct entry {
    const char* name;
    std::function<void(benchmark::State&)> body;
};

/// Registers all rounds of a cell of so many items, as "CELL/NAME".
void add_rounds(const std::string& cell, std::size_t items, std::vector<entry> entries,
                const settings& with);

/// A program: takes the options, lets `add_all` register the cells, runs them, and writes the JSON
/// file, with the machine. Returns the exit status.
int run_program(int argc, char** argv, const std::string& description, const settings& full,
                const settings& quick, const std::function<void(const settings&)>& add_all);

}  // namespace lookback::bench
