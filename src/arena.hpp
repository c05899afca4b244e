// Threads from oneTBB, behind one function: nothing else in the library sees oneTBB.
#pragma once

namespace lookback::detail {

/// How many threads oneTBB would give to a call from this thread.
int arena_size();

/// Calls `body(context)` on up to `workers` threads, as run_workers in cpu/workers.hpp promises.
void run_in_arena(int workers, void (*body)(void*), void* context);

}  // namespace lookback::detail
