#include "text.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "error.hpp"
#include "half.hpp"
#include "number_text.hpp"

namespace lookback::cli {

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
        if (digits == 5 || nearest_half({at, end}, again) == value) return end;
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
void append_text(std::span<const T> numbers, bool is_half, byte_buffer& to) {
    append_each(numbers.size(), most_characters, to,
                [&](char* at, std::size_t i) { return put_number(at, numbers[i], '\n', is_half); });
}

void append_lines(std::span<const text_column> columns, char separator, std::size_t first,
                  std::size_t count, byte_buffer& to) {
    std::vector<char* (*)(char*, const void*, std::size_t, char, bool)> put;
    for (const text_column& c : columns) {
        with_type(c.type.computed, [&]<class T>(std::type_identity<T>) {
            put.push_back(
                [](char* at, const void* numbers, std::size_t i, char behind, bool is_half) {
                    return put_number(at, static_cast<const T*>(numbers)[i], behind, is_half);
                });
        });
    }
    append_each(count, columns.size() * most_characters, to, [&](char* at, std::size_t i) {
        for (std::size_t k = 0; k < columns.size(); ++k) {
            at =
                put[k](at, columns[k].numbers, first + i, k + 1 < columns.size() ? separator : '\n',
                       columns[k].type.stored == encoding::half);
        }
        return at;
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
template void append_text(std::span<const std::int8_t>, bool, byte_buffer&);
template void append_text(std::span<const std::int16_t>, bool, byte_buffer&);
template void append_text(std::span<const std::int32_t>, bool, byte_buffer&);
template void append_text(std::span<const std::int64_t>, bool, byte_buffer&);
template void append_text(std::span<const std::uint8_t>, bool, byte_buffer&);
template void append_text(std::span<const std::uint16_t>, bool, byte_buffer&);
template void append_text(std::span<const std::uint32_t>, bool, byte_buffer&);
template void append_text(std::span<const std::uint64_t>, bool, byte_buffer&);
template void append_text(std::span<const float>, bool, byte_buffer&);
template void append_text(std::span<const double>, bool, byte_buffer&);

}  // namespace lookback::cli
