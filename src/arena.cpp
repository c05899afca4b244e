#include "arena.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <optional>

namespace lookback::detail {

int arena_size() { return tbb::this_task_arena::max_concurrency(); }

// Isolated on both levels: a thread that waits here, or in an operator that is itself parallel,
// never picks up another body or the caller's other work, which might wait for a tile that it
// holds.
static void spread(int workers, void (*body)(void*), void* context) {
    tbb::this_task_arena::isolate([&] {
        tbb::parallel_for(
            tbb::blocked_range<int>(0, workers, 1),
            [&](const tbb::blocked_range<int>&) {
                tbb::this_task_arena::isolate([&] { body(context); });
            },
            tbb::simple_partitioner());
    });
}

void run_in_arena(int workers, void (*body)(void*), void* context) {
    if (workers == arena_size()) return spread(workers, body, context);
    // More threads than oneTBB would start by itself have to be asked for, for as long as they run.
    std::optional<tbb::global_control> more;
    if (workers > arena_size()) {
        more.emplace(tbb::global_control::max_allowed_parallelism,
                     static_cast<std::size_t>(workers));
    }
    tbb::task_arena(workers).execute([&] { spread(workers, body, context); });
}

}  // namespace lookback::detail
