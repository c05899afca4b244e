#include "condition.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "error.hpp"
#include "text.hpp"

namespace lookback::cli {
namespace {

// The neighbour of x among the numbers of its type. -0 and 0 are one.
template <number T>
T above(T x) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(x + 1);
    else
        return std::nextafter(x, highest_number<T>);
}
template <number T>
T below(T x) {
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(x - 1);
    else
        return std::nextafter(x, lowest_number<T>);
}

template <number T>
condition<T> either(const condition<T>& a, const condition<T>& b) {
    condition<T> all{{}, a.has_nan || b.has_nan};
    std::vector<interval<T>> parts(a.intervals.size() + b.intervals.size());
    std::merge(a.intervals.begin(), a.intervals.end(), b.intervals.begin(), b.intervals.end(),
               parts.begin(), [](const auto& p, const auto& q) { return p.low < q.low; });
    for (const interval<T>& part : parts) {
        const bool goes_on =
            !all.intervals.empty() &&
            (part.low <= all.intervals.back().high || part.low == above(all.intervals.back().high));
        if (goes_on) {
            all.intervals.back().high = std::max(all.intervals.back().high, part.high);
        } else {
            all.intervals.push_back(part);
        }
    }
    return all;
}

template <number T>
condition<T> both(const condition<T>& a, const condition<T>& b) {
    return complement(either(complement(a), complement(b)));
}

// Where x OP value holds.
template <number T>
condition<T> compared(std::string_view op, T value) {
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
std::string_view mirrored(std::string_view op) {
    if (op == "<") return ">";
    if (op == "<=") return ">=";
    if (op == ">") return "<";
    if (op == ">=") return "<=";
    return op;
}

// The words, signs and numbers of a text.
class tokens {
 public:
    tokens(std::string_view text, std::string_view where) : text_(text), where_(where) { next(); }

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
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
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
        return std::min(rest.find_first_of(" ()<>=!"), rest.size());
    }

    std::string_view text_;
    std::string_view where_;
    std::size_t at_ = 0;
    std::string_view current_;
};

// One function for each rule of the grammar, from the weakest binding to the strongest.
template <number T>
class parser {
 public:
    explicit parser(tokens& in) : in_(in) {}

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

    tokens& in_;
    int depth_ = 0;
};

}  // namespace

template <number T>
condition<T> complement(const condition<T>& c) {
    condition<T> others{{}, std::is_floating_point_v<T> && !c.has_nan};
    T next = lowest_number<T>;
    for (const interval<T>& i : c.intervals) {
        if (next < i.low) others.intervals.push_back({next, below(i.low)});
        if (i.high == highest_number<T>) return others;
        next = above(i.high);
    }
    others.intervals.push_back({next, highest_number<T>});
    return others;
}

template <number T>
condition<T> parse_condition(std::string_view text, std::string_view where) {
    tokens in(text, where);
    return parser<T>(in).whole();
}

template condition<std::int8_t> complement(const condition<std::int8_t>&);
template condition<std::int8_t> parse_condition(std::string_view, std::string_view);
template condition<std::int16_t> complement(const condition<std::int16_t>&);
template condition<std::int16_t> parse_condition(std::string_view, std::string_view);
template condition<std::int32_t> complement(const condition<std::int32_t>&);
template condition<std::int32_t> parse_condition(std::string_view, std::string_view);
template condition<std::int64_t> complement(const condition<std::int64_t>&);
template condition<std::int64_t> parse_condition(std::string_view, std::string_view);
template condition<std::uint8_t> complement(const condition<std::uint8_t>&);
template condition<std::uint8_t> parse_condition(std::string_view, std::string_view);
template condition<std::uint16_t> complement(const condition<std::uint16_t>&);
template condition<std::uint16_t> parse_condition(std::string_view, std::string_view);
template condition<std::uint32_t> complement(const condition<std::uint32_t>&);
template condition<std::uint32_t> parse_condition(std::string_view, std::string_view);
template condition<std::uint64_t> complement(const condition<std::uint64_t>&);
template condition<std::uint64_t> parse_condition(std::string_view, std::string_view);
template condition<float> complement(const condition<float>&);
template condition<float> parse_condition(std::string_view, std::string_view);
template condition<double> complement(const condition<double>&);
template condition<double> parse_condition(std::string_view, std::string_view);

}  // namespace lookback::cli
