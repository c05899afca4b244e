/// \file
/// A file that appears as a whole or not at all.
///
/// Data go to a temporary file beside the target. On `commit` this file takes the target's place,
/// with the target's mode, owner, access control list and attributes (attributes.hpp). Until then
/// the target does not change, so it may be the input. Other names of the target (hard links) keep
/// the old data. A target that was there before is replaced only once the new data are on the disk,
/// so that even after a power failure it is the old file or the new one, whole. A symbolic link
/// stays a link: the file that it points to is replaced.
///
/// Several files of one command take their places one right after the other, once all are complete.
/// If one of them cannot (because its directory is gone, say), the files before it have been
/// replaced already.
///
/// Standard output ("-"), other open descriptors (/dev/stdout, /dev/fd/N), devices and pipes are
/// written directly.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "descriptors.hpp"

namespace lookback::cli {

class output_file {
 public:
    /// Throws `error` if `path` cannot be written. Of several files, the last one opened must be
    /// the first one destroyed.
    explicit output_file(const std::string& path);
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;
    ~output_file();

    /// True if data can only be appended.
    bool is_sequential() const { return is_sequential_; }
    void append(std::span<const std::byte> data);
    /// For files that are not sequential.
    void write_at(std::uint64_t offset, std::span<const std::byte> data);
    /// Writes, at `offset`, `bytes` bytes of another file, which begin at `from` there.
    void copy(const output_file& other, std::uint64_t from, std::uint64_t bytes,
              std::uint64_t offset);
    /// Drops the file, which must be the last one opened: its target stays as it is.
    void give_up() { discard(); }

    /// The data of all `files` are complete: puts the files in their places. Just before that it
    /// calls `before_place`, if given; if that throws, all targets stay as they were.
    static void commit(std::span<output_file* const> files,
                       const std::function<void()>& before_place = nullptr);

 private:
    void open_descriptor(int number);
    void open_device();
    void open_temporary(mode_t mode);
    void take_over(const struct stat& status);
    void guard();
    void discard();
    void complete();
    void take_place();
    [[noreturn]] void fail_to_write();
    [[noreturn]] void fail_to_replace(const std::string& directory);

    std::string path_;       // as the user gave it
    std::string target_;     // behind symbolic links
    std::string temporary_;  // empty if the target is written directly, or is in its place
    descriptor file_;
    bool is_sequential_ = false;
    bool replaces_ = false;    // there was a file before
    bool is_guarded_ = false;  // against interrupts
};

}  // namespace lookback::cli
