// Reads the processor's name and memory where Linux shows them.

#include "machine.hpp"

#include <fmt/core.h>
#include <tbb/task_arena.h>
#include <tbb/version.h>
#include <unistd.h>

#include <fstream>

#include "lookback/detail/cpu/simd.hpp"
#include "lookback/version.hpp"

namespace lookback::bench {
namespace {

// The value of the first line "key : value" of a file.
std::string value_of(const char* file, const std::string& key) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        const auto colon = line.find(':');
        if (colon == std::string::npos || !line.starts_with(key)) continue;
        if (line.find_first_not_of(" \t", key.size()) != colon) continue;
        const auto value = line.find_first_not_of(" \t", colon + 1);
        return value == std::string::npos ? "" : line.substr(value);
    }
    return "unknown";
}

}  // namespace

std::map<std::string, std::string> describe_machine() {
    const char* cpuinfo = "/proc/cpuinfo";
    const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                          static_cast<double>(sysconf(_SC_PAGESIZE)) / 0x1p30;
    return {
        {"cpu", value_of(cpuinfo, "model name")},
        {"cpu_family_model", value_of(cpuinfo, "cpu family") + "/" + value_of(cpuinfo, "model")},
        {"threads", std::to_string(tbb::this_task_arena::max_concurrency())},
        {"memory_gib", fmt::format("{:.1f}", memory)},
        {"simd", detail::simd_target()},
        {"compiler", "g++ " __VERSION__},
        {"onetbb", TBB_runtime_version()},
        {"highway", HIGHWAY_VERSION},
        {"lookback", version},
    };
}

}  // namespace lookback::bench
