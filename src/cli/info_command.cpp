// `lookback info`: what the library finds on this machine.

#include <fmt/format.h>
#include <unistd.h>

#include <thread>

#include "commands.hpp"
#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/cpu/workers.hpp"
#include "lookback/version.hpp"
#include "table/gpu/gpus.hpp"

namespace lookback::cli {

static std::string cache(const char* name, int which) {
    const long bytes = sysconf(which);
    if (bytes <= 0) return fmt::format("{} unknown", name);
    if (bytes < 1 << 20) return fmt::format("{} {} KiB", name, bytes >> 10);
    return fmt::format("{} {:.4g} MiB", name, static_cast<double>(bytes) / (1 << 20));
}

// One line for each GPU, and one for driver and runtime.
static std::string gpus() {
    const on_gpu::survey found = on_gpu::find_gpus();
    if (found.gpus.empty()) return fmt::format("GPUs     none: {}\n", found.why_none);
    std::string lines;
    for (const on_gpu::gpu& g : found.gpus) {
        lines += fmt::format("{:8} {}, compute capability {}.{}, {} multiprocessors, {:.4g} GiB\n",
                             lines.empty() ? "GPUs" : "", g.name, g.major, g.minor,
                             g.multiprocessors, static_cast<double>(g.memory_bytes) / (1 << 30));
    }
    return lines + fmt::format("CUDA     driver {}, runtime {}\n", found.driver, found.runtime);
}

void run_info() {
    print(fmt::format(
        "version  {}\n"
        "SIMD     {}\n"
        "cores    {} ({} used by default)\n"
        "caches   {}, {}, {}\n"
        "{}",
        version, detail::simd_target(), std::thread::hardware_concurrency(),
        detail::worker_limit({}), cache("L1d", _SC_LEVEL1_DCACHE_SIZE),
        cache("L2", _SC_LEVEL2_CACHE_SIZE), cache("L3", _SC_LEVEL3_CACHE_SIZE), gpus()));
}

}  // namespace lookback::cli
