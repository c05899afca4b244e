/// \file
/// Reads the images that commands take: a PNG file, or an array of images.
#pragma once

#include <string>
#include <string_view>

#include "array_input.hpp"
#include "image.hpp"

namespace lookback::cli {

/// True if the name is that of an array.
inline bool is_npy(std::string_view path) { return path.ends_with(".npy") || npz_of(path); }

/// The image of the PNG file `path`; `argument` is its name in the help.
image open_png(const std::string& path, std::string_view argument);

/// The array in the file `path`: *.npy, *.npz, or else a PNG file. The array of a PNG file has a
/// last dimension of channels unless it is grey.
array_input open_image_array(const std::string& path, std::string_view argument);

}  // namespace lookback::cli
