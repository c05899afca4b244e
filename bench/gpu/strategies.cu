// Measures the ways to scan beside each other on a CUDA GPU: the library's, the toolkit's, and
// those of strategies/; and the sequential scan on the CPU.
//   lookback_bench_gpu_strategies OUT.json [NAME...]      NAME: sum/i32, sum/f32, blocks/i32

#include <chrono>
#include <cstdio>
#include <initializer_list>

#include "measure.cuh"
#include "strategies/cpu/two_phases.hpp"
#include "strategies/cuda/device.cuh"
#include "strategies/registry.hpp"

namespace lookback::bench {
namespace {

using strategies::folding;
using strategies::item_type;

constexpr std::initializer_list<const char*> global_names = {
    "cuda-scan-then-propagate",     "cuda-hierarchical",   "cuda-reduce-then-scan",
    "cuda-reduce-then-scan-elided", "cuda-chained",        "cuda-look-back-thread",
    "cuda-look-back-copy",          "cuda-look-back-warp",
};
constexpr std::initializer_list<const char*> block_names = {
    "cuda-block-hillis-steele",
    "cuda-block-kogge-stone",
    "cuda-block-sklansky",
    "cuda-block-brent-kung",
    "cuda-block-blelloch",
    "cuda-block-blelloch-padded",
    "cuda-block-blelloch-unrolled",
    "cuda-block-vectors",
    "cuda-block-warp-scans-brent-kung",
    "cuda-block-raking",
    "cuda-block-warp-scans-sklansky",
};
constexpr int least_exponent = 10;
constexpr int most_exponent = 30;
constexpr int blocks_exponent = 24;
constexpr int most_sequential_exponent = 26;

template <class W>
std::vector<implementation> strategies_of(session& s, strategies::device& gpu, std::uint64_t n,
                                          std::initializer_list<const char*> names) {
    const item_type type =
        std::is_floating_point_v<typename W::item> ? item_type::f32 : item_type::i32;
    std::vector<implementation> all;
    for (const char* const name : names) {
        const auto run = strategies::find_cuda_run(name);
        all.push_back({name, [=, &s, &gpu] {
                           run({type, folding::sum, s.in(), s.out(), n}, {.gpu = &gpu});
                       }});
    }
    return all;
}

// The best of some runs, in us: in its own memory, one thread.
template <class T>
double sequential_us(std::uint64_t n) {
    const std::vector<T> in(n, T{1});
    std::vector<T> out(n);
    double best = 0;
    for (int run = 0; run < 5; ++run) {
        const auto start = std::chrono::steady_clock::now();
        strategies::cpu_sequential::run(1, in.data(), out.data(), n, plus<>{});
        const std::chrono::duration<double, std::micro> taken =
            std::chrono::steady_clock::now() - start;
        if (run == 0 || taken.count() < best) best = taken.count();
    }
    return best;
}

template <class W>
void measure_cell(session& s, strategies::device& gpu, const observer& tell, const char* op,
                  int exponent, std::initializer_list<const char*> names, bool with_peers) {
    using item = typename W::item;
    const std::uint64_t n = std::uint64_t{1} << exponent;
    if (n * sizeof(item) > s.array_bytes()) return;
    cell c;
    c.op = op;
    c.type = W::type;
    c.items = n;
    c.item_bytes = sizeof(item);
    c.least_bytes = 2 * n * sizeof(item);
    tell.begin(c);
    std::vector<implementation> all = {our_scan<W>(s, n)};
    if (with_peers) {
        all.push_back(cub_scan<W>(s, "cub", cub_slot, n, typename W::peer_op{}));
        all.push_back(thrust_scan<W>(s, n));
    }
    for (implementation& one : strategies_of<W>(s, gpu, n, names)) all.push_back(std::move(one));
    checker<W> judge(s, n);
    c.trouble = check_all(judge, all);
    if (c.trouble.empty()) {
        for (implementation& copy : copies(s, n * sizeof(item))) all.push_back(copy);
        c.device_us = s.device_times(all, c.trouble);
        if (with_peers && exponent <= most_sequential_exponent) {
            c.host_us["sequential"] = sequential_us<item>(n);
        }
        c.checked = c.trouble.empty();
    }
    tell.end(c);
}

template <class W>
void measure_sums(session& s, const observer& tell) {
    strategies::device gpu(s.stream());
    for (int exponent = least_exponent; exponent <= most_exponent; exponent += 4) {
        measure_cell<W>(s, gpu, tell, "sum", exponent, global_names, true);
    }
}

template <class W>
void measure_blocks(session& s, const observer& tell) {
    strategies::device gpu(s.stream());
    measure_cell<W>(s, gpu, tell, "blocks", blocks_exponent, block_names, false);
}

void print_figures(const cell& c) {
    for (const char* who : {"copy_kernel", "ours", "cub", "thrust"}) print(c.device(who), 10);
    const bool is_of_blocks = c.op == "blocks";
    for (const char* who : is_of_blocks ? block_names : global_names) {
        if (is_of_blocks) std::printf("\n    %-36s", who);
        print(c.device(who), 10);
    }
    print(c.host("sequential"), 12);
}

program all_strategies() {
    char columns[200];
    std::snprintf(columns, sizeof columns, "%10s%10s%10s%10s%10s%10s%10s%10s%10s%10s%10s%10s%12s",
                  "copy", "ours", "CUB", "Thrust", "propagate", "hierarch.", "reduce", "elided",
                  "version 0", "version 1", "version 2", "version 3", "sequential");
    return {.name = "lookback_bench_gpu_strategies",
            .groups = {{"sum/i32", measure_sums<sum<std::int32_t>>},
                       {"sum/f32", measure_sums<sum<float>>},
                       {"blocks/i32", measure_blocks<sum<std::int32_t>>}},
            .array_bytes = std::uint64_t{4} << 30,  // 2^30 of 4 bytes
            .arrays = 2,
            .method =
                "us of one call; device: median of 11 replays of a graph of calls, one pair of "
                "arrays, so arrays that fit in the L2 stay there; our kernels and the copy kernel "
                "may be launched before the one before has ended, the others are not; sequential: "
                "the best of 5 runs on one thread of the host; blocks: scan-then-propagate with "
                "each block scan",
            .name_width = 20,
            .columns = columns,
            .print_figures = print_figures,
            .goals = [](const std::vector<cell>&) { return std::vector<goal>{}; }};
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) {
    return lookback::bench::run(lookback::bench::all_strategies(), argc, argv);
}
