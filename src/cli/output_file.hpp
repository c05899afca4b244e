/// \file
/// A file that is there in full or not at all.
///
/// Data go to a temporary file beside the target, which takes the target's place on `commit`, with
/// its mode, owner, access control list and attributes (attributes.hpp); until then the target is
/// as it was, so it may be the input. Other names of the target (hard links) keep the old data. A
/// target that was there before is replaced once the new data are on the disk: even after a power
/// failure it is the old one or the new one, whole. A symbolic link stays one: the file it points
/// to is replaced.
///
/// Several files of one command take their places one right after the other, once all are complete.
/// Where one cannot (its directory is gone, say), those before it have been replaced.
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
    /// Throws `error` where `path` cannot be written. Of several files, the last one to be opened
    /// is the first to be destroyed.
    explicit output_file(const std::string& path);
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;
    ~output_file();

    /// True where data can only be appended.
    bool is_sequential() const { return is_sequential_; }
    void append(std::span<const std::byte> data);
    /// For files that are not sequential.
    void write_at(std::uint64_t offset, std::span<const std::byte> data);
    /// Writes at `offset` so many bytes of another file, which lie `from` there on.
    void copy(const output_file& other, std::uint64_t from, std::uint64_t bytes,
              std::uint64_t offset);
    /// The last file that was opened is not needed: its target stays as it is.
    void give_up() { discard(); }

    /// The data of all `files` are complete. Calls `before_place`, if there is that, when nothing
    /// is left to do but to put them in place: what it throws leaves all targets as they were.
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

    std::string path_;       // as the user knows it
    std::string target_;     // behind symbolic links
    std::string temporary_;  // empty where the target is written directly, or in place
    descriptor file_;
    bool is_sequential_ = false;
    bool replaces_ = false;    // a file that was there before
    bool is_guarded_ = false;  // against interrupts
};

}  // namespace lookback::cli
