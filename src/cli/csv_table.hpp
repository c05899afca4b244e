/// \file
/// Columns of numbers in a table of text, as the text of one number a line.
///
/// Each record becomes, for each column that is wanted, the word in its field and as many ends of
/// line as the record has: so who reads the words knows the lines of the table. Empty lines are
/// passed over.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "byte_buffer.hpp"
#include "csv_records.hpp"

namespace lookback::cli {

/// --delimiter: a character, or tab. By default that of the file's name: a tab for *.tsv, a comma
/// for *.csv, or else `usual`. Throws `error`.
char parse_delimiter(const std::optional<std::string>& text, std::string_view path, char usual);

class csv_table {
 public:
    /// The columns that are wanted, by number, from 1 on, or by name; a name of digits only is to
    /// be in quotes. If one is a name, the first line has names. `path` is for messages. Throws
    /// `error`.
    csv_table(const std::vector<std::string>& columns, char delimiter, std::string_view path);

    /// For messages: "column 'price'", "column 2".
    const std::string& label(std::size_t k) const { return columns_[k].label; }

    /// Appends the words of the records at the beginning of `text`, up to the last that is
    /// complete, or, at the end of the table, all: those of column k to to[k]. Returns how far it
    /// has come: not beyond a record that is none, for which it throws `error` where it comes
    /// first.
    std::size_t read(std::string_view text, bool is_end, std::vector<byte_buffer>& to);

    /// The table has ended. Throws `error` where it has no names but should have.
    void check_complete() const;

 private:
    struct column {
        std::string label;
        std::string name;       // empty: by number
        std::size_t index = 0;  // from 0 on
    };

    void find_names();
    std::string problem(bool has_words) const;
    std::string problem_of(std::string_view field) const;

    std::vector<column> columns_;
    std::string path_;
    csv_records records_;
    bool has_names_ = false;  // in the first line
    bool is_begun_ = false;   // that has been read
    std::size_t width_ = 0;   // how many fields a record has at least
    std::size_t lines_ = 0;   // before what is read next
};

}  // namespace lookback::cli
