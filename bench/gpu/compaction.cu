// Measures compactions and runs on a CUDA GPU against the toolkit's, and scans of columns against
// flat scans.
//   lookback_bench_gpu_compaction OUT.json [NAME...]      NAME: select_if, ...; all by default

#include <cstdio>

#include "compaction.hpp"
#include "goals.hpp"

namespace lookback::bench {
namespace {

void print_figures(const cell& c) {
    for (const char* who : {"ours", "cub", "thrust"}) print(c.device(who), 10);
    print(c.copy_us(), 10);
    std::optional<double> rate;
    if (const auto us = c.device("ours")) rate = static_cast<double>(c.least_bytes) / *us / 1e3;
    print(rate, 8, 0);
    print(c.ratio_to_copy(), 8);
    print(c.speedup_over_cub(), 8);
    print(c.in_place_ratio(), 10);
}

program compactions() {
    char columns[128];
    std::snprintf(columns, sizeof columns, "%10s%10s%10s%10s%8s%8s%8s%10s", "ours", "CUB", "Thrust",
                  "copy", "GB/s", "x copy", "x CUB", "in place");
    return {.name = "lookback_bench_gpu_compaction",
            .groups = {{"select_if", measure_select_if},
                       {"select_flagged", measure_select_flagged},
                       {"partition_if", measure_partition_if},
                       {"unique", measure_unique},
                       {"run_length_encode", measure_run_length_encode},
                       {"reduce_by_key", measure_reduce_by_key},
                       {"inclusive_scan_by_key", measure_scan_by_key},
                       {"other_types", measure_other_types},
                       {"columns", measure_columns}},
            .array_bytes = sizeof(word) << 30,
            .arrays = compaction_arrays,
            .method =
                "us of one call; median of 11 replays of a graph of calls, on one set of arrays, "
                "so arrays that fit in the L2 stay there; our kernels and the copy kernel may be "
                "launched before the one before has ended, the peers' are not; counts go to device "
                "memory, but Thrust's calls wait and return them: they are plain calls, one after "
                "the other, with the host's share; copy: of n items, the better of "
                "cudaMemcpyAsync and a kernel; ratio_to_copy: least_bytes (input, what is kept, "
                "counts) per time, as a share of the copy's rate; in_place_ratio: "
                "(restored_in_place - restoring) / (restored_beside - restoring), each a call "
                "after a copy that restores the input",
            .name_width = 38,
            .columns = columns,
            .print_figures = print_figures,
            .goals = compaction_goals};
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) {
    return lookback::bench::run(lookback::bench::compactions(), argc, argv);
}
