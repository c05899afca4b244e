#include "output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "attributes.hpp"
#include "error.hpp"
#include "interruption.hpp"
#include "progress.hpp"

namespace lookback::cli {

output_file::output_file(const std::string& path) : path_(path) {
    std::signal(SIGXFSZ, SIG_IGN);  // a file that grows past a limit is an error, like a full disk
    if (const std::optional<int> number = named_descriptor(path)) {
        open_descriptor(*number);
        return;
    }
    struct stat status {};
    replaces_ = stat(path.c_str(), &status) == 0;
    if (!replaces_ && errno != ENOENT) fail_to_write();
    if (replaces_ && S_ISDIR(status.st_mode)) fail("{}: is a directory; expected a file", path_);
    if (replaces_ && !S_ISREG(status.st_mode)) {
        open_device();
        return;
    }
    if (replaces_ && faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) fail_to_write();
    target_ = behind_links(path);
    open_temporary(replaces_ ? 0600 : 0666);
    if (replaces_) take_over(status);
}

// Uses a duplicate of the descriptor, so that there is one to close, whatever the file is.
void output_file::open_descriptor(int number) {
    if (path_ == "-") path_ = "standard output";
    file_ = descriptor(fcntl(number, F_DUPFD_CLOEXEC, 0));
    if (!file_.is_open()) fail_to_write();
    is_sequential_ = true;  // even if it is a regular file: writing goes on at its current position
    guard();
}

void output_file::open_device() {
    file_ = descriptor(open(path_.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file_.is_open()) fail_to_write();
    is_sequential_ = lseek(file_.number(), 0, SEEK_CUR) < 0;
    guard();
}

void output_file::take_over(const struct stat& status) {
    if (keep_attributes(target_, status, file_.number())) return;
    const std::string reason = std::generic_category().message(errno);
    discard();
    fail("{}: cannot replace: its attributes, such as an access control list, cannot be kept: {}",
         path_, reason);
}

void output_file::open_temporary(mode_t mode) {
    const std::string directory = std::filesystem::path(target_).parent_path().string();
    for (int attempt = 0; !file_.is_open(); ++attempt) {
        temporary_ = fmt::format("{}{}.lookback-{}-{}.tmp", directory, directory.empty() ? "" : "/",
                                 getpid(), attempt);
        guard();  // first: a signal may come in between
        file_ = descriptor(open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode));
        if (file_.is_open()) return;
        const int code = errno;
        temporary_.clear();  // if the file exists, it belongs to another process
        discard();
        errno = code;
        if (errno == EEXIST) continue;
        if (replaces_) fail_to_replace(directory);
        fail_to_write();
    }
}

void output_file::guard() {
    if (isatty(file_.number()) == 1) progress::hide();
    clean_up_on_interrupt(temporary_, path_);
    is_guarded_ = true;
}

void output_file::discard() {
    file_.close();
    if (!temporary_.empty()) unlink(temporary_.c_str());
    if (std::exchange(is_guarded_, false)) nothing_to_clean_up();
}

output_file::~output_file() { discard(); }

void output_file::append(std::span<const std::byte> data) {
    while (!data.empty()) {
        const ssize_t written =
            write(file_.number(), data.data(), std::min(data.size(), written_at_once));
        if (written >= 0) {
            data = data.subspan(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            fail_to_write();
        }
    }
}

void output_file::write_at(std::uint64_t offset, std::span<const std::byte> data) {
    if (!file_.write_at(offset, data)) fail_to_write();
    if (temporary_.empty() || !replaces_) return;
    // The data have to be on the disk at the end. The disk may start writing now.
    sync_file_range(file_.number(), static_cast<off_t>(offset), static_cast<off_t>(data.size()),
                    SYNC_FILE_RANGE_WRITE);
}

void output_file::copy(const output_file& other, std::uint64_t from, std::uint64_t bytes,
                       std::uint64_t offset) {
    std::vector<std::byte> part(std::min<std::uint64_t>(bytes, written_at_once));
    for (std::uint64_t done = 0; done < bytes; done += part.size()) {
        part.resize(std::min<std::uint64_t>(part.size(), bytes - done));
        if (!other.file_.read_at(from + done, part)) fail_with_errno(other.temporary_, "read");
        write_at(offset + done, part);
    }
}

void output_file::commit(std::span<output_file* const> files,
                         const std::function<void()>& before_place) {
    for (output_file* file : files) file->complete();
    if (before_place) before_place();
    hold_interrupts();
    for (output_file* file : files) file->take_place();
    // The file that was guarded last is released first.
    for (std::size_t i = files.size(); i-- > 0;) files[i]->discard();
}

void output_file::complete() {
    // The old content may be the only copy of a user's data. A new file has nothing to lose, and
    // need not wait for the disk.
    if (!temporary_.empty() && replaces_ && fsync(file_.number()) != 0) fail_to_write();
    // Some file systems report only now that they are full.
    if (!file_.close()) fail_to_write();
}

void output_file::take_place() {
    if (temporary_.empty()) return;
    if (rename(temporary_.c_str(), target_.c_str()) != 0) fail_to_write();
    temporary_.clear();
}

void output_file::fail_to_write() { fail_with_errno(path_, "write"); }

void output_file::fail_to_replace(const std::string& directory) {
    const std::string reason = std::generic_category().message(errno);
    fail("{}: cannot replace: no new file can be written beside it, in the directory {}: {}", path_,
         directory.empty() ? "." : directory, reason);
}

}  // namespace lookback::cli
