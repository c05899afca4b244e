/// \file
/// A file that is read through memory, a part at a time.
///
/// The whole file is mapped, which costs address space only. `fetch` and `release` around the use
/// of a part keep the resident part small, and the disk busy with the next part.
#pragma once

#include <cstddef>
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
    /// Brings them into memory.
    void fetch(std::size_t first, std::size_t count) const;
    /// Gives their memory back. They may be read again.
    void release(std::size_t first, std::size_t count) const;
    /// Throws `error` if the file has become shorter. The end of its last page then reads as zeros,
    /// which nobody is told of; whole pages that are gone end the program.
    void check_complete() const;

 private:
    void map(const std::string& path, std::size_t size);
    void advise(std::size_t first, std::size_t count, int advice) const;

    descriptor file_;
    std::string loss_;  // what is said when bytes are gone
    const char* begin_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace lookback::cli
