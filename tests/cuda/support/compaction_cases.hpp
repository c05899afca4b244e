// For compactions and runs: arrays with runs and flags, and device memory for the
// results.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "lookback/scan.hpp"
#include "support/device.hpp"

namespace lookback::test {

/// How to reach a driver.
struct compaction_route {
    std::string name;
    std::uint64_t shift;  ///< items by which arrays lie beyond a 16-byte boundary
    lookback::gpu& gpu;

    /// The same of an array that is read with the items.
    std::uint64_t shift_of_paired() const { return shift == 0 ? 0 : shift + 2; }
    /// The same of results that lie over no items.
    std::uint64_t shift_of_results() const { return shift == 0 ? 0 : 9 * shift; }
};

/// Calls `check(way, n)` for each route to a driver and each of these sizes, until one fails.
template <class Check>
void on_all_routes(const std::vector<std::uint64_t>& sizes, const Check& check) {
    stream both;
    lookback::gpu small{both}, few_blocks{both}, plain{both}, staged{both};
    using detail::device::access;
    access::limit_blocks(few_blocks, 3);
    access::use_small(plain, false);
    access::use_small(staged, false);
    access::use_pipeline(staged, false);
    const compaction_route ways[] = {{"small", 1, small},
                                     {"small tiles, staged", 0, few_blocks},
                                     {"bulk copies", 0, plain},
                                     {"bulk copies, 1 item off boundaries", 1, plain},
                                     {"bulk copies, 5 items off boundaries", 5, plain},
                                     {"staged", 0, staged}};
    for (const compaction_route& way : ways) {
        for (const std::uint64_t n : sizes) {
            SCOPED_TRACE(way.name + ", n " + std::to_string(n));
            check(way, n);
            if (::testing::Test::HasFailure()) return;
        }
    }
}

/// Sizes around one tile, and around the 32 tiles that a warp looks back over at once.
inline std::vector<std::uint64_t> compaction_sizes(std::uint64_t tile) {
    std::set<std::uint64_t> all = {0, 1, tile + 1, 33 * tile + 5};
    if (!reduced()) {
        all.insert({2, 31, 33, 4607, 4608, 4609, tile / 2 + 1, tile - 1, tile, 2 * tile,
                    2 * tile + 1, 31 * tile + 7, 32 * tile, 32 * tile - 1, 32 * tile + 1, 33 * tile,
                    300 * tile + 11});
    }
    return {all.begin(), all.end()};
}

/// Keys in runs of this mean length. 1: runs of one item; 0: one run only.
inline std::vector<std::uint32_t> keys_in_runs(std::uint64_t n, std::uint64_t mean, unsigned seed) {
    std::vector<std::uint32_t> keys(n);
    std::minstd_rand random(seed);
    std::uint32_t key = 7;
    for (auto& k : keys) {
        if (mean == 1 || (mean > 1 && random() % mean == 0)) ++key;
        k = key & 0x7F;
    }
    return keys;
}

/// Keys by position: 3 times 1, `middle` times 2, then 3.
struct three_runs {
    std::uint64_t middle;
    __host__ __device__ std::uint32_t operator()(std::uint64_t i) const {
        return i < 3 ? 1U : i < 3 + middle ? 2U : 3U;
    }
};

/// An associative operator; different orders give different results.
struct compose {
    __host__ __device__ std::uint32_t operator()(std::uint32_t f, std::uint32_t g) const {
        // f and g are maps x -> a x + b, with 16 bits for each of a and b; f is applied first, then
        // g.
        const std::uint32_t a = (f >> 16) * (g >> 16);
        const std::uint32_t b = (f & 0xFFFF) * (g >> 16) + (g & 0xFFFF);
        return a << 16 | (b & 0xFFFF);
    }
};

/// An array in device memory, `shift` items beyond a boundary, with poison around it.
template <class T>
class shifted_array {
 public:
    static constexpr std::uint64_t guard = 16;

    shifted_array(std::uint64_t items, std::uint64_t shift)
        : items_(items), begin_(guard + shift), all_(items + 2 * guard + shift) {}
    shifted_array(const std::vector<T>& values, std::uint64_t shift)
        : shifted_array(values.size(), shift) {
        check(cudaMemcpy(data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
              "copying to the device");
        check(cudaDeviceSynchronize(), "copying to the device");
    }
    T* data() { return all_.data() + begin_; }

    /// Expects `want`, and behind it what was there before: poison, or the items of `old`.
    void expect(const std::vector<T>& want, const char* what,
                const std::vector<T>& old = std::vector<T>()) {
        const std::vector<T> got = all_.get();
        std::vector<T> all(got.size());
        std::memset(static_cast<void*>(all.data()), poison, all.size() * sizeof(T));
        std::copy(old.begin(), old.end(), all.begin() + static_cast<std::ptrdiff_t>(begin_));
        std::copy(want.begin(), want.end(), all.begin() + static_cast<std::ptrdiff_t>(begin_));
        if (std::memcmp(got.data(), all.data(), all.size() * sizeof(T)) == 0) return;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (std::memcmp(&got[i], &all[i], sizeof(T)) != 0) {
                ADD_FAILURE() << what << ": item " << static_cast<long long>(i - begin_) << " of "
                              << want.size() << " wanted, " << items_ << " in all, is wrong";
                return;
            }
        }
    }

 private:
    std::uint64_t items_;
    std::uint64_t begin_;
    device_array<T> all_;
};

}  // namespace lookback::test
