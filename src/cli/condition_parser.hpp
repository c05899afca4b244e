/// \file
/// The text of a condition, such as "0 <= x < 10 or isnan(x)".
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "condition_tokens.hpp"
#include "error.hpp"
#include "half.hpp"
#include "real_number.hpp"
#include "table/condition.hpp"
#include "table/flags.hpp"

namespace lookback::cli {

/// What a condition means: intervals, or, if there would be too many of them, a test.
template <number T>
struct meaning {
    condition<T> plain;
    std::optional<flag_test> test = {};

    flag_test as_test() const {
        return test ? *test : flag_test{.what = flag_test::kind::numbers, .set = number_set(plain)};
    }
};

template <number T>
meaning<T> either(const meaning<T>& a, const meaning<T>& b) {
    if (!a.test && !b.test) return {either(a.plain, b.plain)};
    return {{}, flag_test{.what = flag_test::kind::any_of, .parts = {a.as_test(), b.as_test()}}};
}
template <number T>
meaning<T> both(const meaning<T>& a, const meaning<T>& b) {
    if (!a.test && !b.test) return {both(a.plain, b.plain)};
    return {{}, flag_test{.what = flag_test::kind::all_of, .parts = {a.as_test(), b.as_test()}}};
}
template <number T>
meaning<T> complement(const meaning<T>& a) {
    if (!a.test) return {complement(a.plain)};
    return {{}, flag_test{.what = flag_test::kind::none_of, .parts = {*a.test}}};
}

/// One function for each rule of the grammar, from the weakest binding to the strongest.
template <number T>
class condition_parser {
 public:
    condition_parser(condition_tokens& in, bool is_half) : in_(in), is_half_(is_half) {}

    meaning<T> whole() {
        meaning<T> all = any_of();
        if (!in_.current().empty()) in_.complain("'and', 'or' or the end");
        return all;
    }

 private:
    // x, abs(x) or x % divisor
    struct operand {
        bool is_size = false;
        std::uint64_t divisor = 0;
    };

    meaning<T> any_of() {
        meaning<T> c = all_of();
        while (in_.accept("or")) c = either(c, all_of());
        return c;
    }

    meaning<T> all_of() {
        meaning<T> c = term();
        while (in_.accept("and")) c = both(c, term());
        return c;
    }

    meaning<T> term() {
        constexpr int deepest = 100;  // each level takes some of the stack
        if (depth_ == deepest) in_.complain(fmt::format("at most {} levels", deepest));
        ++depth_;
        meaning<T> c;
        if (in_.accept("not")) {
            c = complement(term());
        } else if (in_.accept("(")) {
            c = any_of();
            in_.expect(")");
        } else if (in_.accept("isnan")) {
            expect_x_in_parentheses();
            c.plain.has_nan = std::is_floating_point_v<T>;
        } else if (in_.accept("isinf")) {
            expect_x_in_parentheses();
            c.plain = compared_size("==", "inf");
        } else {
            c = comparison();
        }
        --depth_;
        return c;
    }

    // x < 3, 3 > x, 1 <= x < 3
    meaning<T> comparison() {
        if (const std::optional<operand> left = find_operand()) {
            const std::string_view op = comparison_sign();
            return compared(*left, op, number("a number"));
        }
        const std::string left = number("x, abs(x), a number, isnan(x), isinf(x), 'not' or '('");
        const std::string_view op = mirrored(comparison_sign());
        const std::optional<operand> middle = find_operand();
        if (!middle) in_.complain("x or abs(x)");
        meaning<T> c = compared(*middle, op, left);
        if (!is_comparison_sign(in_.current())) return c;
        const std::string_view op2 = comparison_sign();
        return both(c, compared(*middle, op2, number("a number")));
    }

    std::optional<operand> find_operand() {
        if (in_.accept("abs")) {
            expect_x_in_parentheses();
            return operand{.is_size = true};
        }
        if (!in_.accept("x")) return std::nullopt;
        return in_.accept("%") ? operand{.divisor = divisor()} : operand{};
    }
    void expect_x_in_parentheses() {
        in_.expect("(");
        in_.expect("x");
        in_.expect(")");
    }
    std::uint64_t divisor() {
        constexpr std::uint64_t most = std::uint64_t{1} << 53;  // doubles are exact up to it
        const std::optional<decimal> d = read_decimal(in_.current());
        if (!d || d->is_negative || d->has_fraction() || d->whole_part().value_or(0) - 1 >= most) {
            in_.complain("a whole number from 1 to 2^53");
        }
        in_.next();
        return *d->whole_part();
    }

