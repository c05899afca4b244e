#include "columns.hpp"

#include <memory>
#include <string_view>

#include "arguments.hpp"
#include "error.hpp"
#include "text.hpp"

namespace lookback::cli {
namespace {

void check_column(const array_arguments& arguments, const std::string& path,
                  std::string_view option, const std::string& column) {
    if (path == "-" && parse_format(arguments) != file_kind::text) {
        fail("{} {}: is for text; --format is {}", option, column, *arguments.format);
    }
    if (kind_of_name(path).value_or(file_kind::text) != file_kind::text) {
        fail("{} {}: is for text, such as *.csv; {} is none", option, column, path);
    }
}

std::shared_ptr<csv_source> open_table(const array_arguments& arguments, const std::string& path,
                                       const std::vector<std::string>& columns) {
    return std::make_shared<csv_source>(path, columns,
                                        parse_delimiter(arguments.delimiter, path, ','),
                                        parse_threads(arguments.threads));
}

}  // namespace

void take_column(const array_arguments& arguments, reading& in) {
    if (!arguments.column) return;
    check_column(arguments, arguments.in, "--column", *arguments.column);
    in.table = open_table(arguments, arguments.in, {*arguments.column});
}

void take_columns(const array_arguments& arguments, const std::string& keys_path,
                  const std::optional<std::string>& key_column, reading& in, reading& keys) {
    if (!key_column) return take_column(arguments, in);
    check_column(arguments, keys_path, "--key-column", *key_column);
    if (!arguments.column || arguments.in != keys_path) {
        take_column(arguments, in);
        keys.table = open_table(arguments, keys_path, {*key_column});
        return;
    }
    check_column(arguments, arguments.in, "--column", *arguments.column);
    keys.table = in.table = open_table(arguments, keys_path, {*key_column, *arguments.column});
    in.column = 1;
}

bool has_open_type(const array_arguments& arguments, const std::string& path,
                   const std::optional<std::string>& dtype,
                   const std::optional<std::string>& column) {
    if (dtype) return false;
    if (path == "-") return parse_format(arguments) == file_kind::text;
    return column.has_value() || kind_of_name(path) == file_kind::text;
}

void check_delimiter(const array_arguments& arguments, bool is_used) {
    if (!arguments.delimiter || is_used) return;
    fail("--delimiter {}: is for --column, --key-column and results that are two a line",
         *arguments.delimiter);
}

char column_separator(const array_arguments& arguments, const output_target& target) {
    return parse_delimiter(arguments.delimiter, target.path, ' ');
}

}  // namespace lookback::cli
