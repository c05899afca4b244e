#include "workplace.hpp"

#include <cstdlib>

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

// Tests set small windows.
static std::size_t gpu_window_bytes() {
    const char* set = std::getenv("LOOKBACK_GPU_WINDOW");
    return set != nullptr ? parse_window(std::string(set), "LOOKBACK_GPU_WINDOW") : gpu_window;
}

// auto is the CPU: a file's numbers lie in its memory, and the way to a GPU and back leads through
// that memory several times (docs/design.md, "Which device scans a file").
workplace parse_workplace(const array_arguments& arguments) {
    workplace where;
    where.threads = parse_threads(arguments.threads);
    where.window_bytes = parse_window(arguments.window);
    const std::string device = arguments.device.value_or("auto");
    if (device == "auto" || device == "cpu") return where;
    if (device != "cuda") {
        fail("--device {}: unknown device; expected auto, cpu or cuda", device);
    }
    if (arguments.window) {
        fail("--window: is for the CPU; with --device cuda, windows have {} bytes", gpu_window);
    }
    where.is_gpu = true;
    where.window_bytes = gpu_window_bytes();
    return where;
}

}  // namespace lookback::cli
