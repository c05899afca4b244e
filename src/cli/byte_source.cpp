#include "byte_source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "error.hpp"

namespace lookback::cli {

// Not blocking while it is opened: a named pipe without a writer is to be refused, not waited for.
byte_source::byte_source(const std::string& path)
    : name_(path == "-" ? "standard input" : path),
      file_(path == "-" ? -1 : open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)),
      number_(path == "-" ? STDIN_FILENO : file_.number()) {
    if (path == "-") return;
    struct stat status {};
    if (!file_.is_open() || fstat(number_, &status) != 0) fail_with_errno(path, "read");
    if (S_ISDIR(status.st_mode)) fail("{}: is a directory; expected a file", path);
    if (!S_ISREG(status.st_mode)) {
        fail("{}: not a regular file; expected one, or - for text on standard input", path);
    }
}

std::size_t byte_source::read_some(std::size_t most, byte_buffer& to) {
    for (;;) {
        const ssize_t got = ::read(number_, to.room(most), most);
        if (got >= 0) {
            to.grow(static_cast<std::size_t>(got));
            is_at_end_ = got == 0;
            return static_cast<std::size_t>(got);
        }
        if (errno != EINTR) fail_with_errno(name_, "read");
    }
}

// A file, and the end of a pipe, never wait.
bool byte_source::is_waiting() const {
    pollfd asked{number_, POLLIN, 0};
    return poll(&asked, 1, 0) == 0;
}

void byte_source::read(std::size_t most, byte_buffer& to) {
    to.room(most);
    for (std::size_t got = 0; got < most && !is_at_end_;) {
        got += read_some(most - got, to);
        if (got > 0 && got < most && is_waiting()) return;
    }
}

void byte_source::read_all(byte_buffer& to) {
    constexpr std::size_t block = std::size_t{1} << 20;
    while (!is_at_end_) read_some(block, to);
}

}  // namespace lookback::cli
