/// \file
/// A progress bar for jobs that take more than a second. It is shown only on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace lookback::cli {

/// One line on standard error, if that is a terminal to which nothing else is written: the part
/// that is done, the rate, and the time left.
class progress {
 public:
    /// From here on no bar is shown: results go to a terminal.
    static void hide() { is_hidden_ = true; }

    /// No bar is shown if `total_bytes` is 0, which also stands for an unknown amount.
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

/// The line. It takes at most 60 columns; if there are fewer `columns`, parts are left out.
std::string progress_line(std::uint64_t done, std::uint64_t total, double seconds,
                          std::size_t columns = 60);

}  // namespace lookback::cli
