/// \file
/// The small part of Python's syntax that .npy headers use.
#pragma once

#include <charconv>
#include <cstddef>
#include <string_view>
#include <vector>

#include "error.hpp"

namespace lookback::cli {

/// Reads one literal after the other. Strict: anything unexpected is an error that names its
/// position.
class literal_reader {
 public:
    /// `offset` is where the text begins in its file, for messages.
    literal_reader(std::string_view text, std::string_view path, std::size_t offset)
        : text_(text), path_(path), offset_(offset) {}

    /// The next character that is not white space; 0 at the end.
    char peek() {
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    bool accept(char c) {
        if (peek() != c || at_ == text_.size()) return false;
        ++at_;
        return true;
    }

    void expect(char c) {
        if (!accept(c)) complain(std::string("'") + c + "'");
    }

    void expect_end() {
        peek();
        if (at_ < text_.size()) complain("nothing more");
    }

    std::string_view string() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') complain("a quoted string");
        const std::size_t first = ++at_;
        while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\\') ++at_;
        if (at_ == text_.size() || text_[at_] != quote) complain("a plain quoted string");
        return text_.substr(first, at_++ - first);
    }

    bool boolean() {
        peek();
        for (const bool value : {false, true}) {
            const std::string_view word = value ? "True" : "False";
            if (text_.substr(at_).starts_with(word)) {
                at_ += word.size();
                return value;
            }
        }
        complain("True or False");
    }

    std::size_t size() {
        peek();
        std::size_t value = 0;
        const char* first = text_.data() + at_;
        const auto [end, problem] = std::from_chars(first, text_.data() + text_.size(), value);
        if (problem != std::errc{}) complain("a size below 2^64");
        at_ += static_cast<std::size_t>(end - first);
        return value;
    }

    /// A tuple of sizes: (), (3,) or (3, 4).
    std::vector<std::size_t> shape(std::size_t most) {
        std::vector<std::size_t> sizes;
        expect('(');
        while (!accept(')')) {
            if (sizes.size() == most) complain(fmt::format("at most {} dimensions", most));
            sizes.push_back(size());
            if (accept(',')) continue;
            if (sizes.size() == 1) complain("','");  // (3) is a number, not a tuple
            expect(')');
            break;
        }
        return sizes;
    }

    [[noreturn]] void complain(std::string_view expected) const {
        fail("{}: broken .npy header at byte {}: expected {}, found {}", path_, offset_ + at_,
             expected, at_ < text_.size() ? quoted(text_.substr(at_, 12)) : "its end");
    }

 private:
    static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

    std::string_view text_;
    std::string_view path_;
    std::size_t offset_;
    std::size_t at_ = 0;
};

}  // namespace lookback::cli
