// Measures summed-area tables and box filters on a CUDA GPU, against a copy of the same bytes and
// other ways to make tables. NPP's is among them in a build with LOOKBACK_BENCH_NPP, because it is
// not in every toolkit.
//   lookback_bench_gpu_tables OUT.json [--filter REGEX] [NAME...]    NAME: f32, ...; all by default

#include <algorithm>
#include <array>
#include <cstdio>

#include "goals.hpp"
#include "tables.hpp"

namespace lookback::bench {

std::string image_case::text() const {
    std::string name = (images == 1 ? "" : std::to_string(images) + " x ") +
                       std::to_string(height) + " x " + std::to_string(width);
    if (exclusive) name += ", exclusive";
    if (gap > 0) name += ", pitch + " + std::to_string(gap);
    if (off > 0) name += ", " + std::to_string(off) + " item off";
    return name;
}

namespace {

constexpr std::array columns_of_all = {"ours", "rows_then_columns", "copy_kernel", "memcpy"};

// Ways without a column get a line.
void print_figures(const cell& c) {
    for (const char* who : {"ours", "rows_then_columns"}) print(c.device(who), 12);
    print(c.copy_us(), 12);
    print(c.billions_a_second(), 10);
    print(c.ratio_to_copy(), 8);
    for (const auto& [who, us] : c.device_us) {
        if (std::ranges::find(columns_of_all, who) != columns_of_all.end()) continue;
        std::printf("\n    %-56s", who.c_str());
        print(us, 12);
    }
}

program tables() {
    char columns[128];
    std::snprintf(columns, sizeof columns, "%12s%12s%12s%10s%8s", "ours", "two scans", "copy",
                  "Gitems/s", "x copy");
    return {.name = "lookback_bench_gpu_tables",
            .groups = {{"f32", measure_tables_f32},
                       {"i32", measure_tables_i32},
                       {"u8", measure_tables_u8},
                       {"stacks", measure_stacks},
                       {"ragged", measure_ragged_tables},
                       {"ways", measure_table_ways},
                       {"box", measure_box_filters}},
            .array_bytes = std::uint64_t{16} << 30,  // a table of 65536 x 65536 entries of 4 bytes
            .arrays = 2,
            .method =
                "us of one call; median of 11 replays of a graph of calls, on one pair of "
                "arrays, so images that fit in the L2 stay there; our kernels and the copy "
                "kernel may be launched before the one before has ended, those of the strategies "
                "are not; every result was checked on the device, entry by entry, over poisoned "
                "outputs, floats on data whose sums are exact; copy: of as many bytes as have to "
                "be read and written, the better of cudaMemcpyAsync and a kernel; "
                "rows_then_columns: this library's scans along both axes; npp: NVIDIA's "
                "nppiIntegral_8u32s_C1R, left out where it is wrong; ways: RGB8 images into "
                "tables of four floats a pixel, six_scans' stages each in a graph of its own, "
                "and look-ups of windows with a radius of 12, of which every 61st was checked; "
                "box filters: of every pixel with a radius up to 12, and of every 61st of the "
                "others, against the sum of its window",
            .name_width = 60,
            .columns = columns,
            .print_figures = print_figures,
            .goals = table_goals};
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) {
    return lookback::bench::run(lookback::bench::tables(), argc, argv);
}
