/// \file
/// Work without a prefix: several threads take shares of it, in any order.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "lookback/cpu.hpp"
#include "lookback/detail/cpu/workers.hpp"

namespace lookback::detail {

/// Calls body(begin, end) once for each `share` items of [0, items). Work of less than four shares
/// stays on the calling thread.
template <class Body>
void for_shares(const cpu& where, std::size_t items, std::size_t share, const Body& body) {
    std::atomic<std::size_t> taken{0};  // hands out shares; orders no memory
    const auto work = [&] {
        for (std::size_t i; (i = taken.fetch_add(share, std::memory_order_relaxed)) < items;) {
            body(i, std::min(items, i + share));
        }
    };
    const auto limit = static_cast<std::size_t>(worker_limit(where));
    const auto workers = static_cast<int>(std::min(limit, items / (2 * share)));
    if (workers < 2) return work();
    run_workers(workers, work);
}

}  // namespace lookback::detail
