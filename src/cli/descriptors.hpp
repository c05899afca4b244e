/// \file
/// The descriptors of files: the three that every program has, those that a path can name, and
/// those that the program opens and must close. And what a path names through symbolic links.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace lookback::cli {

/// Makes sure that descriptors 0, 1 and 2 are taken: no file that is opened later may pass for
/// standard output or error. One that was closed cannot be used afterwards either.
void take_standard_descriptors();

/// The descriptor that an output path names: "-" is standard output; /dev/stdout, /dev/fd/N and
/// links to them name what is open already. Such a file is to be written where it stands: someone
/// else holds it, and may have written to it.
std::optional<int> named_descriptor(const std::string& path);

/// The path behind the symbolic links that `path` names, whether there is a file yet or not; one of
/// the links where they go in a circle.
std::string behind_links(const std::string& path);

/// One path for all that lead to the same file, whether there is a file yet or not.
std::string place_of(const std::string& path);

/// How much is written at a time. Of more, some file systems make large pages, which cost the more
/// where the machine is a virtual one and its host has to find them first: there a file of 1 GiB
/// takes a fifth of the time in these pieces (docs/tuning_log.md).
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
    /// Writes all of the data. False, with errno, where that fails.
    bool write_at(std::uint64_t offset, std::span<const std::byte> data) const;
    /// Reads as much as `data` has room for. False, with errno, where there is not so much.
    bool read_at(std::uint64_t offset, std::span<std::byte> data) const;
    /// False, with errno, where data that were written are lost.
    bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

 private:
    int number_;
};

}  // namespace lookback::cli
