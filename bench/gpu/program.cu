#include <algorithm>
#include <cstdio>
#include <ctime>
#include <cub/version.cuh>
#include <exception>

#include "lookback/version.hpp"
#include "program.hpp"

namespace lookback::bench {
namespace {

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

void print_name(const cell& c, int width) {
    std::printf("%-*s", width, c.name().c_str());
    std::fflush(stdout);
}

void print_summary(const std::vector<cell>& cells, const std::vector<goal>& goals) {
    if (const auto total = over_cub(cells)) {
        std::printf("\nOver CUB: geometric mean %.2f, worst %.2f at %s\n", total->mean,
                    total->worst, total->worst_cell.c_str());
    }
    std::printf("\nGoals\n");
    for (const goal& g : goals) {
        std::printf("  %-8s%s: %s\n",
                    !g.reached   ? "-"
                    : *g.reached ? "reached"
                                 : "missed",
                    g.text.c_str(), g.shown.c_str());
    }
}

int measure(const program& what, const char* output, const std::vector<std::string>& names) {
    const environment where = describe();
    session s(what.array_bytes, what.arrays);
    std::printf("%s, %s multiprocessors\n%*s%s\n", where.hardware[0].second.c_str(),
                where.hardware[1].second.c_str(), what.name_width, "", what.columns.c_str());
    std::vector<cell> cells;
    const observer tell{[&](const cell& c) { print_name(c, what.name_width); },
                        [&](const cell& c) {
                            what.print_figures(c);
                            std::printf("%s%s\n", c.trouble.empty() ? "" : "  ", c.trouble.c_str());
                            cells.push_back(c);
                        }};
    int status = 0;
    try {
        for (const group& g : what.groups) {
            if (names.empty() || std::ranges::find(names, g.name) != names.end()) {
                g.measure(s, tell);
            }
        }
    } catch (const std::exception& e) {
        std::printf("\n");
        std::fprintf(stderr, "%s: stopped: %s\n", what.name.c_str(), e.what());
        status = 1;
    }
    for (const cell& c : cells) {
        if (!c.checked || !c.device("ours")) status = 1;
    }
    const std::vector<goal> goals = what.goals(cells);
    print_summary(cells, goals);
    write_json(output, where, what.method, goals, cells);
    return status;
}

}  // namespace

void print(std::optional<double> number, int width, int digits) {
    if (number) {
        std::printf("%*.*f", width, digits, *number);
    } else {
        std::printf("%*s", width, "-");
    }
}

int run(const program& what, int argc, char** argv) try {
    const char* const name = what.name.c_str();
    if (argc < 2 || argv[1][0] == '-') {
        std::fprintf(stderr, "usage: %s OUT.json [NAME...], of", name);
        for (const group& g : what.groups) std::fprintf(stderr, " %s", g.name.c_str());
        std::fprintf(stderr, "\n");
        return 2;
    }
    const std::vector<std::string> names(argv + 2, argv + argc);
    for (const std::string& asked : names) {
        if (std::ranges::none_of(what.groups, [&](const group& g) { return g.name == asked; })) {
            std::fprintf(stderr, "%s: '%s' is not measured here\n", name, asked.c_str());
            return 2;
        }
    }
    int devices = 0;
    const cudaError_t found = cudaGetDeviceCount(&devices);
    if (found != cudaSuccess || devices == 0) {
        std::fprintf(stderr, "%s: no CUDA device: %s\n", name, cudaGetErrorString(found));
        return 77;
    }
    return measure(what, argv[1], names);
} catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", what.name.c_str(), e.what());
    return 1;
}

}  // namespace lookback::bench
