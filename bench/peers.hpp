/// \file
/// The peers of scans: the standard library and oneTBB, written as plainly as their users write
/// them.
///
/// A peer is a type with `name` and `run<Workload>(in, out, items)`.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include <cstddef>
#include <execution>
#include <numeric>

namespace lookback::bench {

struct sequential {
    static constexpr const char* name = "sequential";
    template <class W, class T = typename W::item>
    static void run(const T* in, T* out, std::size_t items) {
        std::inclusive_scan(in, in + items, out, typename W::op{});
    }
};

struct par_unseq {
    static constexpr const char* name = "par_unseq";
    template <class W, class T = typename W::item>
    static void run(const T* in, T* out, std::size_t items) {
        std::inclusive_scan(std::execution::par_unseq, in, in + items, out, typename W::op{});
    }
};

struct tbb_scan {
    static constexpr const char* name = "tbb";
    template <class W, class T = typename W::item>
    static void run(const T* in, T* out, std::size_t items) {
        const typename W::op op;
        tbb::parallel_scan(
            tbb::blocked_range<std::size_t>(0, items), W::identity,
            [in, out, op](const tbb::blocked_range<std::size_t>& part, T fold, bool is_final) {
                // Local pointers: stores of bytes could change the pointers in the lambda.
                const T* const from = in;
                T* const to = out;
                const std::size_t end = part.end();
                if (is_final) {
                    for (std::size_t i = part.begin(); i < end; ++i)
                        to[i] = fold = op(fold, from[i]);
                } else {
                    for (std::size_t i = part.begin(); i < end; ++i) fold = op(fold, from[i]);
                }
                return fold;
            },
            op);
    }
};

}  // namespace lookback::bench
