/// \file
/// Columns of numbers in a table of text, as the text of one number a line.
///
/// Each record becomes, for each column that is wanted, the word in its field and as many ends of
/// line as the record has: so who reads the words knows the lines of the table. Empty lines are
/// passed over.
///
/// Text is cut at ends of lines into a part for each thread (text_parts.hpp). Such an end may be
/// within quotes. Then the last record of a part ends behind it, and the text is read again from
/// the end of that record.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "byte_buffer.hpp"
#include "crew.hpp"
#include "csv_records.hpp"

namespace lookback::cli {

/// --delimiter: a character, or tab. By default that of the file's name: a tab for *.tsv, a comma
/// for *.csv, or else `usual`. Throws `error`.
char parse_delimiter(const std::optional<std::string>& text, std::string_view path, char usual);

class csv_table {
 public:
    /// The columns that are wanted, by number, from 1 on, or by name; a name of digits only is to
    /// be in quotes. If one is a name, the first line has names. `path` is for messages. On at most
    /// so many threads, 0: all cores. Throws `error`.
    csv_table(const std::vector<std::string>& columns, char delimiter, std::string_view path,
              int threads = 1);

    /// For messages: "column 'price'", "column 2".
    const std::string& label(std::size_t k) const { return columns_[k].label; }

    /// Appends the words of records at the beginning of `text`, which are complete or at the end of
    /// the table: those of column k to to[k]. Returns how far it has come, which may be less than
    /// all; 0 where not even one record is complete. Throws `error` where the first one is none.
    std::size_t read(std::string_view text, bool is_end, std::vector<byte_buffer>& to);

    /// The table has ended. Throws `error` where it has no names but should have.
    void check_complete() const;

 private:
    struct column {
        std::string label;
        std::string name;       // empty: by number
        std::size_t index = 0;  // from 0 on
    };

    // What a thread has read of a text. It writes this once, at the end: parts lie side by side in
    // one line of the cache, for which threads would wait at every record.
    struct part {
        std::vector<byte_buffer> words;
        std::size_t done = 0;      // of the text
        std::size_t lines = 0;     // until there
        std::string problem = {};  // of the record there, if it has one
    };

    void read_part(std::string_view text, std::size_t end, bool is_end, part& p,
                   std::vector<byte_buffer>& to);
    void find_names(const std::vector<std::string_view>& fields);
    std::string problem(const csv_records& record, bool has_words) const;
    std::string problem_of(std::string_view field) const;

    std::vector<column> columns_;
    std::string path_;
    char delimiter_;
    bool has_names_ = false;  // in the first line
    bool is_begun_ = false;   // that has been read
    std::size_t width_ = 0;   // how many fields a record has at least
    std::size_t lines_ = 0;   // before what is read next
    std::vector<part> parts_;
    crew threads_;
};

}  // namespace lookback::cli
