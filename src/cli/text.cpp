#include "text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "error.hpp"

namespace lookback::cli {
namespace {

enum class verdict { good, not_a_number, not_an_integer, out_of_range };

template <class T>
verdict read_number(std::string_view token, T& value) {
    // from_chars knows no plus sign.
    if (token.size() > 1 && token[0] == '+' && token[1] != '-') token.remove_prefix(1);
    // Nor a minus sign before unsigned numbers, where 0 is the one that may have it.
    if (std::is_unsigned_v<T> && token.size() > 1 && token[0] == '-' &&
        token.find_first_not_of('0', 1) == token.npos) {
        value = 0;
        return verdict::good;
    }
    const char* end = token.data() + token.size();
    const auto [stop, problem] = std::from_chars(token.data(), end, value);
    if constexpr (std::is_integral_v<T>) {
        if (problem == std::errc::result_out_of_range && stop == end) return verdict::out_of_range;
        if (problem == std::errc{} && stop == end) return verdict::good;
        double real = 0;  // to tell 1.5, -1 and 1e3 from what is no number at all
        if (read_number(token, real) == verdict::not_a_number) return verdict::not_a_number;
        const bool is_negative_integer = token.size() > 1 && token[0] == '-' &&
                                         std::all_of(token.begin() + 1, token.end(),
                                                     [](char c) { return c >= '0' && c <= '9'; });
        return is_negative_integer ? verdict::out_of_range : verdict::not_an_integer;
    } else {
        if (stop != end) return verdict::not_a_number;
        if (problem == std::errc{}) return verdict::good;
        if (problem != std::errc::result_out_of_range) return verdict::not_a_number;
        // Too large, or so small that it is 0: the C library tells which.
        const double real = std::strtod(std::string(token).c_str(), nullptr);
        if (std::abs(real) > 1) return verdict::out_of_range;
        value = static_cast<T>(real);
        return verdict::good;
    }
}

template <class T>
std::string explain(verdict why, std::string_view token) {
    switch (why) {
        case verdict::out_of_range:
            return fmt::format("{} is out of range for {}; expected {} to {}", quoted(token),
                               name(dtype_of<T>()), std::numeric_limits<T>::lowest(),
                               std::numeric_limits<T>::max());
        case verdict::not_an_integer:
            return fmt::format("{} is not an integer; expected {}", quoted(token),
                               name(dtype_of<T>()));
        default: return fmt::format("{} is not a number", quoted(token));
    }
}

// Walks over the tokens of a text and keeps count of lines.
class tokens {
 public:
    explicit tokens(std::string_view text) : text_(text) {}

    // The next token; empty at the end.
    std::string_view next() {
        for (; at_ < text_.size() && is_space(text_[at_]); ++at_) {
            if (text_[at_] != '\n') continue;
            ++line_;
            line_begin_ = at_ + 1;
        }
        first_ = at_;
        while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
        return text_.substr(first_, at_ - first_);
    }
    std::size_t line() const { return line_; }
    std::size_t column() const { return first_ - line_begin_ + 1; }

 private:
    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t first_ = 0;
    std::size_t line_ = 1;
    std::size_t line_begin_ = 0;
};

// Returns what is wrong, if anything.
template <class T>
std::optional<std::string> read_all(std::string_view text, std::vector<std::byte>& bytes) {
    tokens in(text);
    for (std::string_view token = in.next(); !token.empty(); token = in.next()) {
        T value{};
        const verdict found = read_number(token, value);
        if (found != verdict::good) {
            return fmt::format("{}:{}: {}", in.line(), in.column(), explain<T>(found, token));
        }
        bytes.resize(bytes.size() + sizeof(T));
        std::memcpy(bytes.data() + bytes.size() - sizeof(T), &value, sizeof(T));
    }
    return std::nullopt;
}

}  // namespace

text_numbers parse_text(std::string_view text, std::optional<dtype> type, std::string_view path) {
    const auto candidates =
        type ? std::vector{*type} : std::vector{dtype::int64, dtype::uint64, dtype::float64};
    std::optional<std::string> problem;
    for (const dtype candidate : candidates) {
        text_numbers numbers{candidate, {}};
        problem = with_type(candidate, [&]<class T>(std::type_identity<T>) {
            return read_all<T>(text, numbers.bytes);
        });
        if (!problem) return numbers;
    }
    fail("{}:{}", path, *problem);
}

template <number T>
T parse_number(std::string_view text, std::string_view where) {
    T value{};
    const verdict found = read_number(text, value);
    if (found != verdict::good) fail("{}: {}", where, explain<T>(found, text));
    return value;
}

template <number T>
void append_text(std::span<const T> numbers, std::string& to) {
    for (const T value : numbers) {
        char digits[32];
        const auto done = std::to_chars(digits, digits + sizeof(digits) - 1, value);
        *done.ptr = '\n';
        to.append(digits, done.ptr + 1);
    }
}

template std::int8_t parse_number<std::int8_t>(std::string_view, std::string_view);
template std::int16_t parse_number<std::int16_t>(std::string_view, std::string_view);
template std::int32_t parse_number<std::int32_t>(std::string_view, std::string_view);
template std::int64_t parse_number<std::int64_t>(std::string_view, std::string_view);
template std::uint8_t parse_number<std::uint8_t>(std::string_view, std::string_view);
template std::uint16_t parse_number<std::uint16_t>(std::string_view, std::string_view);
template std::uint32_t parse_number<std::uint32_t>(std::string_view, std::string_view);
template std::uint64_t parse_number<std::uint64_t>(std::string_view, std::string_view);
template float parse_number<float>(std::string_view, std::string_view);
template double parse_number<double>(std::string_view, std::string_view);
template void append_text<std::int8_t>(std::span<const std::int8_t>, std::string&);
template void append_text<std::int16_t>(std::span<const std::int16_t>, std::string&);
template void append_text<std::int32_t>(std::span<const std::int32_t>, std::string&);
template void append_text<std::int64_t>(std::span<const std::int64_t>, std::string&);
template void append_text<std::uint8_t>(std::span<const std::uint8_t>, std::string&);
template void append_text<std::uint16_t>(std::span<const std::uint16_t>, std::string&);
template void append_text<std::uint32_t>(std::span<const std::uint32_t>, std::string&);
template void append_text<std::uint64_t>(std::span<const std::uint64_t>, std::string&);
template void append_text<float>(std::span<const float>, std::string&);
template void append_text<double>(std::span<const double>, std::string&);

}  // namespace lookback::cli
