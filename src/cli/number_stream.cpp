#include "number_stream.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "error.hpp"

namespace lookback::cli {
namespace {

std::string_view characters(const byte_buffer& bytes, std::size_t begin) {
    return {reinterpret_cast<const char*>(bytes.data()) + begin, bytes.size() - begin};
}

}  // namespace

number_stream::number_stream(const std::string& path, file_kind kind,
                             const std::optional<element>& type, std::string_view also, int threads,
                             std::size_t window_bytes)
    : block_(std::max<std::size_t>(window_bytes, 4)) {
    source_.emplace(path, path == "-" && kind != file_kind::raw);
    if (kind == file_kind::text) {
        start_text({type, source_->name(), {}, also}, threads);
    } else if (kind == file_kind::npy) {
        read_header();
    } else {
        type_ = *type;
    }
}

number_stream::number_stream(const std::shared_ptr<csv_source>& table, std::size_t column,
                             const std::optional<element>& type, std::string_view also, int threads,
                             std::size_t window_bytes)
    : table_(table), column_(column), block_(std::max<std::size_t>(window_bytes, 4)) {
    start_text({type, table_->name(), table_->label(column), also}, threads);
}

void number_stream::start_text(const text_kind& of, int threads) {
    block_ /= 2;  // "1 2 3": two characters are a number of eight bytes
    reader_.emplace(of, threads);
    while (numbers_.empty() && !has_ended()) read_more();
}

const std::string& number_stream::name() const { return table_ ? table_->name() : source_->name(); }

bool number_stream::is_at_end() const {
    return table_ ? table_->is_at_end(column_) : source_->is_at_end();
}

void number_stream::read_header() {
    while (!is_at_end() && numbers_.size() < npy_header_bytes(characters(numbers_, 0))) {
        source_->read(npy_header_bytes(characters(numbers_, 0)) - numbers_.size(), numbers_);
    }
    header_ = parse_npy_header(characters(numbers_, 0), name());
    begin_ = header_->data_offset;
    type_ = header_->type;
}

// There are no more numbers, or none of the type of those that are there.
bool number_stream::has_ended() const {
    if (reader_ && reader_->is_at_other_type()) return !numbers_.empty();
    return is_at_end() && text_begin_ == text_.size();
}

bool number_stream::next(std::size_t exactly) {
    begin_ += items_ * item_bytes();
    first_ += items_;
    items_ = 0;
    for (;;) {
        const std::size_t there = (numbers_.size() - begin_) / item_bytes();
        if (there > 0 && (there >= exactly || has_ended())) {
            items_ = exactly > 0 ? std::min(there, exactly) : there;
            if (header_ && first_ + items_ > header_->items) check_end();
            return true;
        }
        numbers_.drop(std::exchange(begin_, 0));
        if (has_ended()) {
            check_end();
            return false;
        }
        read_more();
    }
}

void number_stream::read_more() {
    if (!reader_) return source_->read(block_, numbers_);
    if (text_begin_ < text_.size()) {
        const std::size_t read =
            reader_->read(characters(text_, text_begin_), is_at_end(), numbers_.empty(), numbers_);
        text_begin_ += read;
        if (read > 0 || reader_->is_at_other_type()) return;
    }
    text_.drop(std::exchange(text_begin_, 0));
    if (table_) {
        table_->read(column_, block_, text_);
    } else {
        source_->read(std::max(block_, text_.size()), text_);  // as for long records of a table
    }
}

void number_stream::check_end() const {
    const std::size_t left = numbers_.size() - begin_;
    if (header_) {
        const std::size_t held = first_ * type_.size() + left;
        const std::size_t declared = header_->items * type_.size();
        if (held == declared) return;
        fail("{}: {}: shape ({}) of {} takes {} bytes, {} came", name(),
             held < declared ? "truncated" : "too long", fmt::join(header_->shape, ", "),
             cli::name(type_), declared, held < declared ? std::to_string(held) : "more");
    }
    if (left > 0) {
        fail("{}: {} bytes; expected a multiple of {}, the size of {}", name(),
             first_ * type_.size() + left, type_.size(), cli::name(type_));
    }
}

byte_buffer number_stream::take_all() {
    numbers_.drop(std::exchange(begin_, 0));
    source_->read_all(numbers_);
    check_end();
    return std::move(numbers_);
}

}  // namespace lookback::cli
