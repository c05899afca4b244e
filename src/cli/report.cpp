#include "report.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "commands.hpp"
#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/cpu/workers.hpp"

namespace lookback::cli {

std::string cpu_fields(int threads) {
    return fmt::format("\"device\": \"cpu\", \"threads\": {}, \"simd\": \"{}\"",
                       detail::worker_limit({.threads = threads}), detail::simd_target());
}

void report::print(std::string_view fields, std::uint64_t bytes, bool is_output_taken) const {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin_;
    const std::string line =
        fmt::format("{{{}, \"seconds\": {:.6f}, \"gb_per_s\": {:.3f}}}\n", fields, seconds.count(),
                    static_cast<double>(bytes) / seconds.count() / 1e9);
    if (is_output_taken) {
        std::fputs(line.c_str(), stderr);
    } else {
        cli::print(line);
    }
}

}  // namespace lookback::cli
