// The benchmark on the CPU: everybody, on every cell of the table, in turn.
//
// Google Benchmark runs what is registered in the order of registration, all repetitions of one
// benchmark in a row, and its random interleaving would shuffle whole cells into each other, each
// with other memory. The speed of a machine drifts, so here a repetition is a benchmark of its own,
// of the same name: a cell's implementations follow each other, in another order in each round. The
// medians of the rounds are taken where the results are read (tools/bench_table.py).

#include <benchmark/benchmark.h>
#include <omp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cell.hpp"
#include "machine.hpp"
#include "openmp_peers.hpp"
#include "ours.hpp"
#include "peers.hpp"
#include "workloads.hpp"

namespace lookback::bench {
namespace {

struct settings {
    int rounds;
    double min_seconds;  // a repetition takes at least so long
    bool quick;
};

std::size_t power(int exponent) { return std::size_t{1} << exponent; }

constexpr std::size_t few_items = std::size_t{1} << 22;

template <class Implementation, class Cell>
void measure(benchmark::State& state, Cell& cell) {
    cell.open();
    if constexpr (std::same_as<Implementation, openmp>) start_openmp_threads();
    // Threads are started and caches filled before the clock, except where one call is long: a slow
    // first call would pass for a whole repetition.
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
    struct entry {
        const char* name;
        std::function<void(benchmark::State&)> body;
    };
    std::array entries{entry{Implementations::name, [shared](benchmark::State& state) {
                                 measure<Implementations>(state, *shared);
                             }}...};
    std::mt19937 order(static_cast<std::mt19937::result_type>(items));
    for (int round = 0; round < with.rounds; ++round) {
        std::shuffle(entries.begin(), entries.end(), order);
        for (const entry& e : entries) {
            benchmark::RegisterBenchmark((shared->name() + "/" + e.name).c_str(), e.body)
                ->UseRealTime()
                ->MinTime(with.min_seconds);
        }
    }
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

// The file has everything, and tools/bench_table.py reads it; cells tell on their own where we are.
class silent_reporter : public benchmark::BenchmarkReporter {
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>&) override {}
};

int run(int argc, char** argv) {
    CLI::App app("Measures the scan on the CPU against its peers and against a copy.");
    std::string out;
    bool quick = false;
    std::string filter = ".";
    app.add_option("--out", out, "Write the results to this JSON file")->required();
    app.add_flag("--quick", quick, "Fewer sizes and repetitions");
    app.add_option("--filter", filter, "Only what matches, as sum/i32/1024/ours");
    CLI11_PARSE(app, argc, argv);

    const settings with = quick ? settings{3, 0.005, true} : settings{9, 0.01, false};
    for (const auto& [name, value] : describe_machine()) benchmark::AddCustomContext(name, value);
    benchmark::AddCustomContext("rounds", std::to_string(with.rounds));
    benchmark::AddCustomContext("quick", quick ? "yes" : "no");
    std::vector<std::string> flags{argv[0], "--benchmark_out=" + out,
                                   "--benchmark_filter=" + filter};
    std::vector<char*> pointers;
    for (std::string& flag : flags) pointers.push_back(flag.data());
    int count = static_cast<int>(pointers.size());
    benchmark::Initialize(&count, pointers.data());
    add_all(with);
    silent_reporter silent;
    benchmark::RunSpecifiedBenchmarks(&silent);
    benchmark::Shutdown();
    return 0;
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) { return lookback::bench::run(argc, argv); }
