// Threads from oneTBB, behind one function: nothing else in the library uses oneTBB.
#pragma once

namespace lookback::detail {

/// The number of threads that oneTBB would give to a call from this thread.
int arena_size();

}  // namespace lookback::detail
