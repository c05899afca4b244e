#include "arena.hpp"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <optional>

#include "lookback/detail/cpu/workers.hpp"

namespace lookback::detail {

int arena_size() { return tbb::this_task_arena::max_concurrency(); }

// Isolated on both levels: a thread that waits here, or in an operator that is itself parallel,
// never picks up another body or other work of the caller's, which might wait for a tile that this
// thread holds. The context is isolated too: a call from cancelled work still does all of its own
// work.
static void spread(int workers, void (*body)(void*), void* context, tbb::task_group_context& own) {
    tbb::this_task_arena::isolate([&] {
        tbb::parallel_for(
            tbb::blocked_range<int>(0, workers, 1),
            [&](const tbb::blocked_range<int>&) {
                tbb::this_task_arena::isolate([&] { body(context); });
            },
            tbb::simple_partitioner(), own);
    });
}

void run_in_arena(int workers, void (*body)(void*), void* context) {
    // Each body uses the rounding mode and the flush-to-zero mode of the caller. The context is
    // made here, on the caller's thread, because the bodies' arena may not be the caller's.
    tbb::task_group_context own(tbb::task_group_context::isolated,
                                tbb::task_group_context::fp_settings);
    if (workers <= arena_size()) return spread(workers, body, context, own);
    // More threads than the caller's arena has: they get an arena of their own. If oneTBB would not
    // start so many threads, its limit is raised while they run.
    using limit = tbb::global_control;
    const auto wanted = static_cast<std::size_t>(workers);
    std::optional<limit> raised;
    if (wanted > limit::active_value(limit::max_allowed_parallelism)) {
        raised.emplace(limit::max_allowed_parallelism, wanted);
    }
    tbb::task_arena(workers).execute([&] { spread(workers, body, context, own); });
}

}  // namespace lookback::detail
