#include "progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace lookback::cli {

using std::chrono::milliseconds;

static void tell(const std::string& text) {
    // It is no error if the bar cannot be drawn.
    [[maybe_unused]] const auto told = write(STDERR_FILENO, text.data(), text.size());
}

// The terminal's columns at this moment, without the last one: writing there moves some terminals
// to the next line.
static std::size_t columns() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 79;
    return size.ws_col - 1U;
}

progress::progress(std::uint64_t total_bytes)
    : total_(total_bytes),
      next_(begin_ + std::chrono::seconds(1)),
      is_wanted_(total_bytes > 0 && !is_hidden_ && isatty(STDERR_FILENO) == 1) {}

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
    const double seconds = std::chrono::duration<double>(now - begin_).count();
    tell("\r" + progress_line(done_, total_, seconds, columns()) + "\x1b[K");
}

std::string progress_line(std::uint64_t done, std::uint64_t total, double seconds,
                          std::size_t columns) {
    const double part = total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total);
    const auto left = static_cast<long>(std::ceil(part > 0 ? seconds / part - seconds : 0));
    const double rate = static_cast<double>(done) / seconds / 1e9;
    const std::string percent = fmt::format("{:3.0f} %", part * 100);
    const std::string figures =
        fmt::format("{}  {:.2f} GB/s  {}:{:02} left", percent, rate, left / 60, left % 60);
    constexpr std::size_t brackets = 3, widest = 24, narrowest = 4;
    if (columns < figures.size()) return percent.substr(0, columns);
    if (columns < figures.size() + brackets + narrowest) return figures;
    const std::size_t width = std::min(columns - figures.size() - brackets, widest);
    const auto filled =
        std::min(static_cast<std::size_t>(part * static_cast<double>(width)), width);
    return fmt::format("[{:#<{}}{:.<{}}] {}", "", filled, "", width - filled, figures);
}

}  // namespace lookback::cli
