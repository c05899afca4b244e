/// \file
/// The line that --json prints: what was done, and how fast.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace lookback::cli {

/// The fields that describe the CPU's work.
std::string cpu_fields(int threads);

class report {
 public:
    /// The time begins now.
    report() = default;

    /// Prints `fields`, the time, and the rate for `bytes` bytes, those read and written. The line
    /// goes to standard output, or to standard error if an array has gone to standard output.
    void print(std::string_view fields, std::uint64_t bytes, bool is_output_taken) const;

 private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace lookback::cli
