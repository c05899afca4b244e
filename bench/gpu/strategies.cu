// Measures the ways to scan, and to sort, beside each other on a CUDA GPU: the library's, the
// toolkit's, and those of strategies/; and the sequential one on the CPU.
//   lookback_bench_gpu_strategies OUT.json [NAME...]      NAME: sum/i32, ...; all by default
//   lookback_bench_gpu_strategies --once NAME             one scan, for a profiler

#include <algorithm>
#include <cstdio>
#include <exception>

#include "strategies.hpp"

namespace lookback::bench {
namespace {

constexpr std::array columns_of_all = {"copy_kernel", "ours", "cub", "thrust"};

// Ways without a column get a line.
void print_figures(const cell& c) {
    for (const char* who : columns_of_all) print(c.device(who), 10);
    if (c.op == "sum" || c.op == "lengths") {
        for (const char* who : global_names) print(c.device(who), 10);
    } else {
        for (const auto& [who, us] : c.device_us) {
            if (std::ranges::find(columns_of_all, who) != columns_of_all.end()) continue;
            std::printf("\n    %-36s", who.c_str());
            print(us, 10);
        }
    }
    print(c.host("sequential"), 12);
}

program all_strategies() {
    char columns[200];
    std::snprintf(columns, sizeof columns, "%10s%10s%10s%10s%10s%10s%10s%10s%10s%10s%10s%10s%12s",
                  "copy", "ours", "CUB", "Thrust", "propagate", "hierarch.", "reduce", "elided",
                  "version 0", "version 1", "version 2", "version 3", "sequential");
    return {.name = "lookback_bench_gpu_strategies",
            .groups = {{"sum/i32", measure_sums_i32},
                       {"sum/f32", measure_sums_f32},
                       {"sum/i64", measure_sums_i64},
                       {"lengths/i32", measure_lengths},
                       {"blocks/i32", measure_blocks},
                       {"compaction/u32", measure_compaction},
                       {"sort/u32", measure_sorts}},
            .array_bytes = std::uint64_t{8} << 30,  // 2^30 of 8 bytes
            .arrays = 2,
            .method =
                "us of one call; device: median of 11 replays of a graph of calls, one pair of "
                "arrays, so arrays that fit in the L2 stay there; our kernels and the copy kernel "
                "may be launched before the one before has ended, the others are not; sequential: "
                "the best of 5 runs (compaction and sort: 3) on one thread of the host; blocks: "
                "scan-then-propagate with each block scan; compaction: select_if beside kernels "
                "that mark, scan and scatter; sort: random keys",
            .name_width = 30,
            .columns = columns,
            .print_figures = print_figures,
            .goals = [](const std::vector<cell>&) { return std::vector<goal>{}; }};
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) try {
    using namespace lookback::bench;
    if (argc == 3 && std::string(argv[1]) == "--once") {
        scan_once(argv[2]);
        return 0;
    }
    return run(all_strategies(), argc, argv);
} catch (const std::exception& e) {
    std::fprintf(stderr, "lookback_bench_gpu_strategies: %s\n", e.what());
    return 1;
}
