/// \file
/// A progress bar for jobs that take more than a second, where a person is looking.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace lookback::cli {

/// One line on standard error, where that is a terminal that nothing else is written to: how far,
/// how fast, how long to go.
class progress {
 public:
    /// From here on there are none: results go to a terminal.
    static void hide() { is_hidden_ = true; }

    /// None either where nobody knows how much there is, and that is 0.
    explicit progress(std::uint64_t total_bytes);
    progress(const progress&) = delete;
    progress& operator=(const progress&) = delete;
    /// Clears the line.
    ~progress();

    void advance(std::uint64_t bytes);

 private:
    using clock = std::chrono::steady_clock;

    static inline bool is_hidden_ = false;

    std::uint64_t total_;
    std::uint64_t done_ = 0;
    clock::time_point begin_ = clock::now();
    clock::time_point next_;
    bool is_wanted_;
    bool is_shown_ = false;
};

/// The line, at most 60 columns, or as much of it as there are columns for.
std::string progress_line(std::uint64_t done, std::uint64_t total, double seconds,
                          std::size_t columns = 60);

}  // namespace lookback::cli
