/// \file
/// PNG files, by libpng.
#pragma once

#include <string_view>

#include "image.hpp"

namespace lookback::cli {

/// The image in the file with these bytes. Palettes become colours, grey of 1, 2 and 4 bits becomes
/// that of 8, and a transparent colour becomes an alpha channel; all else of the file, such as the
/// profile of its colours, is left out. Throws `error` for what is broken, before there is memory
/// for an image that cannot be in so small a file; `path` is for the message.
image read_png(std::string_view file, std::string_view path);

/// A PNG file of the image, which is not empty. Throws `error`; `path` is for the message.
byte_buffer format_png(const image& picture, std::string_view path);

}  // namespace lookback::cli
