/// \file
/// PNG files, by libpng.
#pragma once

#include <string_view>

#include "image.hpp"

namespace lookback::cli {

/// The image in the file with these bytes. Palettes become colours, grey of 1, 2 and 4 bits becomes
/// grey of 8, and a transparent colour becomes an alpha channel. Everything else in the file, such
/// as a colour profile, is left out. Throws `error` if the file is broken. An image that is too
/// large for so small a file is refused before memory for it is allocated. `path` is for the
/// message.
image read_png(std::string_view file, std::string_view path);

/// A PNG file of the image, which must not be empty. Throws `error`; `path` is for the message.
byte_buffer format_png(const image& picture, std::string_view path);

}  // namespace lookback::cli
