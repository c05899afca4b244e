#include "lookback/detail/cpu/workers.hpp"

#include <hwy/cache_control.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "arena.hpp"

namespace lookback::detail {

int worker_limit(const cpu& where) {
    if (where.threads == 0) return arena_size();
    static const auto cores = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return std::min(where.threads, cores);  // more would only push each other's tiles out of cache
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

void yield() { std::this_thread::yield(); }

std::int64_t nanoseconds() {
    using std::chrono::nanoseconds;
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<nanoseconds>(now).count();
}

}  // namespace lookback::detail
