/// \file
/// Bytes that come one after the other: standard input, or a file.
#pragma once

#include <cstddef>
#include <string>

#include "byte_buffer.hpp"
#include "descriptors.hpp"

namespace lookback::cli {

class byte_source {
 public:
    /// "-" is standard input. Throws `error` where `path` is not a file that can be read.
    explicit byte_source(const std::string& path);

    /// For messages.
    const std::string& name() const { return name_; }
    bool is_at_end() const { return is_at_end_; }

    /// Appends at least one byte, for which it waits, and then what there is without waiting, at
    /// most so many; none at the end. Throws `error`.
    void read(std::size_t most, byte_buffer& to);
    /// All that is left.
    void read_all(byte_buffer& to);

 private:
    std::size_t read_some(std::size_t most, byte_buffer& to);
    bool is_waiting() const;

    std::string name_;
    descriptor file_;  // none for standard input
    int number_;
    bool is_at_end_ = false;
};

}  // namespace lookback::cli
