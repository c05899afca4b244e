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
    return std::min(where.threads, cores);  // more threads would only evict each other's tiles
}

// Twice the size of all cores' own caches, if the shared cache is larger. The shared cache does not
// count in full: other programs use it too (on a virtual machine, other machines), and it was
// measured as slower than memory well below its size (docs/tuning.md). The environment can override
// this, which is how tests reach both code paths.
std::size_t streaming_threshold() {
    static const std::size_t bytes = []() -> std::size_t {
        if (const char* wanted = std::getenv("LOOKBACK_STREAM_ABOVE")) {
            return std::strtoull(wanted, nullptr, 10);
        }
        const auto size = [](int level) {
            constexpr long usual = 1L << 20;  // if the system does not say
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
