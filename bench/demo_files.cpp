// The files of `./dev demo`: the command line's input, and whether its output is right.
//
//     lookback_demo_files make FILE GIB        writes random int32 numbers as a .npy file
//     lookback_demo_files check INPUT OUTPUT   verifies OUTPUT, the sums of INPUT

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapped_file.hpp"
#include "memory.hpp"
#include "npy.hpp"
#include "output_file.hpp"

namespace lookback::bench {
namespace {

constexpr int wrong_output = 2;

void make(const std::string& path, double gib) {
    const auto items = static_cast<std::size_t>(gib * 0x1p30 / sizeof(std::int32_t));
    cli::output_file file(path);
    const std::string header = cli::format_npy_header(cli::dtype::int32, std::array{items});
    file.append(std::as_bytes(std::span(header)));
    std::vector<std::int32_t> part(std::size_t{1} << 24);
    for (std::size_t first = 0; first < items; first += part.size()) {
        const std::size_t count = std::min(part.size(), items - first);
        fill(part.data(), count,
             [&](std::size_t i) { return static_cast<std::int32_t>(random_bits(first + i)); });
        file.append(std::as_bytes(std::span(part.data(), count)));
    }
    cli::output_file* const files[] = {&file};
    cli::output_file::commit(files);
    fmt::print("{}: {} random int32 numbers\n", path, items);
}

struct array_file {
    cli::mapped_file file;
    cli::npy_header header;
    explicit array_file(const std::string& path)
        : file(path), header(cli::parse_npy(file.bytes(), path)) {}
    const char* numbers() const { return file.bytes().data() + header.data_offset; }
};

int check(const std::string& input_path, const std::string& output_path) {
    const array_file input(input_path), output(output_path);
    for (const array_file* file : {&input, &output}) {
        if (file->header.type == cli::dtype::int32 && file->header.items == input.header.items) {
            continue;
        }
        fmt::print(stderr, "{}: {} items of {}, expected {} of int32\n",
                   file == &input ? input_path : output_path, file->header.items,
                   cli::name(file->header.type), input.header.items);
        return wrong_output;
    }
    std::uint32_t expected = 0;  // unsigned, because the command line's sums wrap around
    for (std::size_t i = 0; i < input.header.items; ++i) {
        std::uint32_t in, out;  // the numbers of a file may be unaligned
        std::memcpy(&in, input.numbers() + i * sizeof(in), sizeof(in));
        std::memcpy(&out, output.numbers() + i * sizeof(out), sizeof(out));
        expected += in;
        if (out == expected) continue;
        fmt::print(stderr, "item {}: {}, expected {}\n", i, static_cast<std::int32_t>(out),
                   static_cast<std::int32_t>(expected));
        return wrong_output;
    }
    fmt::print("verified: {} items\n", input.header.items);
    return 0;
}

// Without a parser of options, whose headers would take as long to compile as everything else here.
int run(std::span<char*> arguments) {
    const std::string_view command = arguments.size() == 4 ? arguments[1] : "";
    try {
        if (command == "check") return check(arguments[2], arguments[3]);
        if (command == "make") {
            make(arguments[2], std::stod(arguments[3]));
            return 0;
        }
        fmt::print(stderr,
                   "usage: lookback_demo_files make FILE GIB\n"
                   "       lookback_demo_files check INPUT OUTPUT\n");
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}\n", e.what());
    }
    return 1;
}

}  // namespace
}  // namespace lookback::bench

int main(int argc, char** argv) {
    return lookback::bench::run({argv, static_cast<std::size_t>(argc)});
}
