#include "lookback/cpu/workers.hpp"

#include <hwy/cache_control.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <optional>

namespace lookback::detail {

int worker_limit(const cpu& where) {
    return where.threads > 0 ? where.threads : tbb::this_task_arena::max_concurrency();
}

// Isolated on both levels: a thread that waits here, or in an operator that is itself parallel,
// never picks up another body or the caller's other work, which might wait for a tile that it
// holds.
//
// oneTBB orders what the caller wrote before what the bodies read, and the other way round on
// return. `handover` says the same in a way that the thread sanitizer sees inside an uninstrumented
// oneTBB; it costs two atomic operations a body.
static void spread(int workers, const std::function<void()>& body) {
    std::atomic<int> handover{0};
    const auto run_one = [&](const tbb::blocked_range<int>&) {
        (void)handover.load(std::memory_order_acquire);
        struct on_leaving {
            std::atomic<int>& handover;
            ~on_leaving() { handover.fetch_add(1, std::memory_order_release); }
        } const leaving{handover};
        tbb::this_task_arena::isolate(body);
    };
    handover.store(0, std::memory_order_release);
    const auto acquire = [&] { (void)handover.load(std::memory_order_acquire); };
    try {
        tbb::this_task_arena::isolate([&] {
            tbb::parallel_for(tbb::blocked_range<int>(0, workers, 1), run_one,
                              tbb::simple_partitioner());
        });
    } catch (...) {
        acquire();
        throw;
    }
    acquire();
}

void run_workers(int workers, const std::function<void()>& body) {
    if (workers == tbb::this_task_arena::max_concurrency()) return spread(workers, body);
    // More threads than oneTBB would start by itself have to be asked for, for as long as they run.
    std::optional<tbb::global_control> more;
    if (workers > tbb::this_task_arena::max_concurrency()) {
        more.emplace(tbb::global_control::max_allowed_parallelism,
                     static_cast<std::size_t>(workers));
    }
    tbb::task_arena(workers).execute([&] { spread(workers, body); });
}

std::size_t last_level_cache() {
    static const std::size_t bytes = [] {
        long largest = 0;
        for (const int level :
             {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL4_CACHE_SIZE}) {
            largest = std::max(largest, sysconf(level));
        }
        constexpr long usual = 32L << 20;  // where the system does not say
        return static_cast<std::size_t>(largest > 0 ? largest : usual);
    }();
    return bytes;
}

void pause() { hwy::Pause(); }

}  // namespace lookback::detail
