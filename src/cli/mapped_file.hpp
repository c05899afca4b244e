/// \file
/// A file that is read in parts, or through memory.
///
/// The whole file is mapped, for parts that are not read in order. This costs only address space.
/// Parts that are used in order are read into memory that is reused: copying them takes less time
/// than mapping and unmapping their pages (docs/tuning_log.md).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "descriptors.hpp"

namespace lookback::cli {

class mapped_file {
 public:
    /// Throws `error` where `path` is not a file that can be read.
    explicit mapped_file(const std::string& path);
    mapped_file(mapped_file&& other) noexcept;
    mapped_file& operator=(mapped_file&&) = delete;
    ~mapped_file();

    std::string_view bytes() const { return {begin_, size_}; }

    /// Tells the system to read bytes [first, first + count) in the background.
    void expect(std::size_t first, std::size_t count) const;
    /// Reads the bytes from `first` on. Throws `error` if they are not there any more.
    void read(std::size_t first, std::span<std::byte> to) const;
    /// Throws `error` if the file has become shorter. The lost part of its last page then reads as
    /// zeros, which causes no error; reading a page that is gone as a whole ends the program.
    void check_complete() const;

 private:
    void map(const std::string& path, std::size_t size);

    descriptor file_;
    std::string loss_;  // the message if bytes are gone
    const char* begin_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace lookback::cli
