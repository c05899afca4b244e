// Measures scans on a CUDA GPU against the toolkit's and against copies.
//   lookback_bench_gpu OUT.json [NAME...]      NAME: sum/i32, affine/affine32, ...; all by default

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <cub/version.cuh>
#include <exception>
#include <iterator>

#include "lookback/version.hpp"
#include "measure.hpp"

namespace lookback::bench {
namespace {

struct group {
    const char* name;
    void (*measure)(session&, const observer&);
};
constexpr group groups[] = {
    {"sum/i32", measure_sum_i32},         {"sum/f32", measure_sum_f32},
    {"sum/i64", measure_sum_i64},         {"sum/f64", measure_sum_f64},
    {"sum/u8", measure_sum_u8},           {"sum/u16", measure_sum_u16},
    {"maximum/i32", measure_maximum_i32}, {"affine/affine32", measure_affine},
};

constexpr std::uint64_t most_bytes = std::uint64_t{8} << 30;  // of each of the two arrays: 2^30 i64

std::string quoted(const std::string& text) { return '"' + text + '"'; }

std::string cuda_version(int number) {
    return quoted(std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10));
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    char text[16];
    std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
    return text;
}

environment describe() {
    int device = 0;
    int driver = 0;
    int runtime = 0;
    cudaDeviceProp gpu{};
    check(cudaGetDevice(&device), "finding the current device");
    check(cudaGetDeviceProperties(&gpu, device), "describing the device");
    check(cudaDriverGetVersion(&driver), "asking for the driver's version");
    check(cudaRuntimeGetVersion(&runtime), "asking for the runtime's version");
    const std::string cub = std::to_string(CUB_MAJOR_VERSION) + "." +
                            std::to_string(CUB_MINOR_VERSION) + "." +
                            std::to_string(CUB_SUBMINOR_VERSION);
    return {{{"device", quoted(gpu.name)},
             {"multiprocessors", std::to_string(gpu.multiProcessorCount)},
             {"l2_bytes", std::to_string(gpu.l2CacheSize)},
             {"memory_bytes", std::to_string(gpu.totalGlobalMem)},
             {"driver_cuda", cuda_version(driver)},
             {"runtime_cuda", cuda_version(runtime)}},
            {{"lookback", quoted(std::string(version))},
             {"commit", quoted(LOOKBACK_COMMIT)},
             {"cub", quoted(cub)},
             {"nvcc", quoted(NVCC_VERSION)}},
            today()};
}

void print(std::optional<double> number, int width, int digits = 2) {
    if (number) {
        std::printf("%*.*f", width, digits, *number);
    } else {
        std::printf("%*s", width, "-");
    }
}

void print_head() {
    std::printf(
        "us of one call; x copy: share of the better copy's speed; x CUB: over CUB's\n"
        "%-20s%10s%10s%10s%10s%10s%8s%8s%10s%10s\n",
        "", "ours", "CUB", "Thrust", "copy", "memcpy", "x copy", "x CUB", "host", "empty");
}

void print_name(const cell& c) {
    std::printf("%-20s", c.name().c_str());
    std::fflush(stdout);
}

void print_figures(const cell& c) {
    for (const char* who : {"ours", "cub", "thrust", "copy_kernel", "memcpy"}) {
        print(c.device(who), 10);
    }
    print(c.ratio_to_copy(), 8);
    print(c.speedup_over_cub(), 8);
    print(c.host("ours"), 10);
    print(c.host("empty"), 10);
    std::printf("%s%s\n", c.trouble.empty() ? "" : "  ", c.trouble.c_str());
}

void print_summary(const std::vector<cell>& cells) {
    if (const auto total = over_cub(cells)) {
        std::printf("\nOver CUB: geometric mean %.2f, worst %.2f at %s\n", total->mean,
                    total->worst, total->worst_cell.c_str());
    }
    std::printf("\nGoals\n");
    for (const goal& g : goals(cells)) {
        std::printf("  %-8s%s: %s\n",
                    !g.reached   ? "-"
                    : *g.reached ? "reached"
                                 : "missed",
                    g.text.c_str(), g.shown.c_str());
    }
}

// 1 where a result was wrong, or CUDA failed; what was measured until then is written.
int run(const char* output, const std::vector<std::string>& names) {
    const environment where = describe();
    session s(most_bytes);
    std::printf("%s, %s multiprocessors\n", where.hardware[0].second.c_str(),
                where.hardware[1].second.c_str());
    print_head();
    std::vector<cell> cells;
    const observer tell{print_name, [&](const cell& c) {
                            print_figures(c);
                            cells.push_back(c);
                        }};
    int status = 0;
    try {
        for (const group& g : groups) {
            if (names.empty() || std::ranges::find(names, g.name) != names.end()) {
                g.measure(s, tell);
            }
        }
    } catch (const std::exception& e) {
        std::printf("\n");
        std::fprintf(stderr, "lookback_bench_gpu: stopped: %s\n", e.what());
        status = 1;
    }
    for (const cell& c : cells) {
        if (!c.checked || !c.device("ours")) status = 1;
    }
    print_summary(cells);
    write_json(output, where, cells);
    return status;
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) try {
    using namespace lookback::bench;
    if (argc < 2 || argv[1][0] == '-') {
        std::fprintf(stderr, "usage: lookback_bench_gpu OUT.json [NAME...], of");
        for (const group& g : groups) std::fprintf(stderr, " %s", g.name);
        std::fprintf(stderr, "\n");
        return 2;
    }
    const std::vector<std::string> names(argv + 2, argv + argc);
    for (const std::string& name : names) {
        if (std::ranges::none_of(groups, [&](const group& g) { return g.name == name; })) {
            std::fprintf(stderr, "lookback_bench_gpu: '%s' is not measured here\n", name.c_str());
            return 2;
        }
    }
    int devices = 0;
    const cudaError_t found = cudaGetDeviceCount(&devices);
    if (found != cudaSuccess || devices == 0) {
        std::fprintf(stderr, "lookback_bench_gpu: no CUDA device: %s\n", cudaGetErrorString(found));
        return 77;
    }
    return run(argv[1], names);
} catch (const std::exception& e) {
    std::fprintf(stderr, "lookback_bench_gpu: %s\n", e.what());
    return 1;
}
