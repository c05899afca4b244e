// Any bytes give a valid PNG file, or a one-line error. The file that the program would write for
// the image is read as the same image.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "error.hpp"
#include "png.hpp"

using namespace lookback::cli;

static void require(bool holds) {
    if (!holds) std::abort();
}

static void read(std::string_view file) {
    try {
        const image picture = read_png(file, "x.png");
        require(picture.bytes() == picture.samples.size() && picture.bytes() > 0);
        const byte_buffer written = format_png(picture, "x.png");
        const image same =
            read_png({reinterpret_cast<const char*>(written.data()), written.size()}, "x.png");
        require(same.height == picture.height && same.width == picture.width &&
                same.channels == picture.channels && same.type == picture.type);
        require(std::equal(same.samples.data(), same.samples.data() + same.samples.size(),
                           picture.samples.data()));
    } catch (const error& problem) {
        require(std::string_view(problem.what()).starts_with("x.png: "));
        require(std::string_view(problem.what()).find('\n') == std::string_view::npos);
    }
}

static std::uint32_t crc_of(std::string_view bytes) {
    std::uint32_t crc = ~0U;
    for (const char byte : bytes) {
        crc ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320U : 0);
    }
    return ~crc;
}

// Gives each chunk (length, type, data, check) the right check; otherwise little of libpng would be
// reached.
static std::string with_checks(std::string file) {
    for (std::size_t at = 8; at + 12 <= file.size();) {
        std::size_t length = 0;
        for (int k = 0; k < 4; ++k) {
            length =
                length << 8 | static_cast<unsigned char>(file[at + static_cast<std::size_t>(k)]);
        }
        if (length > file.size() - at - 12) break;
        const std::uint32_t crc = crc_of(std::string_view(file).substr(at + 4, 4 + length));
        at += 12 + length;
        for (std::size_t k = 1; k <= 4; ++k) file[at - k] = static_cast<char>(crc >> 8 * (k - 1));
    }
    return file;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view file(reinterpret_cast<const char*>(data), size);
    read(file);
    read(with_checks(std::string(file)));
    return 0;
}
