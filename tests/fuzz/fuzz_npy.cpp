// Any bytes give a valid .npy file, whose numbers lie within the bytes, or a one-line error. The
// header that the program would write for a valid file is read as the same array.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "error.hpp"
#include "npy.hpp"

using namespace lookback::cli;

static void require(bool holds) {
    if (!holds) std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view file(reinterpret_cast<const char*>(data), size);
    try {
        const npy_header header = parse_npy(file, "x.npy");
        require(header.data_offset + header.items * header.type.size() == size);
        const std::string again = format_npy_header(header.type, header.shape) +
                                  std::string(file.substr(header.data_offset));
        const npy_header same = parse_npy(again, "x.npy");
        require(same.data_offset % 64 == 0);
        require(same.type.code() == header.type.code() && same.shape == header.shape);
    } catch (const error& problem) {
        require(std::string_view(problem.what()).starts_with("x.npy: "));
        require(std::string_view(problem.what()).find('\n') == std::string_view::npos);
    }
    return 0;
}
