/// \file
/// Adds a cell of the table of scans (cell.hpp) to the rounds of a program (rounds.hpp).
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "cell.hpp"
#include "ours.hpp"
#include "rounds.hpp"

namespace lookback::bench {

/// One repetition. An implementation whose threads spin while others are measured has `wake` and
/// `rest`, which are called before and after it.
template <class Implementation, class Cell>
void measure(benchmark::State& state, Cell& cell) {
    cell.open();
    if constexpr (requires { Implementation::wake(); }) Implementation::wake();
    if (cell.items() <= few_items) {
        for (int call = 0; call < 3; ++call) cell.template run<Implementation>();
    }
    for (auto _ : state) {
        if constexpr (job_of<Implementation>() == job::in_place) {
            state.PauseTiming();
            cell.copy_input_to_output();
            state.ResumeTiming();
        }
        cell.template run<Implementation>();
        benchmark::ClobberMemory();
    }
    const findings& found = cell.found(Implementation::name);
    state.counters["extra_bytes"] = found.extra_bytes;
    state.counters["worst_error"] = found.worst_error;
    if constexpr (requires { Implementation::rest(); }) Implementation::rest();
}

template <class W, class... Implementations>
void add_cell(std::size_t items, const settings& with) {
    using this_cell = cell<W, Implementations...>;
    const auto shared = std::make_shared<this_cell>(items);
    std::vector<entry> entries{entry{Implementations::name, [shared](benchmark::State& state) {
                                         measure<Implementations>(state, *shared);
                                     }}...};
    add_rounds(shared->name(), items, std::move(entries), with);
}

}  // namespace lookback::bench
