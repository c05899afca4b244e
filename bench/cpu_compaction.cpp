// The benchmark of selections, runs and segments on the CPU: all implementations, on every cell of
// the table, interleaved.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "compaction_cell.hpp"
#include "compaction_peers.hpp"
#include "compaction_workloads.hpp"
#include "rounds.hpp"

namespace lookback::bench::compaction {
namespace {

template <class Implementation, class Cell>
void measure(benchmark::State& state, Cell& cell) {
    cell.open();
    if (cell.items() <= few_items) {
        for (int call = 0; call < 3; ++call) {
            if (is_in_place<Implementation>) cell.copy_input_to_output();
            cell.template run<Implementation>();
        }
    }
    for (auto _ : state) {
        if constexpr (is_in_place<Implementation>) {
            state.PauseTiming();
            cell.copy_input_to_output();
            state.ResumeTiming();
        }
        benchmark::DoNotOptimize(cell.template run<Implementation>());
        benchmark::ClobberMemory();
    }
    state.counters["moved_bytes"] = static_cast<double>(cell.moved_bytes());
}

template <class... Implementations, class Operation>
void add_cell(const Operation& operation, std::size_t items, const settings& with) {
    using this_cell = cell<Operation, Implementations...>;
    const auto shared = std::make_shared<this_cell>(operation, items);
    std::vector<entry> entries{entry{Implementations::name, [shared](benchmark::State& state) {
                                         measure<Implementations>(state, *shared);
                                     }}...};
    add_rounds(shared->name(), items, std::move(entries), with);
}

template <class... Peers, class Operation>
void add_compaction(const Operation& operation, std::size_t items, const settings& with) {
    add_cell<nontemporal_copy, memcpy_all, sequential, Peers..., ours, ours_in_place>(operation,
                                                                                      items, with);
}

template <class Operation>
void add_scan(const Operation& operation, std::size_t items, const settings& with) {
    add_cell<nontemporal_copy, memcpy_all, sequential, plain_scan, ours>(operation, items, with);
}

// The cells that have goals.
void add_goals(std::size_t items, const settings& with) {
    add_compaction<par_unseq, tbb_two_passes>(select_if{{}, {50}}, items, with);
    add_compaction<>(run_length_encode{{}, {500}}, items, with);
    add_compaction<>(reduce_by_key{{}, {500}}, items, with);
    add_scan(scan_by_key{{}, {500}}, items, with);
    add_scan(segmented_scan{{}, {500}}, items, with);
}

void add_size(std::size_t items, const settings& with) {
    for (const key percent : {0U, 10U, 50U, 90U, 100U}) {
        add_compaction<par_unseq, tbb_two_passes>(select_if{{}, {percent}}, items, with);
    }
    add_cell<nontemporal_copy, memcpy_all, sequential, stable_partition, par_unseq, tbb_two_passes,
             ours>(partition_if{{}, {50}}, items, with);
    for (const std::size_t mean :
         {std::size_t{1}, std::size_t{10}, std::size_t{500}, std::size_t{100000}}) {
        const random_runs runs{mean};
        add_compaction<par_unseq, tbb_two_passes>(unique{{}, runs}, items, with);
        add_compaction<>(run_length_encode{{}, runs}, items, with);
        add_compaction<>(reduce_by_key{{}, runs}, items, with);
        add_scan(scan_by_key{{}, runs}, items, with);
        add_scan(segmented_scan{{}, runs}, items, with);
    }
}

void add_all(const settings& with) {
    add_size(power(20), with);
    if (with.quick) return add_goals(power(26), with);
    add_size(power(26), with);
    add_goals(power(28), with);
}

}  // namespace
}  // namespace lookback::bench::compaction

int main(int argc, char** argv) {
    using namespace lookback::bench;
    return run_program(
        argc, argv,
        "Measures selections, runs and segments on the CPU against their peers and a copy.",
        settings{3, 0.005, false}, settings{3, 0.002, true}, compaction::add_all);
}
