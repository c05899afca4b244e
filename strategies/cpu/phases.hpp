/// \file
/// What the CPU's strategies in two phases share: parts of the array, one for each thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>

#include "lookback/cpu.hpp"
#include "lookback/detail/cpu/workers.hpp"

namespace lookback::strategies {

/// [0, items) in `count` parts of nearly the same length, none of them empty.
struct cpu_parts {
    std::size_t items;
    std::size_t count;

    cpu_parts(std::size_t n, int threads)
        : items(n),
          count(std::min(n, static_cast<std::size_t>(detail::worker_limit({.threads = threads})))) {
    }
    std::size_t begin(std::size_t part) const {
        return items / count * part + std::min(part, items % count);
    }
    std::size_t end(std::size_t part) const { return begin(part + 1); }

    /// Calls body(part) for the parts from `first` on, in parallel; returns when all are done.
    template <class Body>
    void for_each(std::size_t first, const Body& body) const {
        if (first >= count) return;
        std::atomic<std::size_t> next{first};  // hands out parts, and orders nothing
        detail::run_workers(static_cast<int>(count - first), [&] {
            for (std::size_t p; (p = next.fetch_add(1, std::memory_order_relaxed)) < count;)
                body(p);
        });
    }
};

/// The sequential scan of some items, seeded with what lies before them; returns the fold of all.
template <class T, class Op>
T scan_items(const T* in, T* out, std::size_t items, const std::optional<T>& before, const Op& op) {
    T fold = out[0] = before ? static_cast<T>(op(*before, in[0])) : in[0];
    for (std::size_t i = 1; i < items; ++i) out[i] = fold = op(fold, in[i]);
    return fold;
}

template <class T, class Op>
T fold_items(const T* in, std::size_t items, const Op& op) {
    T fold = in[0];
    for (std::size_t i = 1; i < items; ++i) fold = op(fold, in[i]);
    return fold;
}

}  // namespace lookback::strategies
