/// \file
/// The sequential scan, and the two ways to scan with a thread for each part of the array (Merrill
/// & Garland 2016, section 3.2, with one level of parts).
#pragma once

#include <vector>

#include "phases.hpp"

namespace lookback::strategies {

/// n - 1 operators, 2n items moved.
struct cpu_sequential {
    template <class T, class Op>
    static void run(int, const T* in, T* out, std::size_t n, const Op& op) {
        if (n > 0) scan_items(in, out, n, std::optional<T>(), op);
    }
};

/// Every part but the last is folded, then every part is scanned: 3n.
struct cpu_reduce_then_scan {
    template <class T, class Op>
    static void run(int threads, const T* in, T* out, std::size_t n, const Op& op) {
        if (n == 0) return;
        const cpu_parts parts(n, threads);
        std::vector<std::optional<T>> before(parts.count + 1);
        parts.for_each(0, [&](std::size_t p) {
            if (p + 1 == parts.count) return;
            before[p + 1] = fold_items(in + parts.begin(p), parts.end(p) - parts.begin(p), op);
        });
        for (std::size_t p = 2; p < parts.count; ++p) before[p] = op(*before[p - 1], *before[p]);
        parts.for_each(0, [&](std::size_t p) {
            const std::size_t begin = parts.begin(p);
            scan_items(in + begin, out + begin, parts.end(p) - begin, before[p], op);
        });
    }
};

/// Every part is scanned, then every part but the first takes the total of all parts before it: 4n.
struct cpu_scan_then_propagate {
    template <class T, class Op>
    static void run(int threads, const T* in, T* out, std::size_t n, const Op& op) {
        if (n == 0) return;
        const cpu_parts parts(n, threads);
        std::vector<std::optional<T>> totals(parts.count);
        parts.for_each(0, [&](std::size_t p) {
            const std::size_t begin = parts.begin(p);
            totals[p] =
                scan_items(in + begin, out + begin, parts.end(p) - begin, std::optional<T>(), op);
        });
        for (std::size_t p = 1; p < parts.count; ++p) totals[p] = op(*totals[p - 1], *totals[p]);
        parts.for_each(1, [&](std::size_t p) {
            const T before = *totals[p - 1];
            for (std::size_t i = parts.begin(p); i < parts.end(p); ++i) out[i] = op(before, out[i]);
        });
    }
};

}  // namespace lookback::strategies
