// The cells of whole scans.

#include <cuda_profiler_api.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <stdexcept>

#include "measure.cuh"
#include "strategies.hpp"
#include "strategies/cpu/two_phases.hpp"
#include "strategies/cuda/device.cuh"
#include "strategies/registry.hpp"

namespace lookback::bench {
namespace {

using strategies::folding;
using strategies::item_type;
using names = std::span<const char* const>;

constexpr std::uint64_t report_lengths[] = {5'003'565, 50'003'565, 500'003'565, 1'000'003'565};
constexpr std::uint64_t most_sequential_items = std::uint64_t{1} << 26;

template <class T>
constexpr item_type type_of = std::is_floating_point_v<T> ? item_type::f32
                              : sizeof(T) == 8            ? item_type::i64
                                                          : item_type::i32;

template <class W>
std::vector<implementation> strategies_of(session& s, strategies::device& gpu, std::uint64_t n,
                                          names which) {
    std::vector<implementation> all;
    for (const char* const name : which) {
        const auto run = strategies::find_cuda_run(name);
        all.push_back(
            {name, [=, &s, &gpu] {
                 run({type_of<typename W::item>, folding::sum, s.in(), s.out(), n}, {.gpu = &gpu});
             }});
    }
    return all;
}

// The best of some runs on one thread, in us, in memory of its own.
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

enum class peers { none, toolkit };

template <class W>
void measure_cell(session& s, strategies::device& gpu, const observer& tell, const char* op,
                  std::uint64_t n, names which, peers beside) {
    using item = typename W::item;
    if (n * sizeof(item) > s.array_bytes()) return;
    cell c;
    c.op = op;
    c.type = W::type;
    c.items = n;
    c.item_bytes = sizeof(item);
    c.least_bytes = 2 * n * sizeof(item);
    if (!tell.wants(c)) return;
    tell.begin(c);
    std::vector<implementation> all = {our_scan<W>(s, n)};
    if (beside == peers::toolkit) {
        all.push_back(cub_scan<W>(s, "cub", cub_slot, n, typename W::peer_op{}));
        all.push_back(thrust_scan<W>(s, n));
    }
    for (implementation& one : strategies_of<W>(s, gpu, n, which)) all.push_back(std::move(one));
    checker<W> judge(s, n);
    if (check_all(judge, all, c.trouble)) {
        for (implementation& copy : copies(s, n * sizeof(item) / 16 * 16)) all.push_back(copy);
        c.device_us = s.device_times(all, c.trouble);
        if (n <= most_sequential_items) c.host_us["sequential"] = sequential_us<item>(n);
        c.checked = c.trouble.empty();
    }
    tell.end(c);
}

template <class W>
void measure_sums(session& s, const observer& tell, int step) {
    strategies::device gpu(s.stream());
    for (int exponent = 10; exponent <= 30; exponent += step) {
        measure_cell<W>(s, gpu, tell, "sum", std::uint64_t{1} << exponent, global_names,
                        peers::toolkit);
    }
}

}  // namespace

void measure_sums_i32(session& s, const observer& tell) {
    measure_sums<sum<std::int32_t>>(s, tell, 2);
}
void measure_sums_f32(session& s, const observer& tell) { measure_sums<sum<float>>(s, tell, 4); }
void measure_sums_i64(session& s, const observer& tell) {
    measure_sums<sum<std::int64_t>>(s, tell, 4);
}

void measure_lengths(session& s, const observer& tell) {
    strategies::device gpu(s.stream());
    for (const std::uint64_t n : report_lengths) {
        measure_cell<sum<std::int32_t>>(s, gpu, tell, "lengths", n, report_names, peers::none);
    }
}

void measure_blocks(session& s, const observer& tell) {
    strategies::device gpu(s.stream());
    for (int exponent = 10; exponent <= 24; exponent += 2) {
        measure_cell<sum<std::int32_t>>(s, gpu, tell, "blocks", std::uint64_t{1} << exponent,
                                        block_names, peers::none);
    }
}

void scan_once(const std::string& name) {
    using workload = sum<std::int32_t>;
    constexpr std::uint64_t n = std::uint64_t{1} << 28;
    session s(n * sizeof(workload::item), 2);
    strategies::device gpu(s.stream());
    std::vector<implementation> all = strategies_of<workload>(s, gpu, n, global_names);
    all.push_back(our_scan<workload>(s, n));
    all.push_back(cub_scan<workload>(s, "cub", cub_slot, n, workload::peer_op{}));
    all.push_back(copies(s, n * sizeof(workload::item)).front());
    const auto one = std::ranges::find(all, name, &implementation::name);
    if (one == all.end()) throw std::invalid_argument("'" + name + "' is not a way to scan");
    checker<workload> judge(s, n);
    judge.fill(data::timed);
    one->call();
    s.synchronise();
    check(cudaProfilerStart(), "starting the profiler");
    one->call();
    s.synchronise();
    check(cudaProfilerStop(), "stopping the profiler");
}

}  // namespace lookback::bench
