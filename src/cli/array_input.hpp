/// \file
/// The array that a command reads: a .npy file, a file of raw numbers, or text on standard input.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "byte_buffer.hpp"
#include "convert.hpp"
#include "dtype.hpp"
#include "mapped_file.hpp"

namespace lookback::cli {

class array_input {
 public:
    /// What `path` is follows from its name: *.npy, "-" for text on standard input, and anything
    /// else holds raw numbers of the given type. Throws `error`.
    array_input(const std::string& path, std::optional<dtype> type);

    dtype type() const { return type_; }
    const std::vector<std::size_t>& shape() const { return shape_; }
    std::size_t items() const { return items_; }
    std::size_t bytes() const { return items_ * size_of(type_); }

    /// True where the items lie in memory as T.
    template <number T>
    bool lies_as() const {
        // A header may have any length, so the numbers may lie anywhere.
        return type_ == dtype_of<T>() && reinterpret_cast<std::uintptr_t>(data_) % alignof(T) == 0;
    }

    /// Where item `first` begins; it may be at any address.
    const std::byte* at(std::size_t first) const { return data_ + first * size_of(type_); }

    /// Items [first, first + count) as T: where they lie, or converted into `room`.
    template <number T>
    const T* load(std::size_t first, std::size_t count, T* room) const;

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
    byte_buffer text_numbers_;
    const std::byte* data_ = nullptr;
    std::size_t offset_in_file_ = 0;
    dtype type_ = dtype::int64;
    std::vector<std::size_t> shape_;
    std::size_t items_ = 0;
};

template <number T>
const T* array_input::load(std::size_t first, std::size_t count, T* room) const {
    const std::byte* from = at(first);
    if (lies_as<T>()) return reinterpret_cast<const T*>(from);
    convert(type_, from, count, dtype_of<T>(), room);
    return room;
}

}  // namespace lookback::cli
