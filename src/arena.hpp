// Threads from oneTBB, behind one function: nothing else in the library sees oneTBB.
#pragma once

namespace lookback::detail {

/// How many threads oneTBB would give to a call from this thread.
int arena_size();

}  // namespace lookback::detail
