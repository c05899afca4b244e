#include "lookback/cpu/workers.hpp"

#include <hwy/cache_control.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "arena.hpp"

namespace lookback::detail {

int worker_limit(const cpu& where) { return where.threads > 0 ? where.threads : arena_size(); }

// oneTBB orders what the caller wrote before what the bodies read, and the other way round on
// return. These counters say the same where the thread sanitizer can see it, outside of oneTBB; the
// cost is two atomic operations a body. The first is global, since a body cannot read where to look
// before it has looked.
static std::atomic<unsigned> calls_handed_over{0};

namespace {
struct call {
    const std::function<void()>& body;
    std::atomic<unsigned> bodies_left{0};
};
}  // namespace

static void run_body(void* context) {
    (void)calls_handed_over.load(std::memory_order_acquire);
    call& c = *static_cast<call*>(context);
    struct on_leaving {
        std::atomic<unsigned>& counter;
        ~on_leaving() { counter.fetch_add(1, std::memory_order_release); }
    } const leaving{c.bodies_left};
    c.body();
}

void run_workers(int workers, const std::function<void()>& body) {
    call c{body};
    struct on_return {
        std::atomic<unsigned>& counter;
        ~on_return() { (void)counter.load(std::memory_order_acquire); }
    } const returning{c.bodies_left};
    calls_handed_over.fetch_add(1, std::memory_order_release);
    run_in_arena(workers, run_body, &c);
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
