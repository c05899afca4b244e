#include "text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "error.hpp"
#include "half.hpp"
#include "short_integer.hpp"

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

// The token at the beginning of what is left, and where it is, as a person counts.
std::string_view token_at(std::string_view left) {
    return left.substr(0, static_cast<std::size_t>(
                              std::find_if(left.begin(), left.end(), is_space) - left.begin()));
}
std::string place_in(std::string_view text, std::size_t at) {
    const std::string_view before = text.substr(0, at);
    const auto lines = std::count(before.begin(), before.end(), '\n') + 1;
    return fmt::format("{}:{}", lines, at - (before.rfind('\n') + 1) + 1);
}

// The numbers that most tokens are, by `short_integer`; false where it has to be looked at closer.
template <class T>
bool read_short(const char*& at, T& value) {
    const bool is_negative = *at == '-';
    const short_integer digits = read_short_integer(at + (is_negative ? 1 : 0));
    if (digits.count == 0 || !is_space(*digits.end)) return false;
    const auto size = static_cast<std::int64_t>(digits.value);
    if constexpr (std::is_integral_v<T>) {
        if (!std::in_range<T>(is_negative ? -size : size)) return false;
        value = static_cast<T>(is_negative ? -size : size);
    } else {
        // Those that it holds exactly; -0 is not 0.
        if (size > std::int64_t{1} << std::numeric_limits<T>::digits) return false;
        value = is_negative ? -static_cast<T>(size) : static_cast<T>(size);
    }
    at = digits.end;
    return true;
}

// Returns what is wrong, if anything.
template <class T>
std::optional<std::string> read_all(std::string_view text, byte_buffer& numbers) {
    const char* const end = text.data() + text.size();
    const char* at = text.data();
    for (;;) {
        while (at < end && is_space(*at)) ++at;
        if (at == end) return std::nullopt;
        T value{};
        if (end - at < short_integer_reach || !read_short(at, value)) {
            const std::string_view token = token_at({at, end});
            const verdict found = read_number(token, value);
            if (found != verdict::good) {
                return place_in(text, static_cast<std::size_t>(at - text.data())) + ": " +
                       explain<T>(found, token);
            }
            at += token.size();
        }
        std::memcpy(numbers.room(sizeof(T)), &value, sizeof(T));
        numbers.grow(sizeof(T));
    }
}

}  // namespace

// Numbers that have been read as those that bool and float16 are computed as. Returns what is
// wrong, if anything.
static std::optional<std::string> make(const element& type, byte_buffer& numbers) {
    const std::size_t items = numbers.size() / size_of(type.computed);
    for (std::size_t i = 0; i < items; ++i) {
        if (type.is_boolean()) {
            const auto is = static_cast<unsigned>(numbers.data()[i]);
            if (is > 1) return fmt::format(" {} is out of range for bool; expected 0 or 1", is);
        } else {
            auto* const at = reinterpret_cast<float*>(numbers.data()) + i;
            const float nearest = to_float(to_half(*at));
            if (std::isinf(nearest) && !std::isinf(*at)) {
                return fmt::format(" {} is out of range for float16; expected -65504 to 65504",
                                   *at);
            }
            *at = nearest;
        }
    }
    return std::nullopt;
}

text_numbers parse_text(std::string_view text, const std::optional<element>& type,
                        std::string_view path, std::string_view also) {
    const auto candidates = type
                                ? std::vector{*type}
                                : std::vector<element>{dtype::int64, dtype::uint64, dtype::float64};
    std::optional<std::string> problem;
    for (const element& candidate : candidates) {
        text_numbers numbers{candidate, {}};
        problem = with_type(candidate.computed, [&]<class T>(std::type_identity<T>) {
            T ignored;
            const bool is_last = candidate == candidates.back();
            if (!is_last && !also.empty() && read_number(also, ignored) != verdict::good) {
                return std::optional<std::string>("");
            }
            return read_all<T>(text, numbers.bytes);
        });
        if (!problem && candidate.stored != encoding::plain) {
            problem = make(candidate, numbers.bytes);
        }
        if (problem) continue;
        numbers.bytes.fit();
        return numbers;
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

namespace {

constexpr std::size_t most_characters = 32;  // of a number, and of what is behind it

// In the fewest digits that make the same float16 again; whole numbers exactly.
char* put_half(char* at, float value) {
    value = to_float(to_half(value));
    if (value == std::trunc(value)) return std::to_chars(at, at + most_characters - 1, value).ptr;
    for (int digits = 1;; ++digits) {
        char* const end =
            std::to_chars(at, at + most_characters - 1, value, std::chars_format::general, digits)
                .ptr;
        float again = 0;
        std::from_chars(at, end, again);
        if (digits == 5 || to_half(again) == to_half(value)) return end;
    }
}

template <number T>
char* put_number(char* at, T value, char behind, bool is_half = false) {
    if (value != value) value = std::numeric_limits<T>::quiet_NaN();  // its sign means nothing
    char* end = nullptr;
    if constexpr (std::is_same_v<T, float>) {
        if (is_half) end = put_half(at, value);
    }
    if (end == nullptr) end = std::to_chars(at, at + most_characters - 1, value).ptr;
    *end = behind;
    return end + 1;
}

// Calls put(at, i), which returns the end of what it has put there, for i from 0 on.
template <class Put>
void append_each(std::size_t count, std::size_t most, byte_buffer& to, const Put& put) {
    char* const begin = reinterpret_cast<char*>(to.room(count * most));
    char* at = begin;
    for (std::size_t i = 0; i < count; ++i) at = put(at, i);
    to.grow(static_cast<std::size_t>(at - begin));
}

}  // namespace

template <number T>
void append_text(std::span<const std::int64_t> counts, std::span<const T> numbers, bool is_half,
                 byte_buffer& to) {
    append_each(numbers.size(), 2 * most_characters, to, [&](char* at, std::size_t i) {
        if (!counts.empty()) at = put_number(at, counts[i], ' ');
        return put_number(at, numbers[i], '\n', is_half);
    });
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
template void append_text(std::span<const std::int64_t>, std::span<const std::int8_t>, bool,
                          byte_buffer&);
template void append_text(std::span<const std::int64_t>, std::span<const std::int16_t>, bool,
                          byte_buffer&);
template void append_text(std::span<const std::int64_t>, std::span<const std::int32_t>, bool,
                          byte_buffer&);
template void append_text(std::span<const std::int64_t>, std::span<const std::int64_t>, bool,
                          byte_buffer&);
template void append_text(std::span<const std::int64_t>, std::span<const std::uint8_t>, bool,
                          byte_buffer&);
template void append_text(std::span<const std::int64_t>, std::span<const std::uint16_t>, bool,
                          byte_buffer&);
template void append_text(std::span<const std::int64_t>, std::span<const std::uint32_t>, bool,
                          byte_buffer&);
template void append_text(std::span<const std::int64_t>, std::span<const std::uint64_t>, bool,
                          byte_buffer&);
template void append_text(std::span<const std::int64_t>, std::span<const float>, bool,
                          byte_buffer&);
template void append_text(std::span<const std::int64_t>, std::span<const double>, bool,
                          byte_buffer&);

}  // namespace lookback::cli
