/// \file
/// Columns of one table of text that are read as the table arrives, each at its own pace: as much
/// of the others as comes with it waits.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "byte_buffer.hpp"
#include "byte_source.hpp"
#include "csv_table.hpp"

namespace lookback::cli {

class csv_source {
 public:
    /// As for `csv_table` and `byte_source`.
    csv_source(const std::string& path, const std::vector<std::string>& columns, char delimiter,
               int threads);

    /// For messages: that of the file, and that of a column.
    const std::string& name() const { return source_.name(); }
    const std::string& label(std::size_t column) const { return table_.label(column); }

    /// Appends words of this column, with their ends of line, for which it waits; none at the end.
    /// Reads about so many bytes of the table at a time. Throws `error`.
    void read(std::size_t column, std::size_t most, byte_buffer& to);
    bool is_at_end(std::size_t column) const { return is_read_ && waiting_[column].empty(); }

 private:
    void read_records(std::size_t most);

    byte_source source_;
    csv_table table_;
    byte_buffer text_;  // that is not cut yet, from text_begin_ on
    std::size_t text_begin_ = 0;
    bool is_read_ = false;
    std::vector<byte_buffer> waiting_;  // of each column
};

}  // namespace lookback::cli
