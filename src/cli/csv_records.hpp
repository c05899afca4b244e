/// \file
/// The records of a table of text (CSV, RFC 4180) and their fields. Lines without a quote are cut
/// by memchr; others field by field, as quotes say.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace lookback::cli {

class csv_records {
 public:
    explicit csv_records(char delimiter) : delimiter_(delimiter) {}

    /// The text that is cut from now on, from `at`; it may end within a record unless `is_end`.
    void begin(std::string_view text, std::size_t at, bool is_end);

    /// Goes to the next record, of which at least so many fields are cut, if it has them. False
    /// where the text has no complete one any more.
    bool next(std::size_t most);

    /// Without the quotes around them. An empty line has none.
    const std::vector<std::string_view>& fields() const { return fields_; }
    /// Where the record ends, with its end of line, and how many lines it has.
    std::size_t end() const { return end_; }
    std::size_t lines() const { return lines_; }
    /// Why it is no record; empty where it is one.
    std::string_view problem() const { return problem_; }

 private:
    std::size_t find(char c, std::size_t from, std::size_t end) const;
    bool has_quote_before(std::size_t end);
    void cut_line(std::size_t end, std::size_t most);
    bool cut_quoted();
    std::size_t quoted_field(std::size_t at);

    char delimiter_;
    std::string_view text_;
    bool is_end_ = false;
    std::size_t quote_ = 0;  // the next quote, or where the search for one has stopped
    std::size_t at_ = 0;
    std::size_t end_ = 0;
    std::size_t lines_ = 0;
    std::string_view problem_;
    std::vector<std::string_view> fields_;
};

}  // namespace lookback::cli
