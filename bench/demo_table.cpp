// The table of `./dev demo`: sums of random int32 numbers in memory, ours, verified by one
// sequential pass, and the peers'.
//
//     lookback_demo_table GIB      takes memory for the input and for one output

#include <fmt/core.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "memory.hpp"
#include "ours.hpp"
#include "peers.hpp"
#include "workloads.hpp"

namespace lookback::bench {
namespace {

constexpr int rounds = 5;
using workload = sum<std::uint32_t>;  // unsigned: the sums wrap around
using item = workload::item;

struct line {
    const char* title;
    void (*run)(const item* in, item* out, std::size_t items);
    std::vector<double> seconds = {};
};

template <class Implementation>
void call(const item* in, item* out, std::size_t items) {
    Implementation::template run<workload>(in, out, items);
}

double median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

void print_table(std::array<line, 5>& lines, std::size_t items) {
    const double bytes = 2.0 * static_cast<double>(items * sizeof(item));
    double fastest = 0;
    for (line& l : lines) fastest = std::max(fastest, bytes / median(l.seconds));
    fmt::print(
        "{} random int32 numbers in memory, on {} threads: sums, verified; GB/s read and "
        "written, medians of {} rounds\n\n",
        items, tbb::this_task_arena::max_concurrency(), rounds);
    for (line& l : lines) {
        const double speed = bytes / median(l.seconds);
        const auto bar = static_cast<std::size_t>(40 * speed / fastest + 0.5);
        fmt::print("  {:<32}{:>6.1f}  {}\n", l.title, speed * 1e-9, std::string(bar, '#'));
    }
}

int compare(double gib) {
    const auto items = static_cast<std::size_t>(gib * 0x1p30 / sizeof(item));
    const auto in = make_array<item>(items);
    const auto out = make_array<item>(items);
    fill(in.get(), items, [](std::size_t i) { return static_cast<item>(random_bits(i)); });
    call<ours>(in.get(), out.get(), items);
    workload::check check(our_depth<item>(items));
    for (std::size_t i = 0; i < items; ++i) {
        if (check.accepts(in[i], out[i])) continue;
        fmt::print(stderr, "item {}: {}, expected {}\n", i, out[i], check.expected());
        return 2;
    }
    std::array lines{
        line{"lookback", call<ours>}, line{"std::inclusive_scan, par_unseq", call<par_unseq>},
        line{"tbb::parallel_scan", call<tbb_scan>}, line{"std::inclusive_scan", call<sequential>},
        line{"memcpy, all threads (no scan)", call<memcpy_all>}};
    for (int round = 0; round < rounds; ++round) {  // interleaved: the machine's speed drifts
        for (line& l : lines) {
            const auto begin = std::chrono::steady_clock::now();
            l.run(in.get(), out.get(), items);
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
            l.seconds.push_back(took.count());
        }
    }
    print_table(lines, items);
    return 0;
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) {
    try {
        if (argc == 2) return lookback::bench::compare(std::stod(argv[1]));
        fmt::print(stderr, "usage: lookback_demo_table GIB\n");
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}\n", e.what());
    }
    return 1;
}
