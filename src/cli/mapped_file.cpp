#include "mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "error.hpp"
#include "interruption.hpp"

namespace lookback::cli {

// Opened without blocking: a named pipe without a writer is refused, not waited for.
mapped_file::mapped_file(const std::string& path)
    : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)),
      loss_(path + ": cannot read: it was truncated during the run, or its disk failed") {
    struct stat status {};
    if (!file_.is_open() || fstat(file_.number(), &status) != 0) fail_with_errno(path, "read");
    if (S_ISDIR(status.st_mode)) fail("{}: is a directory; expected a file", path);
    if (!S_ISREG(status.st_mode)) {
        fail("{}: not a regular file; expected one, or - for text on standard input", path);
    }
    map(path, static_cast<std::size_t>(status.st_size));
    explain_lost_input(bytes(), loss_);
}

void mapped_file::map(const std::string& path, std::size_t size) {
    if (size == 0) {
        char byte = 0;  // files in /proc, say, get their content only when read
        const ssize_t got = ::read(file_.number(), &byte, 1);
        if (got < 0) fail_with_errno(path, "read");
        if (got > 0) {
            fail("{}: has content but no size, so it cannot be mapped; expected a copy of it",
                 path);
        }
        return;
    }
    void* memory = mmap(nullptr, size, PROT_READ, MAP_SHARED, file_.number(), 0);
    if (memory == MAP_FAILED) fail_with_errno(path, "read");
    begin_ = static_cast<const char*>(memory);
    size_ = size;
}

mapped_file::mapped_file(mapped_file&& other) noexcept
    : file_(std::move(other.file_)),
      loss_(std::move(other.loss_)),
      begin_(std::exchange(other.begin_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

mapped_file::~mapped_file() {
    if (begin_ == nullptr) return;
    forget_lost_input(bytes());
    munmap(const_cast<char*>(begin_), size_);
}

void mapped_file::expect(std::size_t first, std::size_t count) const {
    // This is advice; it does not matter if the system ignores it.
    posix_fadvise(file_.number(), static_cast<off_t>(first), static_cast<off_t>(count),
                  POSIX_FADV_WILLNEED);
}

void mapped_file::read(std::size_t first, std::span<std::byte> to) const {
    if (!file_.read_at(first, to)) fail("{}", loss_);
}

void mapped_file::check_complete() const {
    struct stat status {};
    if (fstat(file_.number(), &status) != 0 || static_cast<std::size_t>(status.st_size) < size_) {
        fail("{}", loss_);
    }
}

}  // namespace lookback::cli
