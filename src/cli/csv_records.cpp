#include "csv_records.hpp"

#include <algorithm>
#include <cstring>

namespace lookback::cli {

void csv_records::begin(std::string_view text, std::size_t at, bool is_end) {
    text_ = text;
    is_end_ = is_end;
    end_ = at;
    quote_ = at;
}

// Where the character is, or else `end`.
std::size_t csv_records::find(char c, std::size_t from, std::size_t end) const {
    const void* const found = std::memchr(text_.data() + from, c, end - from);
    if (found == nullptr) return end;
    return static_cast<std::size_t>(static_cast<const char*>(found) - text_.data());
}

bool csv_records::next(std::size_t most) {
    at_ = end_;
    lines_ = 1;
    problem_ = {};
    fields_.clear();
    if (at_ == text_.size()) return false;
    const std::size_t line_end = find('\n', at_, text_.size());
    if (has_quote_before(line_end)) return cut_quoted();
    if (line_end == text_.size() && !is_end_) return false;
    cut_line(line_end, most);
    end_ = std::min(line_end + 1, text_.size());
    return true;
}

// Whether a quote comes before `end`. The search goes some way beyond it, so that most records need
// no search of their own, but no thread searches far beyond its part of the text.
bool csv_records::has_quote_before(std::size_t end) {
    constexpr std::size_t ahead = std::size_t{1} << 14;
    quote_ = std::max(quote_, at_);
    if (quote_ < end && text_[quote_] != '"') {
        quote_ = find('"', quote_, std::min(end + ahead, text_.size()));
    }
    return quote_ < end;
}

void csv_records::cut_line(std::size_t end, std::size_t most) {
    if (end > at_ && text_[end - 1] == '\r') --end;
    if (end == at_) return;
    for (std::size_t begin = at_;;) {
        const std::size_t to = find(delimiter_, begin, end);
        fields_.push_back(text_.substr(begin, to - begin));
        if (to == end || fields_.size() == most) return;
        begin = to + 1;
    }
}

// False where the text ends before the record does.
bool csv_records::cut_quoted() {
    const std::size_t size = text_.size();
    for (std::size_t at = at_;;) {
        std::size_t begin = at;
        while (begin < size && text_[begin] == ' ' && delimiter_ != ' ') ++begin;
        if (begin < size && text_[begin] == '"') {
            at = quoted_field(begin + 1);
        } else {
            while (at < size && text_[at] != delimiter_ && text_[at] != '\n') ++at;
            fields_.push_back(text_.substr(begin, at - begin));
        }
        if (at == size && !is_end_) return false;
        if (at < size && text_[at] == delimiter_) {
            ++at;
            continue;
        }
        end_ = std::min(at + 1, size);
        return true;
    }
}

// From behind the first quote; returns where the field ends.
std::size_t csv_records::quoted_field(std::size_t at) {
    const std::size_t size = text_.size(), begin = at;
    for (;; at += 2) {  // two quotes are one that does not close
        at = find('"', at, size);
        if (at + 1 >= size || text_[at + 1] != '"') break;
    }
    fields_.push_back(text_.substr(begin, at - begin));
    lines_ +=
        static_cast<std::size_t>(std::count(fields_.back().begin(), fields_.back().end(), '\n'));
    if (at == size) {
        if (is_end_) problem_ = "a quote is not closed";
        return size;
    }
    const std::size_t behind = at + 1;
    at = behind;
    while (at < size && text_[at] != delimiter_ && text_[at] != '\n') ++at;
    const std::string_view rest = text_.substr(behind, at - behind);
    if (rest.find_first_not_of(" \r") != rest.npos) {
        problem_ = "characters between a closing quote and the end of its field";
    }
    return at;
}

}  // namespace lookback::cli
