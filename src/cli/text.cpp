#include "text.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <vector>

#include "background.hpp"
#include "error.hpp"
#include "half.hpp"
#include "number_text.hpp"
#include "table/convert.hpp"
#include "text_reader.hpp"

namespace lookback::cli {

namespace {

// Makes floats of the numbers so far: of the integers as which they were read, except for -0.
void make_floats(text_numbers& numbers, std::size_t bytes,
                 const std::vector<std::size_t>& minus_zeros) {
    static_assert(sizeof(double) == sizeof(std::int64_t));
    std::byte* const data = numbers.bytes.data();
    if (bytes > 0)
        convert(numbers.type.computed, data, bytes / sizeof(double), dtype::float64, data);
    for (const std::size_t i : minus_zeros) reinterpret_cast<double*>(data)[i] = -0.0;
}

}  // namespace

template <number T>
T parse_number(std::string_view text, std::string_view where) {
    T value{};
    const verdict found = read_number(text, value);
    if (found != verdict::good) fail("{}: {}", where, explain<T>(found, text));
    return value;
}

text_numbers parse_text(const text_source& more, const text_kind& of, int threads) {
    constexpr std::size_t block = std::size_t{4} << 20;
    constexpr std::size_t few = std::size_t{1} << 16;  // to start a thread takes longer
    text_reader reader(of, threads);
    text_numbers numbers{reader.type(), {}};
    std::vector<std::size_t> minus_zeros;  // as they are counted by the reader
    byte_buffer text, next;
    const auto read_next = [&] {
        while (next.size() < block && more(next)) {
        }
    };
    background reading;  // uses those above
    for (bool is_end = false; !is_end || !text.empty();) {
        const bool is_much = text.size() > few;
        if (!is_end && is_much) reading.start(read_next);
        const std::size_t before = numbers.bytes.size();
        const std::string_view there(reinterpret_cast<const char*>(text.data()), text.size());
        text.drop(reader.read(there, is_end, true, numbers.bytes));
        if (numbers.bytes.size() > before && reader.type() != numbers.type) {
            if (reader.type() == dtype::float64) make_floats(numbers, before, minus_zeros);
            numbers.type = reader.type();
        }
        const auto& more_zeros = reader.minus_zeros();
        if (!of.type) minus_zeros.insert(minus_zeros.end(), more_zeros.begin(), more_zeros.end());
        if (is_end) continue;
        is_much ? reading.wait() : read_next();
        is_end = next.empty();
        text.append(next);
        next.clear();
    }
    numbers.type = reader.type();
    numbers.bytes.fit();
    return numbers;
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
