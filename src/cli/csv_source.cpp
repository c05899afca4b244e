#include "csv_source.hpp"

#include <cstring>
#include <string_view>
#include <utility>

namespace lookback::cli {

csv_source::csv_source(const std::string& path, const std::vector<std::string>& columns,
                       char delimiter)
    : source_(path, true), table_(columns, delimiter, source_.name()), waiting_(columns.size()) {}

void csv_source::read(std::size_t column, std::size_t most, byte_buffer& to) {
    byte_buffer& waiting = waiting_[column];
    while (waiting.empty() && !is_read_) read_records(most);
    if (to.empty()) {
        std::swap(to, waiting);
        return;
    }
    if (waiting.empty()) return;
    std::memcpy(to.room(waiting.size()), waiting.data(), waiting.size());
    to.grow(waiting.size());
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
    source_.read(most, text_);
}

void csv_source::read_all(std::size_t column, byte_buffer& to) {
    constexpr std::size_t block = std::size_t{1} << 20;
    while (!is_at_end(column)) read(column, block, to);
}

}  // namespace lookback::cli
