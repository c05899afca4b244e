/// \file
/// The array that a command reads: a .npy file, a file of raw numbers, text in a file or on
/// standard input, or what has been read already.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "byte_buffer.hpp"
#include "dtype.hpp"
#include "mapped_file.hpp"
#include "table/convert.hpp"

namespace lookback::cli {

class array_input {
 public:
    /// What `path` is follows from its name: *.npy, text (text.hpp), "-" being standard input, and
    /// anything else holds raw numbers of the given type. Throws `error`.
    array_input(const std::string& path, std::optional<dtype> type);
    /// Numbers in memory, as many as the shape says.
    array_input(byte_buffer numbers, dtype type, std::vector<std::size_t> shape);

    dtype type() const { return type_; }
    const std::vector<std::size_t>& shape() const { return shape_; }
    std::size_t items() const { return items_; }
    std::size_t bytes() const { return items_ * size_of(type_); }

    /// True where the items lie in memory as they must to be loaded as this type.
    bool lies_as(dtype type) const {
        // A header may have any length, so the numbers may lie anywhere.
        return type_ == type && reinterpret_cast<std::uintptr_t>(data_) % size_of(type) == 0;
    }

    /// Where item `first` begins; it may be at any address.
    const std::byte* at(std::size_t first) const { return data_ + first * size_of(type_); }

    /// Items [first, first + count) as this type: where they lie, or converted into `room`.
    const void* load(std::size_t first, std::size_t count, dtype type, void* room) const {
        if (lies_as(type)) return at(first);
        convert(type_, at(first), count, type, room);
        return room;
    }

    /// Items that will be loaded next; they are read in the background.
    void expect(std::size_t first, std::size_t count) const;
    /// Items that will be loaded now.
    void fetch(std::size_t first, std::size_t count) const;
    /// Items that have been used; their memory is given back.
    void release(std::size_t first, std::size_t count) const;
    /// After the last use: throws `error` if the file has become shorter since it was opened.
    void check_complete() const;

 private:
    std::optional<mapped_file> file_;
    byte_buffer held_;  // where they are not in a file
    const std::byte* data_ = nullptr;
    std::size_t offset_in_file_ = 0;
    dtype type_ = dtype::int64;
    std::vector<std::size_t> shape_;
    std::size_t items_ = 0;
};

}  // namespace lookback::cli
