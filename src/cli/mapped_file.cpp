#include "mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "error.hpp"
#include "interruption.hpp"

namespace lookback::cli {

mapped_file::mapped_file(const std::string& path) {
    // Not blocking: a named pipe without a writer is to be refused, not waited for.
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) fail_with_errno(path, "read");
    struct stat status {};
    const bool is_known = fstat(file, &status) == 0;
    if (is_known && S_ISREG(status.st_mode) && status.st_size > 0) {
        size_ = static_cast<std::size_t>(status.st_size);
        void* memory = mmap(nullptr, size_, PROT_READ, MAP_SHARED, file, 0);
        begin_ = memory == MAP_FAILED ? nullptr : static_cast<const char*>(memory);
    }
    const int code = errno;
    close(file);
    if (is_known && S_ISDIR(status.st_mode)) fail("{}: is a directory; expected a file", path);
    if (is_known && !S_ISREG(status.st_mode)) {
        fail("{}: not a regular file; expected one, or - for text on standard input", path);
    }
    if (!is_known || (size_ > 0 && begin_ == nullptr)) {
        errno = code;
        fail_with_errno(path, "read");
    }
    explain_lost_input(path);
}

mapped_file::mapped_file(mapped_file&& other) noexcept
    : begin_(std::exchange(other.begin_, nullptr)), size_(std::exchange(other.size_, 0)) {}

mapped_file::~mapped_file() {
    if (begin_ != nullptr) munmap(const_cast<char*>(begin_), size_);
}

void mapped_file::expect(std::size_t first, std::size_t count) const {
    advise(first, count, MADV_WILLNEED);
}

void mapped_file::fetch(std::size_t first, std::size_t count) const {
    advise(first, count, MADV_POPULATE_READ);
}

void mapped_file::release(std::size_t first, std::size_t count) const {
    advise(first, count, MADV_DONTNEED);
}

// Advice that an older system does not know is not missed: pages then come one by one.
void mapped_file::advise(std::size_t first, std::size_t count, int advice) const {
    static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t begin = first / page * page;
    const std::size_t end = std::min(first + count, size_);
    if (begin < end) madvise(const_cast<char*>(begin_) + begin, end - begin, advice);
}

}  // namespace lookback::cli
