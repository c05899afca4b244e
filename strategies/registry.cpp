#include "registry.hpp"

#include <algorithm>
#include <vector>

#include "cpu/single_pass.hpp"
#include "cpu/two_phases.hpp"

namespace lookback::strategies {
namespace {

template <class Strategy>
void run_on_cpu(const scan_call& c, const resources& r) {
    with_types(c, [&](const auto* in, auto* out, const auto& op) {
        Strategy::run(r.threads, in, out, c.items, op);
    });
}

struct cuda_name {
    std::string_view name;
    std::string_view moves;
    std::string_view source;
};

// The strategies of cuda/strategies.cuh.
constexpr cuda_name cuda_names[] = {
    {"cuda-chained", "2n", "Merrill & Garland 2016, section 3.2; Willén & Broløs, version 0"},
    {"cuda-look-back-thread", "2n",
     "Merrill & Garland 2016, section 4.1; Willén & Broløs, version 1"},
    {"cuda-look-back-copy", "2n", "Willén & Broløs, Single Pass Scan, section 3.4.1, version 2"},
    {"cuda-look-back-warp", "2n",
     "Merrill & Garland 2016, section 4.4; Willén & Broløs, version 3"},
    {"cuda-library", "2n", "this library: lookback/scan.hpp"},
    {"cuda-scan-then-propagate", "4n", "Merrill & Garland 2016, section 3.2; Sengupta et al. 2008"},
    {"cuda-reduce-then-scan", "3n", "Merrill & Garland 2016, section 3.2 and fig. 3"},
    {"cuda-reduce-then-scan-elided", "3n", "Ha & Han 2013; Merrill & Garland 2016, section 3.2"},
    {"cuda-hierarchical", "4n", "Kirk & Hwu, section 9.5"},
    {"cuda-block-hillis-steele", "4n", "Hillis & Steele 1986; GPU Gems 3, 39.2.1"},
    {"cuda-block-kogge-stone", "4n", "Kogge & Stone 1973; Kirk & Hwu, section 9.2"},
    {"cuda-block-sklansky", "4n", "Sklansky 1960; Merrill & Garland 2016, fig. 1c"},
    {"cuda-block-brent-kung", "4n", "Brent & Kung 1982; Kirk & Hwu, section 9.4"},
    {"cuda-block-blelloch", "4n", "Blelloch 1990; GPU Gems 3, 39.2.2"},
    {"cuda-block-blelloch-padded", "4n", "GPU Gems 3, 39.2.3"},
    {"cuda-block-blelloch-unrolled", "4n", "GPU Gems 3, 39.2.5"},
    {"cuda-block-vectors", "4n", "GPU Gems 3, 39.2.5: eight items a thread"},
    {"cuda-block-warp-scans-brent-kung", "4n", "Merrill & Garland 2016, fig. 2a"},
    {"cuda-block-raking", "4n", "Merrill & Garland 2016, fig. 2b"},
    {"cuda-block-warp-scans-sklansky", "4n", "Merrill & Garland 2016, fig. 2c"},
};

// The strategies of cuda/sorts.cuh, for keys of 4 bytes.
constexpr cuda_name cuda_sort_names[] = {
    {"cuda-sort-split", "7n a bit", "Blelloch 1990; GPU Gems 3, 39.3.3, figs. 39-13, 39-14"},
    {"cuda-sort-split-merge", "2n + 2n a level", "GPU Gems 3, 39.3.3 and fig. 39-15"},
    {"cuda-sort-bitonic", "2n + 2n a step", "Batcher 1968; Knuth, vol. 3, section 5.3.4"},
    {"cuda-sort-odd-even-merge", "2n + 2n a step",
     "Batcher 1968; Knuth, vol. 3, sections 5.2.2 and 5.3.4"},
    {"cuda-sort-histograms", "3n for 4 bits",
     "Satish, Harris & Garland 2009; Merrill & Grimshaw 2011"},
    {"cuda-sort-library", "n + 2n for 8 bits", "this library: lookback/sort.hpp"},
};

// The strategies of cuda/tables.cuh.
constexpr cuda_name cuda_table_names[] = {
    {"cuda-table-six-scans", "115 to 163 bytes", "GPU Gems 3, 39.3.2 and table 39-1"},
    {"cuda-table-steps-of-two", "32 bytes a step", "Hensley et al. 2005"},
    {"cuda-table-steps-of-four", "32 bytes a step", "Hensley et al. 2005"},
    {"cuda-table-steps-of-sixteen", "32 bytes a step", "Hensley et al. 2005"},
    {"cuda-table-rows-then-columns", "51 bytes", "this library: lookback/axis_scan.hpp"},
    {"cuda-table-library", "19 bytes", "this library: lookback/summed_area.hpp"},
};

template <class Call>
const strategy_for<Call>* find(std::span<const strategy_for<Call>> all, std::string_view name) {
    const auto found = std::ranges::find(all, name, &strategy_for<Call>::name);
    return found == all.end() ? nullptr : &*found;
}

std::vector<strategy> make_all() {
    std::vector<strategy> all = {
        {"cpu-sequential", backend::cpu, "2n", "one item after the other",
         run_on_cpu<cpu_sequential>},
        {"cpu-scan-then-propagate", backend::cpu, "4n", "Merrill & Garland 2016, section 3.2",
         run_on_cpu<cpu_scan_then_propagate>},
        {"cpu-reduce-then-scan", backend::cpu, "3n", "Merrill & Garland 2016, section 3.2",
         run_on_cpu<cpu_reduce_then_scan>},
        {"cpu-chained", backend::cpu, "2n", "Merrill & Garland 2016, section 3.2 and fig. 4",
         run_on_cpu<cpu_single_pass<chained_tiles>>},
        {"cpu-look-back", backend::cpu, "2n", "Merrill & Garland 2016, section 4.1 and fig. 5",
         run_on_cpu<cpu_single_pass<tiles_that_look_back>>},
        {"cpu-library", backend::cpu, "2n", "this library: lookback/scan.hpp",
         run_on_cpu<cpu_library>},
    };
    for (const auto& [name, moves, source] : cuda_names) {
        all.push_back({name, backend::cuda, moves, source, find_cuda_run(name)});
    }
    return all;
}

std::vector<sort_strategy> make_all_sorts() {
    std::vector<sort_strategy> all;
    for (const auto& [name, moves, source] : cuda_sort_names) {
        all.push_back({name, backend::cuda, moves, source, find_cuda_sort(name)});
    }
    return all;
}

std::vector<table_strategy> make_all_tables() {
    std::vector<table_strategy> all;
    for (const auto& [name, moves, source] : cuda_table_names) {
        all.push_back({name, backend::cuda, moves, source, find_cuda_table(name)});
    }
    return all;
}

}  // namespace

std::span<const strategy> all_strategies() {
    static const std::vector<strategy> all = make_all();
    return all;
}

std::span<const sort_strategy> all_sort_strategies() {
    static const std::vector<sort_strategy> all = make_all_sorts();
    return all;
}

std::span<const table_strategy> all_table_strategies() {
    static const std::vector<table_strategy> all = make_all_tables();
    return all;
}

const strategy* find_strategy(std::string_view name) { return find(all_strategies(), name); }

const sort_strategy* find_sort_strategy(std::string_view name) {
    return find(all_sort_strategies(), name);
}

}  // namespace lookback::strategies
