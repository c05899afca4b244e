/// \file
/// What --json prints: a line that says what was done, and how fast.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace lookback::cli {

/// The fields that say how the CPU worked.
std::string cpu_fields(int threads);

class report {
 public:
    /// The time begins now.
    report() = default;

    /// Prints `fields`, the time, and the rate at which so many bytes were read and written. On
    /// standard output, or on standard error where an array has gone to the former.
    void print(std::string_view fields, std::uint64_t bytes, bool is_output_taken) const;

 private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace lookback::cli
