// Runs one (type, operator) through every kind, direction, placement, size and number of threads,
// and compares each item with a sequential fold.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "lookback/lookback.hpp"
#include "support/values.hpp"

namespace lookback::test {

enum class kind { inclusive, inclusive_init, exclusive };

struct scan_case {
    kind what;
    bool backward;
    bool in_place;
    int threads;
    std::size_t n;

    std::string text() const {
        const char* kinds[] = {"inclusive", "inclusive with init", "exclusive"};
        return std::string(kinds[static_cast<int>(what)]) +
               (backward ? ", backward" : ", forward") + (in_place ? ", in place" : "") +
               ", threads " + std::to_string(threads) + ", n " + std::to_string(n);
    }
};

/// The scan by definition, item by item.
template <class Out, class In, class A, class Op>
std::vector<Out> sequential_scan(const std::vector<In>& in, kind what, bool backward, const Op& op,
                                 const A& init) {
    const std::size_t n = in.size();
    std::vector<Out> out(n);
    std::optional<A> fold;
    if (what != kind::inclusive) fold = init;
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t i = backward ? n - 1 - k : k;
        if (what == kind::exclusive) out[i] = static_cast<Out>(*fold);
        fold = static_cast<A>(fold ? op(*fold, static_cast<A>(in[i])) : static_cast<A>(in[i]));
        if (what != kind::exclusive) out[i] = static_cast<Out>(*fold);
    }
    return out;
}

template <class T, class Op, class In, class Out>
void call_scan(const scan_case& c, In first, In last, Out out, const Op& op, const T& init) {
    const cpu where{.threads = c.threads};
    Out end = out;
    switch (c.what) {
        case kind::inclusive: end = lookback::inclusive_scan(where, first, last, out, op); break;
        case kind::inclusive_init:
            end = lookback::inclusive_scan(where, first, last, out, op, init);
            break;
        case kind::exclusive:
            end = lookback::exclusive_scan(where, first, last, out, init, op);
            break;
    }
    EXPECT_EQ(end - out, last - first);
}

/// The library's result, in a buffer that is poisoned first and has guards on both sides, which
/// must be untouched. `shift` moves the output off its natural alignment by that many items. The
/// buffer lives until the next call. (In place, items and results are of one type.)
template <class T, class Op, class In>
std::span<const T> library_scan(const std::vector<In>& in, const scan_case& c, const Op& op,
                                const T& init, std::size_t shift = 0) {
    const std::size_t n = in.size();
    const std::size_t guard = 64 + shift;
    static std::vector<T> buffer;
    if (buffer.size() < n + 2 * guard) buffer.resize(n + 2 * guard);
    std::memset(static_cast<void*>(buffer.data()), 0xA5, (n + 2 * guard) * sizeof(T));
    const std::vector<T> untouched(buffer.data(), buffer.data() + guard);
    T* out = buffer.data() + guard;
    const In* source = in.data();
    if constexpr (std::is_same_v<In, T>) {
        if (c.in_place) {
            std::copy(in.begin(), in.end(), out);
            source = out;
        }
    }
    if (c.backward) {
        call_scan(c, std::reverse_iterator(source + n), std::reverse_iterator(source),
                  std::reverse_iterator(out + n), op, init);
    } else {
        call_scan(c, source, source + n, out, op, init);
    }
    EXPECT_EQ(std::memcmp(buffer.data(), untouched.data(), guard * sizeof(T)), 0)
        << "written before the output: " << c.text();
    EXPECT_EQ(std::memcmp(out + n, untouched.data(), guard * sizeof(T)), 0)
        << "written past the output: " << c.text();
    return {out, n};
}

template <class Op>
inline constexpr bool ends_soon =
    std::is_same_v<Op, bit_and<>> || std::is_same_v<Op, bit_or<>>;  // at all bits, or none

/// Calls `compare(got, want, case)` for every case.
template <class T, class In = T, class Op, class Compare>
void for_every_case(const Op& op, Compare&& compare) {
    std::mt19937_64 random(7);
    const T init = random_values_for<T>(op, 2, 99)[1];
    for (const std::size_t n : edge_sizes<T>()) {
        const bool large = n > 3 * scan_tile_items<T>;
        if (sanitized && large && n % scan_tile_items<T> != 1) continue;
        // A run for one instruction set, or one way to store, tests single tiles, not many of them.
        if (large && std::getenv("LOOKBACK_STREAM_ABOVE")) continue;
        // Sums of the type cover many tiles, and BitOperatorsOnSparseBits three.
        if (large && ends_soon<Op>) continue;
        const std::vector<In> in = random_values_for<In>(op, n, n + 1);
        for (const kind what : {kind::inclusive, kind::inclusive_init, kind::exclusive}) {
            for (const bool backward : {false, true}) {
                const std::vector<T> want = sequential_scan<T>(in, what, backward, op, init);
                for (const bool in_place : {false, true}) {
                    if (in_place && !std::is_same_v<In, T>) continue;
                    for (const int k : thread_counts) {
                        // One tile takes two threads at most.
                        if (n <= scan_tile_items<T> && k > std::max(2, thread_counts[0])) continue;
                        const scan_case c{what, backward, in_place, k, n};
                        const std::size_t shift = random() % 64;
                        compare(library_scan(in, c, op, init, shift), std::span<const T>(want), c);
                        if (::testing::Test::HasFailure()) return;
                    }
                }
            }
        }
    }
}

/// Expects every item to be equal to the sequential fold: for operators that regroup exactly.
template <class T, class In = T, class Op>
void check_exactly(const Op& op) {
    for_every_case<T, In>(op,
                          [](std::span<const T> got, std::span<const T> want, const scan_case& c) {
                              // In most cases the bytes are equal, and under a sanitizer comparing
                              // them is much faster.
                              if (got.size() == want.size() && !want.empty() &&
                                  std::memcmp(got.data(), want.data(), got.size_bytes()) == 0) {
                                  return;
                              }
                              if (std::equal(got.begin(), got.end(), want.begin(), want.end()))
                                  return;
                              std::size_t i = 0;
                              while (got[i] == want[i]) ++i;
                              ADD_FAILURE() << "item " << i << " of: " << c.text();
                          });
}

}  // namespace lookback::test
