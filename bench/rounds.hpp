/// \file
/// The benchmark programs on the CPU: cells of a table, in which the implementations take turns.
///
/// Google Benchmark runs benchmarks in the order in which they are registered, all repetitions of
/// one benchmark in a row. Its random interleaving would mix whole cells, which use different
/// memory. But the speed of a machine drifts. So here each repetition is a benchmark of its own,
/// with the same name: the implementations of a cell follow each other, in another order in each
/// round. The program that reads the results takes the medians of the rounds
/// (tools/bench_result.py).
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

/// A cell with up to so many items is run a few times before the clock starts, so that threads are
/// awake and caches full. With more items, one call is long enough not to need this.
inline constexpr std::size_t few_items = std::size_t{1} << 22;

/// An implementation in a cell.
struct entry {
    const char* name;
    std::function<void(benchmark::State&)> body;
};

/// Registers all rounds of a cell of so many items, as "CELL/NAME".
void add_rounds(const std::string& cell, std::size_t items, std::vector<entry> entries,
                const settings& with);

/// A whole program: reads the options, lets `add_all` register the cells, runs them, and writes the
/// JSON file, which also describes the machine. Returns the exit status.
int run_program(int argc, char** argv, const std::string& description, const settings& full,
                const settings& quick, const std::function<void(const settings&)>& add_all);

}  // namespace lookback::bench
