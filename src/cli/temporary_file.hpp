/// \file
/// A file for data that do not fit in memory. It has no name, so nothing is left of it, however the
/// program ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "descriptors.hpp"

namespace lookback::cli {

/// A directory with room for as much as goes to the output `path`: its own directory, or, for
/// standard output, devices and pipes, the directory for temporary files (TMPDIR, or /tmp).
std::string directory_for(const std::string& path);

class temporary_file {
 public:
    /// Makes a file in this directory. Throws `error` if it cannot be written.
    explicit temporary_file(const std::string& directory);

    void write_at(std::uint64_t offset, std::span<const std::byte> data);
    /// Reads what was written there.
    void read_at(std::uint64_t offset, std::span<std::byte> data) const;
    /// Tells the system to read in the background what will be read next.
    void expect(std::uint64_t offset, std::uint64_t bytes) const;

 private:
    bool open_named(const std::string& directory);

    std::string name_;  // for messages
    descriptor file_;
};

}  // namespace lookback::cli
