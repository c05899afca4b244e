/// \file
/// The text of a condition, such as "0 <= x < 10 or isnan(x)".
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "error.hpp"
#include "table/condition.hpp"
#include "text.hpp"

namespace lookback::cli {

/// The words, signs and numbers of a text.
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
    static constexpr std::string_view signs = "()<>=!";

    // Of the token that begins here.
    std::size_t length() const {
        const std::string_view rest = text_.substr(at_);
        if (rest.empty()) return 0;
        if (rest[0] == '(' || rest[0] == ')') return 1;
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

/// One function for each rule of the grammar, from the weakest binding to the strongest.
template <number T>
class condition_parser {
 public:
    explicit condition_parser(condition_tokens& in) : in_(in) {}

    condition<T> whole() {
        condition<T> all = any_of();
        if (!in_.current().empty()) in_.complain("'and', 'or' or the end");
        return all;
    }

 private:
    condition<T> any_of() {
        condition<T> c = all_of();
        while (in_.accept("or")) c = either(c, all_of());
        return c;
    }

    condition<T> all_of() {
        condition<T> c = term();
        while (in_.accept("and")) c = both(c, term());
        return c;
    }

    condition<T> term() {
        constexpr int deepest = 100;  // each level takes some of the stack
        if (depth_ == deepest) in_.complain(fmt::format("at most {} levels", deepest));
        ++depth_;
        condition<T> c;
        if (in_.accept("not")) {
            c = complement(term());
        } else if (in_.accept("(")) {
            c = any_of();
            in_.expect(")");
        } else if (in_.accept("isnan")) {
            in_.expect("(");
            in_.expect("x");
            in_.expect(")");
            c.has_nan = std::is_floating_point_v<T>;
        } else {
            c = comparison();
        }
        --depth_;
        return c;
    }

    // x < 3, 3 > x, 1 <= x < 3
    condition<T> comparison() {
        if (in_.accept("x")) {
            const std::string_view op = comparison_sign();
            return compared(op, value("a number"));
        }
        const T left = value("x, a number, isnan(x), 'not' or '('");
        condition<T> c = compared(mirrored(comparison_sign()), left);
        in_.expect("x");
        if (!is_comparison_sign(in_.current())) return c;
        const std::string_view op = comparison_sign();
        return both(c, compared(op, value("a number")));
    }

    // Where x OP value holds.
    static condition<T> compared(std::string_view op, T value) {
        const condition<T> equal{{{value, value}}};
        condition<T> less, greater;
        if (value != lowest_number<T>) less.intervals = {{lowest_number<T>, below(value)}};
        if (value != highest_number<T>) greater.intervals = {{above(value), highest_number<T>}};
        if (op == "<") return less;
        if (op == "<=") return either(less, equal);
        if (op == ">") return greater;
        if (op == ">=") return either(greater, equal);
        return op == "==" ? equal : complement(equal);
    }

    // value OP x is x OTHER value.
    static std::string_view mirrored(std::string_view op) {
        if (op == "<") return ">";
        if (op == "<=") return ">=";
        if (op == ">") return "<";
        if (op == ">=") return "<=";
        return op;
    }

    static bool is_comparison_sign(std::string_view token) {
        return token == "<" || token == "<=" || token == ">" || token == ">=" || token == "==" ||
               token == "!=";
    }
    std::string_view comparison_sign() {
        const std::string_view op = in_.current();
        if (!is_comparison_sign(op)) in_.complain("<, <=, >, >=, == or !=");
        in_.next();
        return op;
    }

    T value(std::string_view expected) {
        const std::string_view token = in_.current();
        if (token.find_first_of("+-.0123456789inIN") != 0) in_.complain(expected);  // or inf, nan
        const T number = parse_number<T>(token, in_.place());
        if (number != number) {
            fail("{}: nothing compares with {}; expected isnan(x)", in_.place(), quoted(token));
        }
        in_.next();
        return number;
    }

    condition_tokens& in_;
    int depth_ = 0;
};

/// What `text` says: comparisons of x with numbers of type T, ranges, isnan(x), and, or, not and
/// parentheses. Throws `error` with the column; `where` is for the message.
template <number T>
condition<T> parse_condition(std::string_view text, std::string_view where) {
    condition_tokens in(text, where);
    return condition_parser<T>(in).whole();
}

}  // namespace lookback::cli
