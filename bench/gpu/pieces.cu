// Measures sums of flags within a block and a warp against sums of 32-bit numbers, after figures
// 3.1 and 3.2 of chapter 3 of GPU Computing Gems Jade Edition (Harris and Garland).
//   lookback_bench_gpu_pieces OUT.json [NAME...]      NAME: block_count, ...; all by default

#include "goals.hpp"
#include "pieces.hpp"

namespace lookback::bench {
namespace {

std::optional<double> over_words(const cell& c) {
    const auto words = c.device("words");
    const auto ours = c.device("ours");
    return words && ours ? std::optional(*words / *ours) : std::nullopt;
}

void print_figures(const cell& c) {
    for (const char* who : {"ours", "words", "words_raking", "words_sklansky", "cub"}) {
        print(c.device(who), 10);
    }
    print(over_words(c), 10);
}

std::vector<goal> pieces_goals(const std::vector<cell>& cells) {
    const auto every = [&](const char* text, const char* op, double limit) {
        return extreme(
            text, cells, [op](const cell& c) { return c.op == op; }, over_words, limit, true);
    };
    return {every("block count of flags over a 32-bit reduction: at least 2.0 times as fast",
                  "block_count", 2.0),
            every("block scan of flags over a 32-bit scan: at least 1.24 times as fast",
                  "block_scan", 1.24)};
}

program pieces() {
    char columns[128];
    std::snprintf(columns, sizeof columns, "%10s%10s%10s%10s%10s%10s", "flags", "32 bits", "raking",
                  "Sklansky", "CUB", "x 32 bits");
    return {.name = "lookback_bench_gpu_pieces",
            .groups = {{"block_count", measure_block_count},
                       {"block_scan", measure_block_scan},
                       {"warp_scan", measure_warp_scan}},
            .array_bytes = std::uint64_t{64} << 20,
            .arrays = 2,
            .method =
                "us of one launch; median of 11 replays of a graph of launches; each block of 512 "
                "threads sums one flag (or number) of each thread 256 times over, in registers and "
                "shared memory, which alternates so that there is no barrier beyond those of the "
                "sum; n: sums times threads; words: 32-bit sums by our warp scans, by raking, by "
                "Sklansky, and by CUB's default; CUB's count reaches one thread only",
            .name_width = 38,
            .columns = columns,
            .print_figures = print_figures,
            .goals = pieces_goals};
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) {
    return lookback::bench::run(lookback::bench::pieces(), argc, argv);
}
