/// \file
/// The header of NumPy's .npy files, versions 1 to 3.
///
/// A file is the bytes "\x93NUMPY", two bytes of version, the length of the header in 2 bytes
/// (version 1) or 4, the header, which is a Python dictionary as text, and the numbers.
/// (Source: numpy/lib/format.py.)
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "element.hpp"

namespace lookback::cli {

struct npy_header {
    element type;
    bool is_fortran;  ///< the first dimension is the one whose neighbours lie side by side
    std::vector<std::size_t> shape;
    std::size_t items;        ///< the product of the shape
    std::size_t data_offset;  ///< where the numbers begin
};

/// Reads the header of the file with these bytes, and checks that the numbers it declares are
/// there. Throws `error` for what is broken and for what only NumPy can read; `path` is for the
/// message.
npy_header parse_npy(std::string_view file, std::string_view path);

/// The same of the beginning of a file; the numbers are not there yet.
npy_header parse_npy_header(std::string_view beginning, std::string_view path);

/// How many bytes come before the numbers, as far as the first ones tell: 12 of them are enough.
std::size_t npy_header_bytes(std::string_view beginning);

/// What comes before the numbers of an array in C order. With one dimension it has the same size
/// whatever the length of the array is.
std::string format_npy_header(const element& type, std::span<const std::size_t> shape);

}  // namespace lookback::cli
