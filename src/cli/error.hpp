/// \file
/// What went wrong, as the one line that the user reads.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace lookback::cli {

/// Carries the finished line: what is wrong with which file or option, and what was expected.
class error : public std::runtime_error {
 public:
    using std::runtime_error::runtime_error;
};

template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
    throw error(fmt::format(format, std::forward<Args>(args)...));
}

/// Throws "PATH: cannot ACTION: what errno says".
[[noreturn]] void fail_with_errno(std::string_view path, std::string_view action);

/// A text that may contain names of files, on one line that a terminal can show: control characters
/// become \xNN, and line ends become spaces.
std::string printable(std::string_view text);

/// Bytes from a file as text: quoted, with unprintable bytes as \xNN, and cut if they are too many.
std::string quoted(std::string_view bytes);

}  // namespace lookback::cli
