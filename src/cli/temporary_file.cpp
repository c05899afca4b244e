#include "temporary_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "error.hpp"
#include "interruption.hpp"

namespace lookback::cli {

std::string directory_for(const std::string& path) {
    namespace fs = std::filesystem;
    std::error_code ignored;  // a file that does not exist yet has a directory, too
    const fs::file_status status = fs::status(path, ignored);
    if (named_descriptor(path) || (fs::exists(status) && !fs::is_regular_file(status))) {
        const char* const set = std::getenv("TMPDIR");
        return set != nullptr && *set != '\0' ? set : "/tmp";
    }
    const fs::path parent = fs::path(behind_links(path)).parent_path();
    return parent.empty() ? "." : parent.string();
}

temporary_file::temporary_file(const std::string& directory)
    : name_("temporary file in the directory " + directory) {
    std::signal(SIGXFSZ, SIG_IGN);  // a file that grows past a limit is an error, like a full disk
    file_ = descriptor(open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (file_.is_open()) return;
    // The file system, or the kernel, has no files without a name.
    const bool has_names_only = errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL;
    if (!has_names_only || !open_named(directory)) fail_with_errno(name_, "write");
}

// Opens a file with a name and removes the name at once. A signal may come in between.
bool temporary_file::open_named(const std::string& directory) {
    for (int attempt = 0;; ++attempt) {
        const std::string path =
            fmt::format("{}/.lookback-{}-{}.sort.tmp", directory, getpid(), attempt);
        clean_up_on_interrupt(path, name_);
        file_ = descriptor(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        const int code = errno;
        if (file_.is_open()) unlink(path.c_str());
        nothing_to_clean_up();
        if (file_.is_open()) return true;
        errno = code;
        if (code != EEXIST) return false;
    }
}

void temporary_file::write_at(std::uint64_t offset, std::span<const std::byte> data) {
    if (!file_.write_at(offset, data)) fail_with_errno(name_, "write");
}

void temporary_file::read_at(std::uint64_t offset, std::span<std::byte> data) const {
    if (!file_.read_at(offset, data)) fail_with_errno(name_, "read");
}

void temporary_file::expect(std::uint64_t offset, std::uint64_t bytes) const {
    // This is advice; it does not matter if the system ignores it.
    posix_fadvise(file_.number(), static_cast<off_t>(offset), static_cast<off_t>(bytes),
                  POSIX_FADV_WILLNEED);
}

}  // namespace lookback::cli
