#include <algorithm>
#include <cstdio>
#include <ctime>
#include <cub/version.cuh>
#include <exception>
#include <regex>
#include <utility>

#include "lookback/version.hpp"
#include "program.hpp"

#if LOOKBACK_BENCH_NPP
#include <npp.h>
#endif

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
    facts versions = {{"lookback", quoted(std::string(version))},
                      {"commit", quoted(LOOKBACK_COMMIT)},
                      {"cub", quoted(cub)},
                      {"nvcc", quoted(NVCC_VERSION)}};
#if LOOKBACK_BENCH_NPP
    versions.emplace_back(
        "npp", quoted(std::to_string(NPP_VER_MAJOR) + "." + std::to_string(NPP_VER_MINOR) + "." +
                      std::to_string(NPP_VER_PATCH)));
#endif
    return {{{"device", quoted(gpu.name)},
             {"multiprocessors", std::to_string(gpu.multiProcessorCount)},
             {"l2_bytes", std::to_string(gpu.l2CacheSize)},
             {"memory_bytes", std::to_string(gpu.totalGlobalMem)},
             {"driver_cuda", cuda_version(driver)},
             {"runtime_cuda", cuda_version(runtime)}},
            std::move(versions),
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

struct request {
    std::string output;
    std::regex cells = std::regex("");
    std::vector<std::string> groups;  // none: all of them
};

// Returns nothing for a wrong command line.
std::optional<request> parse(const program& what, int argc, char** argv) {
    const char* const name = what.name.c_str();
    if (argc < 2 || argv[1][0] == '-') {
        std::fprintf(stderr, "usage: %s OUT.json [--filter REGEX] [NAME...], of", name);
        for (const group& g : what.groups) std::fprintf(stderr, " %s", g.name.c_str());
        std::fprintf(stderr, "\n");
        return std::nullopt;
    }
    request asked;
    asked.output = argv[1];
    std::vector<std::string> words(argv + 2, argv + argc);
    if (words.size() >= 2 && words[0] == "--filter") {
        try {
            asked.cells = words[1];
        } catch (const std::regex_error& e) {
            std::fprintf(stderr, "%s: --filter '%s': no regular expression: %s\n", name,
                         words[1].c_str(), e.what());
            return std::nullopt;
        }
        words.erase(words.begin(), words.begin() + 2);
    }
    for (const std::string& one : words) {
        if (std::ranges::none_of(what.groups, [&](const group& g) { return g.name == one; })) {
            std::fprintf(stderr, "%s: '%s' is not measured here\n", name, one.c_str());
            return std::nullopt;
        }
    }
    asked.groups = std::move(words);
    return asked;
}

int measure(const program& what, const request& asked) {
    const environment where = describe();
    session s(what.array_bytes, what.arrays);
    std::printf("%s, %s multiprocessors\n%*s%s\n", where.hardware[0].second.c_str(),
                where.hardware[1].second.c_str(), what.name_width, "", what.columns.c_str());
    std::vector<cell> cells;
    const observer tell{[&](const cell& c) { return std::regex_search(c.name(), asked.cells); },
                        [&](const cell& c) { print_name(c, what.name_width); },
                        [&](const cell& c) {
                            what.print_figures(c);
                            std::printf("%s%s\n", c.trouble.empty() ? "" : "  ", c.trouble.c_str());
                            cells.push_back(c);
                        }};
    int status = 0;
    try {
        for (const group& g : what.groups) {
            if (asked.groups.empty() || std::ranges::count(asked.groups, g.name) > 0) {
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
    write_json(asked.output, where, what.method, goals, cells);
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
    const auto asked = parse(what, argc, argv);
    if (!asked) return 2;
    int devices = 0;
    const cudaError_t found = cudaGetDeviceCount(&devices);
    if (found != cudaSuccess || devices == 0) {
        std::fprintf(stderr, "%s: no CUDA device: %s\n", what.name.c_str(),
                     cudaGetErrorString(found));
        return 77;
    }
    return measure(what, *asked);
} catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", what.name.c_str(), e.what());
    return 1;
}

}  // namespace lookback::bench
