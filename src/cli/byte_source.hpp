/// \file
/// Bytes that come one after the other: standard input, a file, or a deflated member of a .npz
/// file. What is packed (packing.hpp) is unpacked on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "byte_buffer.hpp"
#include "descriptors.hpp"
#include "npz.hpp"
#include "packing.hpp"

namespace lookback::cli {

class byte_source {
 public:
    /// "-" is standard input. Names say whether a file is packed; if not, and if `may_be_packed`,
    /// its first bytes do. Throws `error` where `path` is not a file that can be read.
    byte_source(const std::string& path, bool may_be_packed);

    /// For messages.
    const std::string& name() const { return name_; }
    bool is_at_end() const { return is_at_end_; }

    /// Appends at least one byte, for which it waits, and then what there is without waiting, at
    /// most so many; none at the end. Throws `error`.
    void read(std::size_t most, byte_buffer& to);
    /// All that is left.
    void read_all(byte_buffer& to);

 private:
    void open_member(const npz_member& member);
    void look_at_beginning();
    std::size_t read_some(std::size_t most, byte_buffer& to);
    bool read_packed(std::size_t most);
    bool is_waiting() const;

    std::string name_;
    descriptor file_;  // none for standard input
    int number_;
    bool is_at_end_ = false;
    bool may_be_packed_;
    std::uint64_t left_ = std::numeric_limits<std::uint64_t>::max();  // of the file, at most
    std::unique_ptr<unpacker> unpacker_;                              // where it is packed
    byte_buffer packed_;  // as it was read, from packed_begin_ on
    std::size_t packed_begin_ = 0;
    bool is_read_ = false;  // all of the file
};

}  // namespace lookback::cli
