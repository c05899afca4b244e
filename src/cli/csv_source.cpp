#include "csv_source.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace lookback::cli {

csv_source::csv_source(const std::string& path, const std::vector<std::string>& columns,
                       char delimiter, int threads)
    : source_(path, true),
      table_(columns, delimiter, source_.name(), threads),
      waiting_(columns.size()) {}

void csv_source::read(std::size_t column, std::size_t most, byte_buffer& to) {
    byte_buffer& waiting = waiting_[column];
    while (waiting.empty() && !is_read_) read_records(most);
    if (to.empty()) {
        std::swap(to, waiting);
        return;
    }
    to.append(waiting);
    waiting.clear();
}

void csv_source::read_records(std::size_t most) {
    const std::string_view text(reinterpret_cast<const char*>(text_.data()) + text_begin_,
                                text_.size() - text_begin_);
    const std::size_t read = table_.read(text, source_.is_at_end(), waiting_);
    text_begin_ += read;
    if (read > 0) return;
    if (source_.is_at_end()) {
        table_.check_complete();
        is_read_ = true;
        return;
    }
    text_.drop(std::exchange(text_begin_, 0));
    // A record that is longer is not read from its beginning again for each piece of it.
    source_.read(std::max(most, text_.size()), text_);
}

}  // namespace lookback::cli
