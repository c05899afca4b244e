// Measures scans on a CUDA GPU against the toolkit's and against copies.
//   lookback_bench_gpu OUT.json [NAME...]      NAME: sum/i32, affine/affine32, ...; all by default

#include <cstdio>

#include "goals.hpp"
#include "measure.hpp"

namespace lookback::bench {
namespace {

void print_figures(const cell& c) {
    for (const char* who : {"ours", "cub", "thrust", "copy_kernel", "memcpy"}) {
        print(c.device(who), 10);
    }
    print(c.ratio_to_copy(), 8);
    print(c.speedup_over_cub(), 8);
    print(c.host("ours"), 10);
    print(c.host("empty"), 10);
}

program scans() {
    char columns[128];
    std::snprintf(columns, sizeof columns, "%10s%10s%10s%10s%10s%8s%8s%10s%10s", "ours", "CUB",
                  "Thrust", "copy", "memcpy", "x copy", "x CUB", "host", "empty");
    return {.name = "lookback_bench_gpu",
            .groups = {{"sum/i32", measure_sum_i32},
                       {"sum/f32", measure_sum_f32},
                       {"sum/i64", measure_sum_i64},
                       {"sum/f64", measure_sum_f64},
                       {"sum/u8", measure_sum_u8},
                       {"sum/u16", measure_sum_u16},
                       {"maximum", measure_maxima},
                       {"affine/affine32", measure_affine},
                       {"sum_anywhere", measure_sums_anywhere}},
            .array_bytes = std::uint64_t{8} << 30,  // 2^30 i64
            .arrays = 2,
            .method =
                "us of one call; device: median of 11 replays of a graph of calls, one pair of "
                "arrays, so arrays that fit in the L2 stay there; our kernels, the copy kernel and "
                "(CUB 3.5) the peers' may be launched before the one before has ended; host: "
                "median of 400 plain calls; copy: the better of cudaMemcpyAsync and a kernel",
            .name_width = 20,
            .columns = columns,
            .print_figures = print_figures,
            .goals = scan_goals};
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) {
    return lookback::bench::run(lookback::bench::scans(), argc, argv);
}
