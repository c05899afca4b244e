/// \file
/// Descriptors of files: the three that every program has, those that a path can name, and those
/// that the program opens and must close. Also what a path names through symbolic links.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace lookback::cli {

/// Makes sure that descriptors 0, 1 and 2 are taken, so that no file opened later can be mistaken
/// for standard input, output or error. A standard descriptor that was closed still cannot be used.
void take_standard_descriptors();

/// The descriptor that an output path names: "-" is standard output; /dev/stdout, /dev/fd/N and
/// links to them name files that are open already. Such a file has to be written from its current
/// position: another program holds it, and may have written to it.
std::optional<int> named_descriptor(const std::string& path);

/// The path behind the symbolic links that `path` names, whether the file exists yet or not. If the
/// links form a circle, it is one of them.
std::string behind_links(const std::string& path);

/// One path for all paths that lead to the same file, whether the file exists yet or not.
std::string place_of(const std::string& path);

/// How many bytes are written at a time. For larger writes, some file systems make large pages.
/// These are expensive on a virtual machine, whose host has to find them first: there a file of 1
/// GiB takes a fifth of the time if it is written in these pieces (docs/tuning_log.md).
inline constexpr std::size_t written_at_once = std::size_t{256} << 10;

/// Closes what it holds.
class descriptor {
 public:
    explicit descriptor(int number = -1) : number_(number) {}
    descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    descriptor& operator=(descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~descriptor() { close(); }

    int number() const { return number_; }
    bool is_open() const { return number_ >= 0; }
    /// Writes all of the data. Returns false, with errno set, if that fails.
    bool write_at(std::uint64_t offset, std::span<const std::byte> data) const;
    /// Fills all of `data`. Returns false, with errno set, if the file has fewer bytes or cannot be
    /// read.
    bool read_at(std::uint64_t offset, std::span<std::byte> data) const;
    /// Returns false, with errno set, if data that were written are lost.
    bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

 private:
    int number_;
};

}  // namespace lookback::cli
