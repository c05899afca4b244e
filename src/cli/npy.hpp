/// \file
/// The header of NumPy's .npy files, versions 1 to 3.
///
/// A file has the bytes "\x93NUMPY", two bytes of version, the length of the header in 2 bytes
/// (version 1) or 4, the header, which is a Python dictionary as text, and the numbers. (Source:
/// numpy/lib/format.py.)
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
    bool is_fortran;  ///< neighbours along the first dimension lie side by side
    std::vector<std::size_t> shape;
    std::size_t items;        ///< the product of the shape
    std::size_t data_offset;  ///< where the numbers begin
};

/// Reads the header of the file with these bytes, and checks that the file has exactly the numbers
/// that the header declares. Throws `error` for broken headers and for types that only NumPy can
/// read; `path` is for the message.
npy_header parse_npy(std::string_view file, std::string_view path);

/// Reads the header from the beginning of a file, which need not have the numbers yet.
npy_header parse_npy_header(std::string_view beginning, std::string_view path);

/// How many bytes come before the numbers, as far as the given bytes tell: 12 bytes are enough.
std::size_t npy_header_bytes(std::string_view beginning);

/// The bytes before the numbers of an array in C order. With one dimension, their number does not
/// depend on the array's length.
std::string format_npy_header(const element& type, std::span<const std::size_t> shape);

}  // namespace lookback::cli
