#include "number_stream.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "error.hpp"

namespace lookback::cli {
namespace {

// Puts what is left from `begin` on to the front.
void drop(byte_buffer& bytes, std::size_t& begin) {
    const std::size_t left = bytes.size() - begin;
    if (begin > 0 && left > 0) std::memmove(bytes.data(), bytes.data() + begin, left);
    bytes.clear();
    bytes.grow(left);
    begin = 0;
}

std::string_view characters(const byte_buffer& bytes, std::size_t begin) {
    return {reinterpret_cast<const char*>(bytes.data()) + begin, bytes.size() - begin};
}

}  // namespace

number_stream::number_stream(const std::string& path, file_kind kind,
                             const std::optional<element>& type, std::string_view also, int threads,
                             std::size_t window_bytes)
    : source_(path, path == "-" && kind != file_kind::raw),
      block_(std::max<std::size_t>(window_bytes, 4)) {
    if (kind == file_kind::text) {
        block_ /= 2;  // "1 2 3": two characters are a number of eight bytes
        reader_.emplace(type, source_.name(), also, threads);
        while (numbers_.empty() && !has_ended()) read_more();
    } else if (kind == file_kind::npy) {
        read_header();
    } else {
        type_ = *type;
    }
}

void number_stream::read_header() {
    while (!source_.is_at_end() && numbers_.size() < npy_header_bytes(characters(numbers_, 0))) {
        source_.read(npy_header_bytes(characters(numbers_, 0)) - numbers_.size(), numbers_);
    }
    header_ = parse_npy_header(characters(numbers_, 0), source_.name());
    begin_ = header_->data_offset;
    type_ = header_->type;
}

// There are no more numbers, or none of the type of those that are there.
bool number_stream::has_ended() const {
    if (reader_ && reader_->is_at_other_type()) return !numbers_.empty();
    return source_.is_at_end() && text_begin_ == text_.size();
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
        drop(numbers_, begin_);
        if (has_ended()) {
            check_end();
            return false;
        }
        read_more();
    }
}

void number_stream::read_more() {
    if (!reader_) return source_.read(block_, numbers_);
    if (text_begin_ < text_.size()) {
        const std::size_t read = reader_->read(characters(text_, text_begin_), source_.is_at_end(),
                                               numbers_.empty(), numbers_);
        text_begin_ += read;
        if (read > 0 || reader_->is_at_other_type()) return;
    }
    drop(text_, text_begin_);
    source_.read(block_, text_);
}

void number_stream::check_end() const {
    const std::size_t left = numbers_.size() - begin_;
    if (header_) {
        const std::size_t held = first_ * type_.size() + left;
        const std::size_t declared = header_->items * type_.size();
        if (held == declared) return;
        fail("{}: {}: shape ({}) of {} takes {} bytes, {} came", source_.name(),
             held < declared ? "truncated" : "too long", fmt::join(header_->shape, ", "),
             name(type_), declared, held < declared ? std::to_string(held) : "more");
    }
    if (left > 0) {
        fail("{}: {} bytes; expected a multiple of {}, the size of {}", source_.name(),
             first_ * type_.size() + left, type_.size(), name(type_));
    }
}

byte_buffer number_stream::take_all() {
    drop(numbers_, begin_);
    source_.read_all(numbers_);
    check_end();
    return std::move(numbers_);
}

}  // namespace lookback::cli
