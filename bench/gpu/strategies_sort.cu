// The ways to sort random 32-bit keys, beside this library's sort and CUB's.

#include <algorithm>
#include <chrono>
#include <cub/device/device_radix_sort.cuh>

#include "lookback/sort.hpp"
#include "random_bits.cuh"
#include "strategies.hpp"
#include "strategies/cuda/device.cuh"
#include "strategies/registry.hpp"
#include "toolkit.cuh"
#include "verdict.cuh"

namespace lookback::bench {
namespace {

using key = std::uint32_t;

constexpr std::uint64_t most_sequential_keys = std::uint64_t{1} << 22;

__global__ void make_keys_kernel(key* keys, std::uint64_t n) {
    for_each_item(n, [&](std::uint64_t i) { keys[i] = static_cast<key>(random_bits(i)); });
}

// Finds the first key that is less than the one before it.
__global__ void check_order_kernel(const key* keys, std::uint64_t n,
                                   unsigned long long* first_wrong) {
    for_each_item(n, [&](std::uint64_t i) {
        if (i > 0 && keys[i] < keys[i - 1]) atomicMin(first_wrong, i);
    });
}

// Adds the hashes of all keys. The sum is the same for the same keys in any order, and hardly ever
// for other keys.
__global__ void add_hashes_kernel(const key* keys, std::uint64_t n, unsigned long long* sum) {
    unsigned long long mine = 0;
    for_each_item(n, [&](std::uint64_t i) { mine += random_bits(keys[i]); });
    atomicAdd(sum, mine);
}

class sorting {
 public:
    sorting(session& s, std::uint64_t n) : session_(s), n_(n) {
        make_keys_kernel<<<check_blocks(n), check_threads, 0, s.stream()>>>(in(), n);
        check(cudaGetLastError(), "making keys");
        hashes_ = sum_of_hashes(in());
    }

    key* in() const { return static_cast<key*>(session_.in()); }
    key* out() const { return static_cast<key*>(session_.out()); }

    /// Runs the call on a poisoned output. Returns what is wrong, or nothing.
    std::string judge(const implementation& one) {
        check(cudaMemsetAsync(out(), 0xa5, n_ * sizeof(key), session_.stream()), "poisoning");
        one.call();
        const std::uint64_t wrong = first_wrong_item(session_, [&](unsigned long long* found) {
            check_order_kernel<<<check_blocks(n_), check_threads, 0, session_.stream()>>>(out(), n_,
                                                                                          found);
        });
        if (wrong != none_wrong) {
            return one.name + " is wrong, first at key " + std::to_string(wrong);
        }
        return sum_of_hashes(out()) == hashes_ ? "" : one.name + " writes other keys than it read";
    }

    std::vector<implementation> ways(strategies::device& gpu) {
        session& s = session_;
        const std::uint64_t n = n_;
        const key* const keys = in();
        key* const sorted = out();
        std::vector<implementation> all = {
            {"ours", [=, &s] { sort_keys(s.gpu(), keys, keys + n, sorted); }},
            cub_call(s, "cub", cub_slot, [=, &s](void* memory, std::size_t& bytes) {
                return cub::DeviceRadixSort::SortKeys(memory, bytes, keys, sorted, n, 0,
                                                      8 * static_cast<int>(sizeof(key)),
                                                      s.stream());
            })};
        for (const char* const name : sort_names) {
            const auto run = strategies::find_cuda_sort(name);
            all.push_back({name, [=, &gpu] {
                               run({strategies::key_type::u32, keys, sorted, n}, {.gpu = &gpu});
                           }});
        }
        return all;
    }

    /// The best of three runs of std::sort, on one thread.
    double sequential_us() {
        std::vector<key> keys(n_);
        double best = 0;
        for (int run = 0; run < 3; ++run) {
            check(cudaMemcpy(keys.data(), in(), n_ * sizeof(key), cudaMemcpyDeviceToHost),
                  "reading the keys");
            const auto start = std::chrono::steady_clock::now();
            std::sort(keys.begin(), keys.end());
            const std::chrono::duration<double, std::micro> taken =
                std::chrono::steady_clock::now() - start;
            if (run == 0 || taken.count() < best) best = taken.count();
        }
        return best;
    }

 private:
    std::uint64_t sum_of_hashes(const key* keys) {
        auto* const sum = reinterpret_cast<unsigned long long*>(session_.flag());
        check(cudaMemsetAsync(sum, 0, sizeof(*sum), session_.stream()), "clearing a sum");
        add_hashes_kernel<<<check_blocks(n_), check_threads, 0, session_.stream()>>>(keys, n_, sum);
        check(cudaGetLastError(), "adding hashes");
        std::uint64_t found = 0;
        check(
            cudaMemcpyAsync(&found, sum, sizeof(found), cudaMemcpyDeviceToHost, session_.stream()),
            "reading a sum");
        session_.synchronise();
        return found;
    }

    session& session_;
    std::uint64_t n_;
    std::uint64_t hashes_ = 0;
};

}  // namespace

void measure_sorts(session& s, const observer& tell) {
    strategies::device gpu(s.stream());
    for (int exponent = 10; exponent <= 26; exponent += 4) {
        const std::uint64_t n = std::uint64_t{1} << exponent;
        if (n * sizeof(key) > s.array_bytes()) return;
        cell c;
        c.op = "sort";
        c.type = "u32";
        c.items = n;
        c.item_bytes = sizeof(key);
        c.least_bytes = 2 * n * sizeof(key);
        tell.begin(c);
        sorting sorts(s, n);
        std::vector<implementation> all = sorts.ways(gpu);
        for (const implementation& one : all) {
            if (c.trouble.empty()) c.trouble = sorts.judge(one);
        }
        if (c.trouble.empty()) {
            for (implementation& copy : copies(s, n * sizeof(key))) all.push_back(copy);
            c.device_us = s.device_times(all, c.trouble);
            if (n <= most_sequential_keys) c.host_us["sequential"] = sorts.sequential_us();
            c.checked = c.trouble.empty();
        }
        tell.end(c);
    }
}

}  // namespace lookback::bench
