// Measures sorting segments on a CUDA GPU against CUB's DeviceSegmentedSort and a copy of the same
// bytes.
//   lookback_bench_gpu_segmented_sort OUT.json [--filter REGEX] [NAME...]
//       NAME: u32, ...; all by default

#include "goals.hpp"
#include "segmented_sort.hpp"
#include "sort_columns.hpp"

namespace lookback::bench {
namespace {

program segmented_sorts() {
    return {.name = "lookback_bench_gpu_segmented_sort",
            .groups = {{"u32", measure_segments_u32},
                       {"pairs", measure_segments_pairs},
                       {"u64", measure_segments_u64},
                       {"u8", measure_segments_u8}},
            // 2^26 keys of 8 bytes, or twice as many offsets of 4; some arrays begin off a
            // boundary.
            .array_bytes = (std::uint64_t{8} << 26) + 4096,
            .arrays = 3,
            .method =
                "us of one call, random keys, offsets of 4 bytes; median of 11 replays of a graph "
                "of calls, but of plain calls of CUB's, which wait for the device between their "
                "kernels; every result was checked on the device, of both, over poisoned outputs; "
                "copy: of as many bytes, without the offsets, the better of cudaMemcpyAsync and a "
                "kernel; count: of segments; mixed: of all magnitudes up to 2^22, as many items in "
                "each, an eighth of them empty; skewed: of up to 10^5 items by Zipf's law",
            .name_width = 72,
            .columns = sort_columns(),
            .print_figures = print_sort_columns,
            .goals = segmented_sort_goals};
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) {
    return lookback::bench::run(lookback::bench::segmented_sorts(), argc, argv);
}
