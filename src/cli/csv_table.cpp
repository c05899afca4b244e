#include "csv_table.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "error.hpp"
#include "number_text.hpp"
#include "packing.hpp"
#include "text.hpp"
#include "text_parts.hpp"

namespace lookback::cli {
namespace {

// No record has so many characters: a quote is not closed, or there are no lines.
constexpr std::size_t longest_record = std::size_t{1} << 20;

const std::string too_long = fmt::format(
    ": a record of more than {} characters; expected an end of line, or a closing quote",
    longest_record);

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

csv_table::csv_table(const std::vector<std::string>& columns, char delimiter, std::string_view path,
                     int threads)
    : path_(path), delimiter_(delimiter), threads_(threads) {
    parts_.resize(threads_.size());
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
    const auto texts = cut_in_parts(text.substr(begin), is_begun_ ? parts_.size() : 1,
                                    [](char c) { return c == '\n'; });
    threads_.run(texts.size(), [&](std::size_t i) {
        part& p = parts_[i];
        p.done = static_cast<std::size_t>(texts[i].data() - text.data());
        p.words.resize(to.size());  // by the thread itself: memory that it shares with no other
        for (byte_buffer& words : p.words) words.clear();
        read_part(text, p.done + texts[i].size(), is_end, p, i == 0 ? to : p.words);
    });
    const std::size_t lines = lines_;
    std::size_t done = begin;
    for (std::size_t i = 0; i < texts.size() && texts[i].data() == text.data() + done; ++i) {
        for (std::size_t k = 0; k < to.size(); ++k) to[k].append(parts_[i].words[k]);
        lines_ += parts_[i].lines;
        done = parts_[i].done;
    }
    if (done > begin) return done;  // also of use where a problem comes next
    if (!parts_[0].problem.empty()) fail("{}:{}{}", path_, lines + 1, parts_[0].problem);
    if (text.size() - done > longest_record) fail("{}:{}{}", path_, lines + 1, too_long);
    return 0;  // the mark is dropped with a record, so only once
}

// From p.done on, until a record ends at `end` or behind it, or has a problem; of the first record
// of the table, that alone.
void csv_table::read_part(std::string_view text, std::size_t end, bool is_end, part& p,
                          std::vector<byte_buffer>& to) {
    const bool is_begun = is_begun_;
    csv_records records(delimiter_);
    records.begin(text, p.done, is_end);
    std::size_t done = p.done, all_lines = 0;
    std::string why;
    while (done < end && is_begun_ == is_begun &&
           records.next(is_begun || !has_names_ ? width_ : text.npos)) {
        const auto& fields = records.fields();
        const bool has_names = has_names_ && !is_begun && !fields.empty();
        const bool has_words = !has_names && !fields.empty();
        why = records.end() - done > longest_record ? too_long : problem(records, has_words);
        if (!why.empty()) break;
        if (has_names) find_names(fields);
        const std::size_t lines = records.lines();
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            const std::string_view word =
                has_words ? trimmed(fields[columns_[k].index]) : std::string_view();
            auto* const room = reinterpret_cast<char*>(to[k].room(word.size() + lines));
            std::copy(word.begin(), word.end(), room);
            std::fill_n(room + word.size(), lines, '\n');
            to[k].grow(word.size() + lines);
        }
        if (!is_begun && !fields.empty()) is_begun_ = true;  // there is no other part yet
        all_lines += lines;
        done = records.end();
    }
    p.done = done;
    p.lines = all_lines;
    p.problem = std::move(why);
}

// Why the record is not taken; empty where it is.
std::string csv_table::problem(const csv_records& record, bool has_words) const {
    if (!record.problem().empty()) return fmt::format(": {}", record.problem());
    const auto& fields = record.fields();
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

void csv_table::find_names(const std::vector<std::string_view>& fields) {
    std::vector<std::string> names;
    for (const std::string_view field : fields) names.push_back(name_in(field));
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
