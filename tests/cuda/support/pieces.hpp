// What the tests of the pieces for kernels share: an operator that notices poison, a sequential
// oracle, and differences as text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "support/device.hpp"
#include "support/values.hpp"

namespace lookback::test {

/// A value that must never reach an operator.
template <class T>
T poisoned() {
    T value;
    std::memset(static_cast<void*>(&value), poison, sizeof(T));
    return value;
}

/// `Op`, and a count of the poisoned values that reach it on the device.
template <class T, class Op>
struct watchful {
    Op op;
    unsigned* met;

    __device__ static unsigned is_poison(const T& value) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
        for (std::size_t i = 0; i < sizeof(T); ++i) {
            if (bytes[i] != poison) return 0;
        }
        return 1;
    }
    __device__ T operator()(const T& a, const T& b) const {
        const unsigned found = is_poison(a) + is_poison(b);
        if (found > 0) atomicAdd(met, found);
        return op(a, b);
    }
};

/// The scan of `values`, item by item. Results beyond them stay poisoned.
template <class T, class Op>
struct sequential_scan {
    std::vector<T> inclusive, exclusive;
    T fold;

    sequential_scan(const std::vector<T>& values, const T& init, const Op& op)
        : inclusive(values), exclusive(values), fold(values.at(0)) {
        T with_init = init;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (i > 0) fold = op(fold, values[i]);
            inclusive[i] = fold;
            exclusive[i] = with_init;
            with_init = op(with_init, values[i]);
        }
    }
};

/// Numbers of items around each edge within a block.
inline std::vector<int> counts_of(int threads, int per_thread) {
    const int most = threads * per_thread;
    std::vector<int> counts;
    for (const int edge :
         {1, per_thread, 32, 32 * per_thread, most / 2, most - 32, most - per_thread, most}) {
        for (const int count : {edge - 1, edge, edge + 1}) {
            if (count >= 1 && count <= most) counts.push_back(count);
        }
    }
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

template <class T>
std::string in_hex(const T& value) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
    std::string text = "0x";
    char digits[3];
    for (std::size_t i = sizeof(T); i-- > 0;) {
        std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(bytes[i]));
        text += digits;
    }
    return text;
}

/// Empty, or what differs. The bits are compared.
template <class T>
std::string difference(const std::vector<T>& want, const std::vector<T>& got) {
    if (want.size() != got.size()) return "sizes differ";
    std::size_t wrong = 0, first = 0;
    for (std::size_t i = want.size(); i-- > 0;) {
        if (std::memcmp(&want[i], &got[i], sizeof(T)) != 0) {
            ++wrong;
            first = i;
        }
    }
    if (wrong == 0) return "";
    return std::to_string(wrong) + " of " + std::to_string(want.size()) + " differ, the first at " +
           std::to_string(first) + ": expected " + in_hex(want[first]) + ", got " +
           in_hex(got[first]);
}

}  // namespace lookback::test
