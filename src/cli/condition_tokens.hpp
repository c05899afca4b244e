/// \file
/// The words, signs and numbers of the text of a condition.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "error.hpp"
#include "text.hpp"

namespace lookback::cli {

class condition_tokens {
 public:
    condition_tokens(std::string_view text, std::string_view where) : text_(text), where_(where) {
        next();
    }

    // Empty at the end.
    std::string_view current() const { return current_; }

    bool accept(std::string_view token) {
        if (current_ != token) return false;
        next();
        return true;
    }
    void expect(std::string_view token) {
        if (!accept(token)) complain(fmt::format("'{}'", token));
    }
    void next() {
        at_ += current_.size();
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
        current_ = text_.substr(at_, length());
    }

    // For messages.
    std::string place() const { return fmt::format("{}, column {}", where_, at_ + 1); }
    [[noreturn]] void complain(std::string_view expected) const {
        fail("{}: expected {}, found {}", place(), expected,
             current_.empty() ? "the end" : quoted(current_));
    }

 private:
    static constexpr std::string_view signs = "()<>=!%";

    // The length of the token that begins here.
    std::size_t length() const {
        const std::string_view rest = text_.substr(at_);
        if (rest.empty()) return 0;
        if (rest[0] == '(' || rest[0] == ')' || rest[0] == '%') return 1;
        if (signs.find(rest[0]) != signs.npos) return rest.substr(1).starts_with('=') ? 2 : 1;
        const auto ends = [](char c) { return is_space(c) || signs.find(c) != signs.npos; };
        return static_cast<std::size_t>(std::find_if(rest.begin(), rest.end(), ends) -
                                        rest.begin());
    }

    std::string_view text_;
    std::string_view where_;
    std::size_t at_ = 0;
    std::string_view current_;
};

}  // namespace lookback::cli
