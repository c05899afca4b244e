// What the first touch of a new output costs a scan on the CPU, and what can be done about it. Sums
// of int32 go from pages that exist into pages that do not exist yet, in a new process for each
// figure. The time is that of the preparation, if it is timed, and of the scan.
//
//   lookback_bench_first_touch [MILLIONS OF ITEMS [ROUNDS [THREADS]]]    128, 5, all

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "lookback/scan.hpp"

namespace {

constexpr std::size_t large_page = std::size_t{2} << 20;

struct memory {
    char* at;
    std::size_t bytes;
};

// Calls `touch` for a share of the memory on each of `threads` threads, as many as the scan has.
template <class Touch>
void in_shares(const memory& m, int threads, const Touch& touch) {
    const auto shares = static_cast<std::size_t>(threads);
    const std::size_t share = (m.bytes / shares / large_page + 1) * large_page;
    std::vector<std::thread> others;
    for (std::size_t first = 0; first < m.bytes; first += share) {
        const memory part{m.at + first, std::min(share, m.bytes - first)};
        others.emplace_back([&touch, part] { touch(part); });
    }
    for (std::thread& other : others) other.join();
}

void advise(const memory& m, int advice) {
    if (madvise(m.at, m.bytes, advice) != 0) std::perror("madvise");
}
void touch(const memory& m) { std::memset(m.at, 0, m.bytes); }
void make_large(const memory& m) { advise(m, MADV_HUGEPAGE); }
void populate(const memory& m) { advise(m, MADV_POPULATE_WRITE); }

struct way {
    const char* name;
    void (*prepare)(const memory&, int threads);
    bool is_timed = true;
};
constexpr way ways[] = {
    {"pages that are there", [](const memory& m, int) { touch(m); }, false},
    {"the same, large ones", [](const memory& m, int) { make_large(m), touch(m); }, false},
    {"new", [](const memory&, int) {}},
    {"new, MADV_HUGEPAGE", [](const memory& m, int) { make_large(m); }},
    {"one thread touches first, as std::vector", [](const memory& m, int) { touch(m); }},
    {"the same, MADV_HUGEPAGE", [](const memory& m, int) { make_large(m), touch(m); }},
    {"MADV_POPULATE_WRITE by one thread", [](const memory& m, int) { populate(m); }},
    {"the same, MADV_HUGEPAGE", [](const memory& m, int) { make_large(m), populate(m); }},
    {"MADV_POPULATE_WRITE by all threads",
     [](const memory& m, int n) { in_shares(m, n, populate); }},
    {"the same, MADV_HUGEPAGE",
     [](const memory& m, int n) { make_large(m), in_shares(m, n, populate); }},
};

memory new_memory(std::size_t bytes) {
    // Aligned as large pages are. The memory before and behind is never touched.
    void* const at = mmap(nullptr, bytes + large_page, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) std::abort();
    const auto place = reinterpret_cast<std::uintptr_t>(at);
    const auto aligned = (place + large_page - 1) / large_page * large_page;
    return {reinterpret_cast<char*>(aligned), bytes};
}

// Measures in the process that calls it.
double seconds(const way& by, bool was_used, std::size_t items, int threads) {
    using clock = std::chrono::steady_clock;
    const lookback::cpu on{.threads = threads};
    std::vector<std::int32_t> in(items);
    for (std::size_t i = 0; i < items; ++i) in[i] = static_cast<std::int32_t>(i * 2654435761U);
    std::vector<std::int32_t> warm(1 << 20);
    lookback::inclusive_scan(on, warm, warm);  // so that the threads exist
    const memory out = new_memory(items * sizeof(std::int32_t));
    if (was_used) {
        const memory before = new_memory(out.bytes + out.bytes / 8);
        make_large(before);
        touch(before);
        munmap(before.at, before.bytes);
    } else {
        std::this_thread::sleep_for(std::chrono::seconds(4));
    }
    auto* const sums = reinterpret_cast<std::int32_t*>(out.at);
    if (!by.is_timed) by.prepare(out, threads);
    const auto begin = clock::now();
    if (by.is_timed) by.prepare(out, threads);
    lookback::inclusive_scan(on, in.begin(), in.end(), sums);
    return std::chrono::duration<double>(clock::now() - begin).count();
}

double seconds_of_new_process(const way& by, bool was_used, std::size_t items, int threads) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    const pid_t child = fork();
    if (child == 0) {
        const double taken = seconds(by, was_used, items, threads);
        const bool is_told = write(ends[1], &taken, sizeof taken) == sizeof taken;
        _exit(is_told ? 0 : 1);
    }
    double taken = 0;
    if (read(ends[0], &taken, sizeof taken) != sizeof taken) std::abort();
    close(ends[0]), close(ends[1]);
    waitpid(child, nullptr, 0);
    return taken;
}

}  // namespace

int main(int argc, char** argv) {
    const auto argument = [&](int i, int otherwise) {
        return argc > i ? std::atoi(argv[i]) : otherwise;
    };
    const std::size_t items = static_cast<std::size_t>(argument(1, 128)) << 20;
    const int rounds = argument(2, 5);
    const int threads = argument(3, static_cast<int>(std::thread::hardware_concurrency()));
    std::string pages;
    std::getline(std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"), pages);
    std::printf("%zu int32, %d threads, large pages: %s\n", items, threads, pages.c_str());
    for (const bool was_used : {true, false}) {
        std::vector<double> taken[std::size(ways)];
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t i = 0; i < std::size(ways); ++i) {
                taken[i].push_back(seconds_of_new_process(ways[i], was_used, items, threads));
            }
        }
        std::printf("ms: median, least; memory that %s\n", was_used ? "was used" : "was not used");
        for (std::size_t i = 0; i < std::size(ways); ++i) {
            std::sort(taken[i].begin(), taken[i].end());
            const double median = taken[i][taken[i].size() / 2];
            std::printf("%8.1f %8.1f  %s\n", median * 1e3, taken[i][0] * 1e3, ways[i].name);
        }
        std::fflush(stdout);
    }
}
