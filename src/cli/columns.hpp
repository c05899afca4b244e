/// \file
/// What --column, --key-column and --delimiter mean: how columns of tables of text are read, and
/// what is between those that are written. All throw `error` where they mean nothing.
#pragma once

#include <optional>
#include <string>

#include "array_input.hpp"
#include "array_output.hpp"
#include "commands.hpp"

namespace lookback::cli {

/// Of a command with one input. Without a column it is read as before.
void take_column(const array_arguments& arguments, reading& in);

/// Of a command that reads keys or the like, too. Both columns may be of one table, which is read
/// once, and may be standard input.
void take_columns(const array_arguments& arguments, const std::string& keys_path,
                  const std::optional<std::string>& key_column, reading& in, reading& keys);

/// True where all numbers of a file have to be read to say of which type they are.
bool has_open_type(const array_arguments& arguments, const std::string& path,
                   const std::optional<std::string>& dtype,
                   const std::optional<std::string>& column);
inline bool has_open_type(const array_arguments& arguments) {
    return has_open_type(arguments, arguments.in, arguments.dtype, arguments.column);
}

/// Throws `error` where --delimiter is given but not `is_used`: no column is read, and no results
/// are written side by side.
void check_delimiter(const array_arguments& arguments, bool is_used);

/// Between the results that text has on one line.
char column_separator(const array_arguments& arguments, const output_target& target);

}  // namespace lookback::cli
