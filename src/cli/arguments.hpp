/// \file
/// What the arguments that several commands share mean. All throw `error` where they mean nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "array_input.hpp"
#include "array_output.hpp"
#include "commands.hpp"
#include "element.hpp"

namespace lookback::cli {

std::optional<element> parse_dtype(const std::optional<std::string>& text, std::string_view option);

/// --op; sum by default.
operation parse_operation(const std::optional<std::string>& text);

/// --threads; 0, all cores, by default.
int parse_threads(const std::optional<std::string>& text);

/// --window, or another `option` of its kind: bytes.
std::size_t parse_window(const std::optional<std::string>& text,
                         std::string_view option = "--window");

/// The type that `op` works and writes in: --out-dtype, by default that of `in`, but for sums and
/// products of bool, which are int64; with --promote, that of NumPy's sums.
element choose_accumulator(const std::optional<std::string>& out_dtype, bool is_promoted,
                           operation op, const array_input& in, const std::string& path);

/// --format: what standard input and output hold; text by default.
file_kind parse_format(const array_arguments& arguments);

/// The input `path`; `argument` is its name in the help.
array_input open_input(const std::string& path, std::string_view argument,
                       const std::optional<element>& type, const reading& how = {});

/// How an input is read that is needed as a whole, and how, if it `may` be, one that is used as it
/// arrives.
reading held(const array_arguments& arguments);
reading streamed(const array_arguments& arguments, bool may);

/// Throws `error` if the array has not just one dimension.
void check_line(const array_input& in, const std::string& path);

/// Where `option`, such as -o, puts its results; `kind` is the option's value in the help. Without
/// a value it is `otherwise`, where there is that. Raw numbers may have any name if `takes_raw`.
output_target find_output(const std::optional<std::string>& path, std::string_view option,
                          std::string_view kind, const std::optional<std::string>& otherwise,
                          bool takes_raw, file_kind standard_output = file_kind::text);

/// -o OUT: text on standard output where the input is text.
output_target find_output(const array_arguments& arguments);

/// Throws `error` where two options name the same file, but for two arrays of a .npz file.
void check_distinct(const output_target& a, std::string_view option_a, const output_target& b,
                    std::string_view option_b);

/// True where results go to standard output.
bool is_standard_output(const output_target& target);

}  // namespace lookback::cli
