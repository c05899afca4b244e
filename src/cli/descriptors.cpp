#include "descriptors.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>

#include "error.hpp"

namespace lookback::cli {

namespace fs = std::filesystem;

static constexpr int most_links = 40;  // the system's own limit

void take_standard_descriptors() {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(number, F_GETFD) >= 0) continue;
        // Opened in the wrong direction, so that its use fails as if it were closed. `open` gives
        // the lowest free number.
        if (open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) != number) {
            fail_with_errno("/dev/null", "open");
        }
    }
}

std::optional<int> named_descriptor(const std::string& path) {
    if (path == "-") return STDOUT_FILENO;
    std::error_code ignored;  // such a path cannot be opened either: reported then
    const fs::path descriptors = fs::canonical("/proc/self/fd", ignored);
    if (descriptors.empty()) return std::nullopt;
    fs::path name = path;
    for (int links = 0; links < most_links; ++links) {
        const fs::path parent = name.has_parent_path() ? name.parent_path() : ".";
        if (fs::canonical(parent, ignored) == descriptors) {
            const std::string digits = name.filename().string();
            int number = 0;
            const auto [end, problem] =
                std::from_chars(digits.data(), digits.data() + digits.size(), number);
            if (problem != std::errc{} || *end != '\0' || number < 0) return std::nullopt;
            return number;
        }
        if (!fs::is_symlink(fs::symlink_status(name, ignored))) return std::nullopt;
        name = name.parent_path() / fs::read_symlink(name, ignored);
    }
    return std::nullopt;
}

// Links are followed first, because the files that they name need not exist yet. Then the path is
// made absolute, because `weakly_canonical` leaves a relative path relative if nothing is there
// yet.
std::string place_of(const std::string& path) {
    std::error_code ignored;  // a path that cannot be followed is reported when it is opened
    return fs::weakly_canonical(fs::absolute(behind_links(path), ignored), ignored).string();
}

bool descriptor::write_at(std::uint64_t offset, std::span<const std::byte> data) const {
    while (!data.empty()) {
        const ssize_t written = pwrite(number_, data.data(), std::min(data.size(), written_at_once),
                                       static_cast<off_t>(offset));
        if (written >= 0) {
            data = data.subspan(static_cast<std::size_t>(written));
            offset += static_cast<std::uint64_t>(written);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool descriptor::read_at(std::uint64_t offset, std::span<std::byte> data) const {
    while (!data.empty()) {
        const ssize_t got = pread(number_, data.data(), data.size(), static_cast<off_t>(offset));
        if (got > 0) {
            data = data.subspan(static_cast<std::size_t>(got));
            offset += static_cast<std::uint64_t>(got);
        } else if (got == 0) {
            errno = EIO;
            return false;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

std::string behind_links(const std::string& path) {
    fs::path target = path;
    std::error_code ignored;  // such a path cannot be opened either: reported then
    for (int links = 0; links < most_links; ++links) {
        if (!fs::is_symlink(fs::symlink_status(target, ignored))) break;
        target = target.parent_path() / fs::read_symlink(target, ignored);
    }
    return target.string();
}

}  // namespace lookback::cli
