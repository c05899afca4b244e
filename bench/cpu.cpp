// The benchmark on the CPU: everybody, on every cell of the table, in turn.

#include <benchmark/benchmark.h>
#include <omp.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "cell.hpp"
#include "openmp_peers.hpp"
#include "ours.hpp"
#include "peers.hpp"
#include "rounds.hpp"
#include "workloads.hpp"

namespace lookback::bench {
namespace {

template <class Implementation, class Cell>
void measure(benchmark::State& state, Cell& cell) {
    cell.open();
    if constexpr (std::same_as<Implementation, openmp>) start_openmp_threads();
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
    // OpenMP's threads spin for a while after their work, at the expense of who comes next.
    if constexpr (std::same_as<Implementation, openmp>) omp_pause_resource_all(omp_pause_hard);
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

// Sums of numbers and their running maximum: where a thread may still be enough, a copy by one
// thread counts too.
template <class W, class... More>
void add_numbers(int exponent, const settings& with) {
    if (power(exponent) <= few_items) {
        add_cell<W, nontemporal_copy, memcpy_all, memcpy_one, sequential, par_unseq, tbb_scan,
                 tbb_simd, openmp, openmp_simd, ours>(power(exponent), with);
    } else {
        add_cell<W, nontemporal_copy, memcpy_all, sequential, par_unseq, tbb_scan, tbb_simd, openmp,
                 openmp_simd, ours, More...>(power(exponent), with);
    }
}

// So few items that threads cannot pay.
template <class T>
void add_small_sums(const settings& with) {
    const settings brief{with.rounds, with.min_seconds / 2, with.quick};
    for (const int exponent : {4, 6, 8, 12}) {
        add_cell<sum<T>, memcpy_one, sequential, openmp_simd, ours>(power(exponent), brief);
    }
}

template <class T>
void add_sums(const std::vector<int>& exponents, const settings& with) {
    if (!with.quick) add_small_sums<T>(with);
    for (const int exponent : exponents) {
        if (exponent == 28 && (std::same_as<T, std::int32_t> || std::same_as<T, float>)) {
            add_numbers<sum<T>, ours_exclusive, ours_in_place, ours_backward, ours_1_thread,
                        ours_16_threads>(exponent, with);
        } else {
            add_numbers<sum<T>>(exponent, with);
        }
    }
}

void add_all(const settings& with) {
    const std::vector<int> exponents =
        with.quick ? std::vector{10, 14, 22} : std::vector{10, 14, 18, 22, 26, 28};
    std::vector<int> and_large = exponents;
    if (with.quick) and_large.push_back(28);
    add_sums<std::int32_t>(and_large, with);
    add_sums<float>(and_large, with);
    add_sums<std::int64_t>(exponents, with);
    add_sums<double>(exponents, with);
    add_sums<std::uint8_t>(and_large, with);
    add_sums<std::uint16_t>(exponents, with);
    for (const int exponent : exponents) {
        add_numbers<running_maximum<std::int32_t>>(exponent, with);
        add_numbers<running_maximum<float>>(exponent, with);
        if (exponent > 26) continue;
        add_cell<matrix_product, nontemporal_copy, memcpy_all, memcpy_one, sequential, par_unseq,
                 tbb_scan, openmp, ours>(power(exponent), with);
    }
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) {
    using namespace lookback::bench;
    return run_program(argc, argv,
                       "Measures the scan on the CPU against its peers and against a copy.",
                       settings{9, 0.01, false}, settings{3, 0.005, true}, add_all);
}
