/// \file
/// A file for what does not fit into memory. It has no name, so nothing is left of it however the
/// program ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "descriptors.hpp"

namespace lookback::cli {

/// Where there is room for as much as goes to the output `path`: its directory; for standard
/// output, devices and pipes the system's directory for temporary files (TMPDIR, or /tmp).
std::string directory_for(const std::string& path);

class temporary_file {
 public:
    /// In this directory. Throws `error` where it cannot be written.
    explicit temporary_file(const std::string& directory);

    void write_at(std::uint64_t offset, std::span<const std::byte> data);
    /// What was written there.
    void read_at(std::uint64_t offset, std::span<std::byte> data) const;
    /// Has the system read what will be read next, in the background.
    void expect(std::uint64_t offset, std::uint64_t bytes) const;

 private:
    bool open_named(const std::string& directory);

    std::string name_;  // for messages
    descriptor file_;
};

}  // namespace lookback::cli
