#include "arguments.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>

#include "descriptors.hpp"
#include "error.hpp"
#include "npz.hpp"
#include "text.hpp"

namespace lookback::cli {
namespace {

constexpr std::int64_t most_threads = 1024;

bool is_device(const std::string& path) {
    if (named_descriptor(path)) return true;
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    return std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
           !std::filesystem::is_directory(status);
}

bool is_same(const std::string& a, const std::string& b) {
    const auto number = named_descriptor(a);
    if (number || named_descriptor(b)) return number == named_descriptor(b);
    return !is_device(a) && place_of(a) == place_of(b);
}

}  // namespace

std::optional<element> parse_dtype(const std::optional<std::string>& text,
                                   std::string_view option) {
    if (!text) return std::nullopt;
    const std::optional<element> type = find_element(*text);
    if (type) return type;
    const std::string_view both = two_meanings(*text);
    if (!both.empty()) fail("{} {}: is {}; expected one of these", option, *text, both);
    fail("{} {}: unknown type; expected {}", option, *text, element_names);
}

operation parse_operation(const std::optional<std::string>& text) {
    if (!text) return operation::sum;
    for (std::size_t i = 0; i < operation_names.size(); ++i) {
        if (*text == operation_names[i]) return static_cast<operation>(i);
    }
    fail("--op {}: unknown operator; expected one of {}", *text, fmt::join(operation_names, ", "));
}

int parse_threads(const std::optional<std::string>& text) {
    if (!text) return 0;
    const auto threads = parse_number<std::int64_t>(*text, "--threads");
    if (threads < 0 || threads > most_threads) {
        fail("--threads {}: expected 0 (all cores) to {}", *text, most_threads);
    }
    return static_cast<int>(threads);
}

std::size_t parse_window(const std::optional<std::string>& text, std::string_view option) {
    if (!text) return usual_window;
    const auto bytes = parse_number<std::uint64_t>(*text, option);
    if (bytes == 0 || bytes > std::uint64_t{1} << 40) {
        fail("{} {}: expected 1 to 2^40 bytes", option, *text);
    }
    return bytes;
}

element choose_accumulator(const std::optional<std::string>& out_dtype, bool is_promoted,
                           operation op, const array_input& in, const std::string& path) {
    if (out_dtype && is_promoted) {
        fail("--promote: cannot be used with --out-dtype; expected one of them");
    }
    element type = in.stored();
    const bool is_sum = op == operation::sum || op == operation::product;
    if (const auto wanted = parse_dtype(out_dtype, "--out-dtype")) {
        type = *wanted;
    } else if (is_sum && type.is_boolean()) {
        type = dtype::int64;
    } else if (is_sum && is_promoted && !is_float(in.type())) {
        type = is_signed_integer(in.type()) ? dtype::int64 : dtype::uint64;
    }
    if (type.is_boolean() && (is_sum || !in.stored().is_boolean())) {
        fail("--out-dtype bool: is for min, max, and, or, xor of bool; expected a type of numbers");
    }
    if (is_float(in.type()) && !is_float(type.computed)) {
        fail("--out-dtype {}: {} holds {}, which do not fit integers; expected a type of floats",
             name(type), path, name(in.stored()));
    }
    if (is_float(type.computed) && is_bitwise(op)) {
        fail("--op {}: works on integers only; {} is {}", name(op),
             out_dtype ? "--out-dtype" : path, name(type));
    }
    return type;
}

file_kind parse_format(const array_arguments& arguments) {
    if (!arguments.format || *arguments.format == "text") return file_kind::text;
    if (*arguments.format == "npy") return file_kind::npy;
    if (*arguments.format == "raw") return file_kind::raw;
    fail("--format {}: unknown format; expected text, npy or raw", *arguments.format);
}

array_input open_input(const std::string& path, std::string_view argument,
                       const std::optional<element>& type, const reading& how) {
    if (path.empty()) {
        fail("{}: the name is empty; expected that of a file, or - for standard input", argument);
    }
    return array_input(path, type, how);
}

reading held(const array_arguments& arguments) {
    return {.standard_input = parse_format(arguments), .threads = parse_threads(arguments.threads)};
}

reading streamed(const array_arguments& arguments, bool may) {
    reading how = held(arguments);
    if (may) how.streamed_bytes = parse_window(arguments.window);
    return how;
}

void check_line(const array_input& in, const std::string& path) {
    if (in.shape().size() == 1) return;
    fail("{}: has shape ({}); expected one dimension", path, fmt::join(in.shape(), ", "));
}

output_target find_output(const std::optional<std::string>& path, std::string_view option,
                          std::string_view kind, const std::optional<std::string>& otherwise,
                          bool takes_raw, file_kind standard_output) {
    constexpr std::string_view names =
        "expected a name ending in .npy, .npz, .bin or .txt, or - for text";
    if (path && path->empty()) fail("{}: the name is empty; {}", option, names);
    if (!path && !otherwise) fail("{} {} is missing; {}", option, kind, names);
    const std::string& to = path ? *path : *otherwise;
    if (to == "-") return {to, standard_output};
    if (const auto named = kind_of_name(to)) return {to, *named};
    if (takes_raw || is_device(to)) return {to, file_kind::raw};
    fail("{} {}: unknown kind of file; {}", option, to, names);
}

output_target find_output(const array_arguments& arguments) {
    std::optional<std::string> otherwise;
    if (arguments.in == "-") otherwise = "-";
    return find_output(arguments.out, "-o", "OUT", otherwise, arguments.dtype.has_value(),
                       parse_format(arguments));
}

void check_distinct(const output_target& a, std::string_view option_a, const output_target& b,
                    std::string_view option_b) {
    if (!is_same(file_of(a.path), file_of(b.path))) return;
    const auto one = npz_of(a.path), other = npz_of(b.path);
    if (one && other && name_in_npz(*one, 0) != name_in_npz(*other, 1)) return;
    fail("{} {}: {} names this file, too; expected another file", option_b, b.path, option_a);
}

bool is_standard_output(const output_target& target) {
    return named_descriptor(target.path) == STDOUT_FILENO;
}

}  // namespace lookback::cli
