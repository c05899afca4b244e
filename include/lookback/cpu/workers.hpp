/// \file
/// Threads and caches of this machine: the little that the library asks of it.
#pragma once

#include <cstddef>
#include <functional>

#include "lookback/execution.hpp"

namespace lookback::detail {

/// How many threads may take part in a call from this thread.
int worker_limit(const cpu& where);

/// Calls `body` on up to `workers` threads, the caller's among them, and returns when all have
/// returned. `body` may run fewer times at once than asked: it must not count on company. The first
/// exception that leaves a `body` is rethrown here.
void run_workers(int workers, const std::function<void()>& body);

/// Bytes of input and output above which results are better written around the caches.
std::size_t streaming_threshold();

/// Tells the core that it runs a waiting loop.
void pause();

}  // namespace lookback::detail
