/// \file
/// A file that is read in parts, or through memory.
///
/// The whole file is mapped, which costs address space only, for what is not read in order. Parts
/// that are used one after the other are read into memory that is used again: to copy them there
/// takes less than to map their pages and to let go of them (docs/tuning_log.md).
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

    /// Has the system read bytes [first, first + count) in the background.
    void expect(std::size_t first, std::size_t count) const;
    /// Reads them. Throws `error` where they are not there any more.
    void read(std::size_t first, std::span<std::byte> to) const;
    /// Throws `error` if the file has become shorter. The end of its last page then reads as zeros,
    /// which nobody is told of; whole pages that are gone end the program.
    void check_complete() const;

 private:
    void map(const std::string& path, std::size_t size);

    descriptor file_;
    std::string loss_;  // what is said when bytes are gone
    const char* begin_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace lookback::cli
