#include "workplace.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "arguments.hpp"
#include "error.hpp"
#include "report.hpp"

namespace lookback::cli {

void workplace::take_gpu() {
    if (!is_gpu) return;
    on_gpu::survey found = on_gpu::find_gpus();
    if (found.gpus.empty()) fail("--device cuda: {}", found.why_none);
    gpu = found.gpus.front();
    memory = std::make_unique<on_gpu::window_memory>();
}

std::string workplace::fields() const {
    if (!gpu) return cpu_fields(threads);
    return fmt::format("\"device\": \"cuda\", \"gpu\": \"{}\"", gpu->name);
}

// The limit of a container counts, too.
static std::size_t memory_bytes() {
    auto bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                 static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    std::size_t limit = 0;  // stays 0 if the file is not there, or says "max"
    if (std::ifstream("/sys/fs/cgroup/memory.max") >> limit) bytes = std::min(bytes, limit);
    return bytes;
}

std::size_t workplace::large_window_bytes() const {
    if (is_window_given) return window_bytes;
    return (gpu ? std::min(memory_bytes(), gpu->memory_bytes) : memory_bytes()) / 4;
}

// auto is the CPU: a file's numbers lie in the CPU's memory, and the way to a GPU and back goes
// through that memory several times (docs/design.md, "Which device scans a file").
workplace parse_workplace(const std::optional<std::string>& threads,
                          const std::optional<std::string>& window,
                          const std::optional<std::string>& device_name) {
    workplace where;
    where.threads = parse_threads(threads);
    where.window_bytes = parse_window(window);
    where.is_window_given = window.has_value();
    const std::string device = device_name.value_or("auto");
    if (device == "auto" || device == "cpu") return where;
    if (device != "cuda") {
        fail("--device {}: unknown device; expected auto, cpu or cuda", device);
    }
    if (window) {
        fail("--window: is for the CPU; with --device cuda, windows have a size of their own");
    }
    where.is_gpu = true;
    const char* set = std::getenv("LOOKBACK_GPU_WINDOW");  // tests set small windows
    where.is_window_given = set != nullptr;
    where.window_bytes =
        set != nullptr ? parse_window(std::string(set), "LOOKBACK_GPU_WINDOW") : gpu_window;
    return where;
}

}  // namespace lookback::cli
