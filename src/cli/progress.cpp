#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace lookback::cli {

using std::chrono::milliseconds;

static void tell(const std::string& text) {
    // A bar that cannot be drawn is not worth an error.
    [[maybe_unused]] const auto told = write(STDERR_FILENO, text.data(), text.size());
}

progress::progress(std::uint64_t total_bytes)
    : total_(total_bytes),
      next_(begin_ + std::chrono::seconds(1)),
      is_wanted_(isatty(STDERR_FILENO) == 1) {}

progress::~progress() {
    if (is_shown_) tell("\r\x1b[K");
}

void progress::advance(std::uint64_t bytes) {
    done_ += bytes;
    if (!is_wanted_) return;
    const auto now = clock::now();
    if (now < next_) return;
    next_ = now + milliseconds(100);
    is_shown_ = true;
    tell("\r" + progress_line(done_, total_, std::chrono::duration<double>(now - begin_).count()) +
         "\x1b[K");
}

std::string progress_line(std::uint64_t done, std::uint64_t total, double seconds) {
    constexpr int width = 24;
    const double part = total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total);
    const int filled = std::clamp(static_cast<int>(part * width), 0, width);
    const auto left = static_cast<long>(std::ceil(part > 0 ? seconds / part - seconds : 0));
    const double rate = static_cast<double>(done) / seconds / 1e9;
    return fmt::format("[{:#<{}}{:.<{}}] {:3.0f} %  {:.2f} GB/s  {}:{:02} left", "", filled, "",
                       width - filled, part * 100, rate, left / 60, left % 60);
}

}  // namespace lookback::cli