    // The numbers for which OPERAND op VALUE holds.
    meaning<T> compared(const operand& of, std::string_view op, const std::string& value) const {
        if (of.is_size) return {compared_size(op, value)};
        if (of.divisor == 0) return {compared<T>(op, value)};
        using remainder = std::conditional_t<std::is_integral_v<T>, std::uint64_t, double>;
        return {{},
                flag_test{.what = flag_test::kind::remainders,
                          .set = number_set(compared<remainder>(op, value)),
                          .divisor = of.divisor}};
    }

    template <number U>
    condition<U> compared(std::string_view op, const std::string& value) const {
        const place<U> at = find_place<U>(value);
        condition<U> less, equal, greater;
        if (at.below) less.intervals = {{lowest_number<U>, *at.below}};
        if (at.equal) equal.intervals = {{*at.equal, *at.equal}};
        if (at.above) greater.intervals = {{*at.above, highest_number<U>}};
        if (op == "<") return less;
        if (op == "<=") return either(less, equal);
        if (op == ">") return greater;
        if (op == ">=") return either(greater, equal);
        return op == "==" ? equal : complement(equal);
    }

    // |x| < v means -v < x < v; |x| >= v is the complement, without NaN.
    condition<T> compared_size(std::string_view op, const std::string& value) const {
        const bool is_negative = value.starts_with('-');
        const std::string other = is_negative ? value.substr(1) : "-" + value;
        if (op == "<" || op == "<=") {
            return both(compared<T>(op, value), compared<T>(mirrored(op), other));
        }
        if (op == ">" || op == ">=") {
            return either(compared<T>(op, value), compared<T>(mirrored(op), other));
        }
        condition<T> equal = both(compared_size("<=", value), compared_size(">=", value));
        return op == "==" ? equal : complement(equal);
    }

    // `value` is a number, inf or -inf.
    template <number U>
    place<U> find_place(const std::string& value) const {
        const std::optional<decimal> exact = read_decimal(value);
        if constexpr (std::is_integral_v<U>) {
            if (exact) return place_of<U>(*exact);
            const std::string beyond = value.starts_with('-') ? "-1e99" : "1e99";
            return place_of<U>(*read_decimal(beyond));
        } else {
            constexpr U inf = std::numeric_limits<U>::infinity();
            if (!exact) return place_of<U>(value.starts_with('-') ? -inf : inf);
            const place<U> at = place_of<U>(*exact, value);
            if (!is_half_ || exact->is_whole || !at.equal) return at;
            const float nearest = to_float(to_half(static_cast<float>(*at.equal)));
            return nearest - nearest == 0 ? place_of<U>(static_cast<U>(nearest)) : at;
        }
    }

    // value OP x is the same as x OTHER value.
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

    // A number as it is written but without a plus sign, or inf or -inf.
    std::string number(std::string_view expected) {
        std::string_view token = in_.current();
        if (token.starts_with('+') && !token.starts_with("+-")) token.remove_prefix(1);
        if (read_decimal(token)) {
            in_.next();
            return std::string(token);
        }
        const bool is_negative = token.starts_with('-');
        std::string word(token.substr(is_negative ? 1 : 0));
        for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (word == "nan") {
            fail("{}: nothing compares with {}; expected isnan(x)", in_.place(), quoted(token));
        }
        if (word == "inf" || word == "infinity") {
            in_.next();
            return is_negative ? "-inf" : "inf";
        }
        if (token.find_first_of("-.0123456789") != 0) in_.complain(expected);
        fail("{}: {} is not a number", in_.place(), quoted(token));
    }

    condition_tokens& in_;
    bool is_half_;
    int depth_ = 0;
};

/// What `text` says about numbers of type T, which are compared as real numbers. It may have
/// comparisons of x, abs(x) and x % N with numbers, ranges, isnan(x), isinf(x), and, or, not and
/// parentheses. Whether the text is valid does not depend on T. Throws `error` with the column;
/// `where` is for the message. With `is_half` the numbers are those of float16.
template <number T>
meaning<T> parse_condition(std::string_view text, std::string_view where, bool is_half) {
    condition_tokens in(text, where);
    return condition_parser<T>(in, is_half).whole();
}

}  // namespace lookback::cli
