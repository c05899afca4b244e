// What `./dev demo` shows: that the command line's output is right, and how fast it could be made.
//
//     lookback_demo make FILE GIB           writes random int32 numbers as a .npy file
//     lookback_demo check INPUT OUTPUT      verifies OUTPUT, the sums of INPUT, by one sequential
//                                           pass; then measures ours and the peers in memory
//
// Takes memory for the input and for one output.

#include <fmt/core.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "mapped_file.hpp"
#include "memory.hpp"
#include "npy.hpp"
#include "ours.hpp"
#include "output_file.hpp"
#include "peers.hpp"
#include "workloads.hpp"

namespace lookback::bench {
namespace {

constexpr int rounds = 5;
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

template <class W>
bool verify(const array_file& input, const array_file& output) {
    using T = typename W::item;
    const std::size_t items = input.header.items;
    typename W::check check(our_depth<T>(items));
    for (std::size_t i = 0; i < items; ++i) {
        T in, out;  // the numbers of a file lie anywhere
        std::memcpy(&in, input.numbers() + i * sizeof(T), sizeof(T));
        std::memcpy(&out, output.numbers() + i * sizeof(T), sizeof(T));
        if (check.accepts(in, out)) continue;
        if constexpr (std::is_integral_v<T>) {
            using shown = std::make_signed_t<T>;
            fmt::print(stderr, "item {}: {}, expected {}\n", i, static_cast<shown>(out),
                       static_cast<shown>(check.expected()));
        } else {
            fmt::print(stderr, "item {}: {}, expected about {}\n", i, out, check.expected());
        }
        return false;
    }
    fmt::print("verified: {} items\n", items);
    return true;
}

struct line {
    const char* title;
    void (*run)(const void* in, void* out, std::size_t items);
    std::vector<double> seconds = {};
};

template <class W, class Implementation>
void call(const void* in, void* out, std::size_t items) {
    using T = typename W::item;
    Implementation::template run<W>(static_cast<const T*>(in), static_cast<T*>(out), items);
}

double median(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

template <class W>
void compare(const array_file& input) {
    using T = typename W::item;
    const std::size_t items = input.header.items;
    const auto in = make_array<T>(items);
    const auto out = make_array<T>(items);
    memcpy_all_threads(input.numbers(), in.get(), items * sizeof(T));
    memcpy_all_threads(input.numbers(), out.get(), items * sizeof(T));

    std::array lines{line{"lookback", call<W, ours>},
                     line{"std::inclusive_scan, par_unseq", call<W, par_unseq>},
                     line{"tbb::parallel_scan", call<W, tbb_scan>},
                     line{"std::inclusive_scan", call<W, sequential>},
                     line{"memcpy, all threads (no scan)", call<W, memcpy_all>}};
    for (int round = 0; round < rounds; ++round) {  // in turn: the machine's speed drifts
        for (line& l : lines) {
            const auto begin = std::chrono::steady_clock::now();
            l.run(in.get(), out.get(), items);
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
            l.seconds.push_back(took.count());
        }
    }
    const double bytes = 2.0 * static_cast<double>(items * sizeof(T));
    double fastest = 0;
    for (line& l : lines) fastest = std::max(fastest, bytes / median(l.seconds));
    fmt::print("\nIn memory, on {} threads; GB/s read and written, medians of {} rounds\n\n",
               tbb::this_task_arena::max_concurrency(), rounds);
    for (line& l : lines) {
        const double speed = bytes / median(l.seconds);
        const auto bar = static_cast<std::size_t>(40 * speed / fastest + 0.5);
        fmt::print("  {:<32}{:>6.1f}  {}\n", l.title, speed * 1e-9, std::string(bar, '#'));
    }
}

template <class W>
int check(const std::string& input_path, const std::string& output_path) {
    const array_file input(input_path);
    if (!verify<W>(input, array_file(output_path))) return wrong_output;
    compare<W>(input);
    return 0;
}

int check(const std::string& input_path, const std::string& output_path) {
    const cli::npy_header in = array_file(input_path).header;
    const cli::npy_header out = array_file(output_path).header;
    if (in.type != out.type || in.items != out.items) {
        fmt::print(stderr, "{}: {} items of {}, expected {} of {}\n", output_path, out.items,
                   cli::name(out.type), in.items, cli::name(in.type));
        return wrong_output;
    }
    // Unsigned: the command line wraps around, and so must the peers.
    if (in.type == cli::dtype::int32) return check<sum<std::uint32_t>>(input_path, output_path);
    if (in.type == cli::dtype::float32) return check<sum<float>>(input_path, output_path);
    fmt::print(stderr, "{}: {}, expected int32 or float32\n", input_path, cli::name(in.type));
    return 1;
}

// No parser of options: its headers would take as long to compile as all the rest.
int run(std::span<char*> arguments) {
    const std::string_view command = arguments.size() == 4 ? arguments[1] : "";
    try {
        if (command == "check") return check(arguments[2], arguments[3]);
        if (command == "make") {
            make(arguments[2], std::stod(arguments[3]));
            return 0;
        }
        fmt::print(stderr,
                   "usage: lookback_demo make FILE GIB\n"
                   "       lookback_demo check INPUT OUTPUT\n");
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
