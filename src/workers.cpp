#include "lookback/cpu/workers.hpp"

#include <hwy/cache_control.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

#include "arena.hpp"

namespace lookback::detail {

int worker_limit(const cpu& where) {
    if (where.threads == 0) return arena_size();
    static const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return std::min(where.threads, cores);  // more would only push each other's tiles out of cache
}

// oneTBB orders what the caller wrote before what the bodies read, and the other way round on
// return. These counters say the same where the thread sanitizer can see it, outside of oneTBB; the
// cost is two atomic operations a body. The first is global, since a body cannot read where to look
// before it has looked.
static std::atomic<unsigned> calls_handed_over{0};

namespace {
struct call {
    const std::function<void()>& body;
    std::atomic<unsigned> finished_bodies{0};
};
}  // namespace

static void run_body(void* context) {
    (void)calls_handed_over.load(std::memory_order_acquire);
    call& c = *static_cast<call*>(context);
    struct on_leaving {
        std::atomic<unsigned>& counter;
        ~on_leaving() { counter.fetch_add(1, std::memory_order_release); }
    } const leaving{c.finished_bodies};
    c.body();
}

void run_workers(int workers, const std::function<void()>& body) {
    call c{body};
    struct on_return {
        std::atomic<unsigned>& counter;
        ~on_return() { (void)counter.load(std::memory_order_acquire); }
    } const returning{c.finished_bodies};
    calls_handed_over.fetch_add(1, std::memory_order_release);
    run_in_arena(workers, run_body, &c);
}

// Twice the cores' own caches, where the shared one is larger: it is shared with other programs,
// and on a virtual machine with other machines, and measured as slower than memory well below its
// size (docs/tuning.md). The environment can say otherwise, which is how tests reach either way.
std::size_t streaming_threshold() {
    static const std::size_t bytes = []() -> std::size_t {
        if (const char* wanted = std::getenv("LOOKBACK_STREAM_ABOVE")) {
            return std::strtoull(wanted, nullptr, 10);
        }
        const auto size = [](int level) {
            constexpr long usual = 1L << 20;  // where the system does not say
            const long found = sysconf(level);
            return static_cast<std::size_t>(found > 0 ? found : usual);
        };
        const std::size_t own =
            size(_SC_LEVEL2_CACHE_SIZE) * std::max(1U, std::thread::hardware_concurrency());
        return std::min(2 * own, std::max(own, size(_SC_LEVEL3_CACHE_SIZE)));
    }();
    return bytes;
}

void pause() { hwy::Pause(); }

}  // namespace lookback::detail
