// Measures sorting on a CUDA GPU against CUB's DeviceRadixSort and a copy of the same bytes.
//   lookback_bench_gpu_sort OUT.json [--filter REGEX] [NAME...]      NAME: u8, ...; all by default

#include <cstdio>

#include "goals.hpp"
#include "sort.hpp"
#include "sort_columns.hpp"

namespace lookback::bench {
namespace {

void print_figures(const cell& c) {
    print_sort_columns(c);
    print(c.in_place_ratio(), 10);
    print(c.host("ours"), 9);
    print(c.host("cub"), 9);
}

program sorts() {
    char others[40];
    std::snprintf(others, sizeof others, "%10s%9s%9s", "in place", "host", "CUB's");
    return {.name = "lookback_bench_gpu_sort",
            .groups = {{"u32", measure_sort_u32},
                       {"pairs", measure_sort_pairs},
                       {"forms", measure_sort_forms},
                       {"u64", measure_sort_u64},
                       {"u8", measure_sort_u8},
                       {"16", measure_sort_16},
                       {"f32", measure_sort_f32},
                       {"f64", measure_sort_f64},
                       {"pairs_u64", measure_sort_pairs_u64},
                       {"pairs_wide", measure_sort_pairs_wide}},
            // 2^30 keys of 8 bytes, or as many pairs of 4 and 4; some arrays begin off a boundary.
            .array_bytes = (std::uint64_t{8} << 30) + 4096,
            .arrays = 2,
            .method =
                "us of one call; median of 11 replays of a graph of calls, on one pair of arrays, "
                "so arrays that fit in the L2 stay there; our kernels and the copy kernel may be "
                "launched before the one before has ended, CUB's are not; every result was checked "
                "on the device, of all implementations, over poisoned outputs; copy: of as many "
                "bytes, the better of cudaMemcpyAsync and a kernel; ratio_to_copy: copy_us / "
                "ours_us; in_place_ratio: (restored_in_place - restoring) / (restored_beside - "
                "restoring), each a call after a copy that restores the input; skewed: keys of all "
                "magnitudes, each as likely; low entropy: a bit is set where three random words "
                "have it",
            .name_width = 52,
            .columns = sort_columns() + others,
            .print_figures = print_figures,
            .goals = sort_goals};
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) {
    return lookback::bench::run(lookback::bench::sorts(), argc, argv);
}
