/// \file
/// Parses the arguments that several commands share. The functions throw `error` for an argument
/// that is not valid.
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

/// --window, or another `option` that takes a number of bytes.
std::size_t parse_window(const std::optional<std::string>& text,
                         std::string_view option = "--window");

/// The type in which `op` computes and writes: --out-dtype, or by default the type of `in`. The
/// default for sums and products of bool is int64; with --promote it is the type of NumPy's sums.
element choose_accumulator(const std::optional<std::string>& out_dtype, bool is_promoted,
                           operation op, const array_input& in, const std::string& path);

/// --format: what standard input and output hold; text by default.
file_kind parse_format(const array_arguments& arguments);

/// The input `path`; `argument` is its name in the help.
array_input open_input(const std::string& path, std::string_view argument,
                       const std::optional<element>& type, const reading& how = {});

/// How to read an input: `held` is for one that is needed as a whole; `streamed` is for one that is
/// used as it arrives, if it `may` be.
reading held(const array_arguments& arguments);
reading streamed(const array_arguments& arguments, bool may);

/// Throws `error` unless the array has exactly one dimension.
void check_line(const array_input& in, const std::string& path);

/// Where `option`, such as -o, puts its results. `kind` is the option's value in the help. If the
/// option is not given, the output is `otherwise`, if that is set. If `takes_raw`, a file of raw
/// numbers may have any name.
output_target find_output(const std::optional<std::string>& path, std::string_view option,
                          std::string_view kind, const std::optional<std::string>& otherwise,
                          bool takes_raw, file_kind standard_output = file_kind::text);

/// -o OUT. Its default is text on standard output if the input is standard input.
output_target find_output(const array_arguments& arguments);

/// Throws `error` where two options name the same file, unless they name two arrays of a .npz file.
void check_distinct(const output_target& a, std::string_view option_a, const output_target& b,
                    std::string_view option_b);

/// True if results go to standard output.
bool is_standard_output(const output_target& target);

}  // namespace lookback::cli
