// Stream compaction: three kernels that mark the wanted items, scan the marks and scatter (M.
// Harris, S. Sengupta and J. Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, section
// 39.3.1), beside a select in one pass.

#include <algorithm>
#include <chrono>
#include <cub/device/device_select.cuh>
#include <iterator>

#include "compaction_input.hpp"
#include "lookback/select.hpp"
#include "strategies.hpp"
#include "strategies/cuda/device.cuh"
#include "strategies/registry.hpp"
#include "toolkit.cuh"

namespace lookback::bench {
namespace {

constexpr int positions_slot = 4;
constexpr unsigned threads = 256;
constexpr int percent = 50;
constexpr word poison = 0xa5a5a5a5;
static_assert(poison >= item_limit);

__global__ void __launch_bounds__(threads)
    mark_kernel(const word* in, std::uint64_t n, below wanted, std::int32_t* marks) {
    const std::uint64_t i = std::uint64_t{blockIdx.x} * threads + threadIdx.x;
    if (i < n) marks[i] = wanted(in[i]) ? 1 : 0;
}

// positions[i]: how many items are wanted up to and including item i.
__global__ void __launch_bounds__(threads)
    scatter_kernel(const word* in, std::uint64_t n, below wanted, const std::int32_t* positions,
                   word* out) {
    const std::uint64_t i = std::uint64_t{blockIdx.x} * threads + threadIdx.x;
    if (i >= n) return;
    const word item = in[i];
    if (wanted(item)) out[positions[i] - 1] = item;
}

implementation scan_and_scatter(session& s, strategies::device& gpu, std::uint64_t n,
                                const char* name, const char* scan) {
    const below wanted = keep_percent(percent);
    const word* const in = words(s, items_at);
    word* const out = words(s, out_at);
    auto* const positions =
        static_cast<std::int32_t*>(s.scratch(positions_slot, n * sizeof(std::int32_t)));
    const auto blocks = static_cast<unsigned>((n + threads - 1) / threads);
    const auto run = strategies::find_cuda_run(scan);
    return {name, [=, &s, &gpu] {
                mark_kernel<<<blocks, threads, 0, s.stream()>>>(in, n, wanted, positions);
                check(cudaGetLastError(), "launching marks");
                run({strategies::item_type::i32, strategies::folding::sum, positions, positions, n},
                    {.gpu = &gpu});
                scatter_kernel<<<blocks, threads, 0, s.stream()>>>(in, n, wanted, positions, out);
                check(cudaGetLastError(), "launching a scatter");
            }};
}

std::vector<implementation> ways(session& s, strategies::device& gpu, std::uint64_t n) {
    const below wanted = keep_percent(percent);
    word* const in = words(s, items_at);
    word* const out = words(s, out_at);
    auto* const count = static_cast<std::uint64_t*>(s.scratch(counts_slot, sizeof(std::uint64_t)));
    return {
        {"ours",
         [=, &s] { select_if(s.gpu(), in, in + n, out, count_to<std::uint64_t>{count}, wanted); }},
        cub_call(s, "cub", cub_slot,
                 [=, &s](void* memory, std::size_t& bytes) {
                     return cub::DeviceSelect::If(memory, bytes, in, out, count,
                                                  static_cast<std::int64_t>(n), wanted, s.stream());
                 }),
        scan_and_scatter(s, gpu, n, "scan_and_scatter", "cuda-block-vectors"),
        scan_and_scatter(s, gpu, n, "our_scan_and_scatter", "cuda-library"),
    };
}

struct on_host {
    std::vector<word> kept;
    double us;  ///< the best of three runs, on one thread
};
on_host select_on_host(const std::vector<word>& in) {
    std::vector<word> out(in.size());
    on_host best{};
    for (int run = 0; run < 3; ++run) {
        const auto start = std::chrono::steady_clock::now();
        const auto end = std::copy_if(in.begin(), in.end(), out.begin(), keep_percent(percent));
        const std::chrono::duration<double, std::micro> taken =
            std::chrono::steady_clock::now() - start;
        if (run == 0 || taken.count() < best.us) best.us = taken.count();
        if (run == 0) best.kept.assign(out.begin(), end);
    }
    return best;
}

// The output has to be what is kept, and untouched after it.
std::string judge(session& s, const implementation& one, const std::vector<word>& kept,
                  std::uint64_t n) {
    check(cudaMemsetAsync(s.out(), 0xa5, n * sizeof(word), s.stream()), "poisoning");
    one.call();
    s.synchronise();
    std::vector<word> got(n);
    check(cudaMemcpy(got.data(), s.out(), n * sizeof(word), cudaMemcpyDeviceToHost),
          "reading what was kept");
    for (std::uint64_t i = 0; i < n; ++i) {
        const word want = i < kept.size() ? kept[i] : poison;
        if (got[i] != want) {
            return one.name + " is wrong at item " + std::to_string(i) + ": expected " +
                   std::to_string(want) + ", got " + std::to_string(got[i]);
        }
    }
    return "";
}

}  // namespace

void measure_compaction(session& s, const observer& tell) {
    strategies::device gpu(s.stream());
    for (int exponent = 10; exponent <= 26; exponent += 2) {
        const std::uint64_t n = std::uint64_t{1} << exponent;
        if (n * sizeof(word) > s.array_bytes()) return;
        cell c;
        c.op = "compaction";
        c.type = "u32";
        c.data = keep_text(percent);
        c.items = n;
        c.item_bytes = sizeof(word);
        if (!tell.wants(c)) continue;
        tell.begin(c);
        fill_items(s, n);
        s.synchronise();
        std::vector<word> in(n);
        check(cudaMemcpy(in.data(), s.in(), n * sizeof(word), cudaMemcpyDeviceToHost),
              "reading the items");
        const on_host wanted = select_on_host(in);
        c.host_us["sequential"] = wanted.us;
        c.count = wanted.kept.size();
        c.least_bytes = (n + wanted.kept.size()) * sizeof(word);
        std::vector<implementation> all = ways(s, gpu, n);
        for (const implementation& one : all) {
            if (c.trouble.empty()) c.trouble = judge(s, one, wanted.kept, n);
        }
        if (c.trouble.empty()) {
            for (implementation& copy : copies(s, n * sizeof(word))) all.push_back(copy);
            c.device_us = s.device_times(all, c.trouble);
            c.checked = c.trouble.empty();
        }
        tell.end(c);
    }
}

}  // namespace lookback::bench
