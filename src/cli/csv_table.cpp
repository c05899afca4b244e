#include "csv_table.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "error.hpp"
#include "number_text.hpp"
#include "packing.hpp"
#include "text.hpp"

namespace lookback::cli {
namespace {

// No record has so many characters: a quote is not closed, or there are no lines.
constexpr std::size_t longest_record = std::size_t{1} << 20;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

std::string_view trimmed(std::string_view field) {
    while (!field.empty() && is_space(field.front())) field.remove_prefix(1);
    while (!field.empty() && is_space(field.back())) field.remove_suffix(1);
    return field;
}

// Two quotes within quotes are one.
std::string name_in(std::string_view field) {
    std::string name;
    for (std::size_t i = 0; i < field.size(); ++i) {
        name += field[i];
        if (field.substr(i, 2) == "\"\"") ++i;
    }
    return std::string(trimmed(name));
}

bool has_digits_only(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return '0' <= c && c <= '9'; });
}

}  // namespace

char parse_delimiter(const std::optional<std::string>& text, std::string_view path, char usual) {
    if (!text) {
        const std::string_view name = unpacked_name(path);
        return name.ends_with(".tsv") ? '\t' : name.ends_with(".csv") ? ',' : usual;
    }
    if (*text == "tab" || *text == "\\t") return '\t';
    if (text->size() == 1 && text->find_first_of("\"\r\n") == text->npos) return text->front();
    fail("--delimiter {}: expected one character, as between the fields of a line, or tab", *text);
}

csv_table::csv_table(const std::vector<std::string>& columns, char delimiter, std::string_view path)
    : path_(path), records_(delimiter) {
    for (const std::string& text : columns) {
        if (text.empty())
            fail("{}: the name of its column is empty; expected one, or a number", path);
        if (!has_digits_only(text)) {
            const bool is_quoted = text.size() > 2 && text.front() == '"' && text.back() == '"';
            const std::string name = is_quoted ? text.substr(1, text.size() - 2) : text;
            columns_.push_back({fmt::format("column '{}'", name), name});
            has_names_ = true;
            continue;
        }
        std::size_t number = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
        if (read.ec != std::errc{} || number == 0) {
            fail("{}: column {}: expected a number from 1 on, or a name in the first line", path,
                 text);
        }
        columns_.push_back({fmt::format("column {}", number), {}, number - 1});
        width_ = std::max(width_, number);
    }
}

std::size_t csv_table::read(std::string_view text, bool is_end, std::vector<byte_buffer>& to) {
    if (text.empty()) return 0;
    std::size_t begin = 0;
    if (lines_ == 0) {
        if (!is_end && byte_order_mark.starts_with(text)) return 0;
        if (text.starts_with(byte_order_mark)) begin = byte_order_mark.size();
    }
    const std::string too_long = fmt::format(
        ": a record of more than {} characters; expected an end of line, or a closing quote",
        longest_record);
    std::size_t done = begin;
    records_.begin(text, begin, is_end);
    while (records_.next(is_begun_ || !has_names_ ? width_ : text.npos)) {
        const auto& fields = records_.fields();
        const bool has_names = has_names_ && !is_begun_ && !fields.empty();
        const bool has_words = !has_names && !fields.empty();
        const bool is_long = records_.end() - done > longest_record;
        if (const std::string why = is_long ? too_long : problem(has_words); !why.empty()) {
            if (done > begin) return done;  // what comes before it is of use
            fail("{}:{}{}", path_, lines_ + 1, why);
        }
        if (has_names) find_names();
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            const std::string_view word =
                has_words ? trimmed(fields[columns_[k].index]) : std::string_view();
            auto* const room = reinterpret_cast<char*>(to[k].room(word.size() + records_.lines()));
            std::copy(word.begin(), word.end(), room);
            std::fill_n(room + word.size(), records_.lines(), '\n');
            to[k].grow(word.size() + records_.lines());
        }
        is_begun_ |= !fields.empty();
        lines_ += records_.lines();
        done = records_.end();
    }
    if (text.size() - done > longest_record) {
        if (done > begin) return done;
        fail("{}:{}{}", path_, lines_ + 1, too_long);
    }
    return done > begin ? done : 0;  // the mark is dropped with a record, so only once
}

// Why the record is not taken; empty where it is.
std::string csv_table::problem(bool has_words) const {
    if (!records_.problem().empty()) return fmt::format(": {}", records_.problem());
    const auto& fields = records_.fields();
    for (const column& c : columns_) {
        if (!has_words) break;
        if (c.index >= fields.size()) {
            return fmt::format(": has {} field{}; expected {} or more, for {}", fields.size(),
                               fields.size() == 1 ? "" : "s", c.index + 1, c.label);
        }
        std::string why = problem_of(trimmed(fields[c.index]));
        if (!why.empty()) return fmt::format(", {}: {}", c.label, why);
    }
    return {};
}

// What cannot be one word. Whether that is a number is said by who reads it.
std::string csv_table::problem_of(std::string_view field) const {
    if (field.empty()) return "is empty; expected a number, or nan";
    if (std::any_of(field.begin(), field.end(), is_space)) {
        return fmt::format("{} is not a number", quoted(field));
    }
    double ignored = 0;
    if (is_begun_ || read_number(field, ignored) != verdict::not_a_number) return {};
    return fmt::format(
        "{} is not a number; where the first line has names, give one of them, not "
        "the number of its column",
        quoted(field));
}

void csv_table::find_names() {
    std::vector<std::string> names;
    for (const std::string_view field : records_.fields()) names.push_back(name_in(field));
    for (column& c : columns_) {
        if (c.name.empty()) continue;
        const auto at = std::find(names.begin(), names.end(), c.name);
        if (at == names.end()) {
            fail("{}: has no {}; its first line has '{}'", path_, c.label,
                 printable(fmt::to_string(fmt::join(names, "', '"))));
        }
        if (std::find(at + 1, names.end(), c.name) != names.end()) {
            fail("{}: has more than one {}; expected a name that is there once", path_, c.label);
        }
        c.index = static_cast<std::size_t>(at - names.begin());
        width_ = std::max(width_, c.index + 1);
    }
}

void csv_table::check_complete() const {
    if (!has_names_ || is_begun_) return;
    fail("{}: is empty; expected a first line with names, for {}", path_, columns_.front().label);
}

}  // namespace lookback::cli
