/// \file
/// Numbers as text: separated by white space on the way in, one a line on the way out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "byte_buffer.hpp"
#include "element.hpp"
#include "npz.hpp"
#include "packing.hpp"

namespace lookback::cli {

/// What a file of this name holds, packed or not; nothing where the name does not tell.
inline std::optional<file_kind> kind_of_name(std::string_view path) {
    if (npz_of(path)) return file_kind::npy;
    const std::string_view name = unpacked_name(path);
    for (const std::string_view end : {".txt", ".csv", ".tsv"}) {
        if (name.ends_with(end)) return file_kind::text;
    }
    if (name.ends_with(".npy")) return file_kind::npy;
    return name.ends_with(".bin") ? std::optional(file_kind::raw) : std::nullopt;
}

struct text_numbers {
    element type;
    byte_buffer bytes;  ///< the numbers, as in memory
};

/// Text of numbers: their type, if it is asked for; for messages, where it is from, and of which
/// column of a table, if of one. A type that is not asked for holds the number `also`, too, if that
/// is one.
struct text_kind {
    std::optional<element> type;
    std::string_view path;
    std::string_view column = {};
    std::string_view also = {};
};

/// Appends more of a text; false behind its end.
using text_source = std::function<bool(byte_buffer&)>;

/// All numbers in a text: as the type, or as the first of int64, uint64 and float64 that takes them
/// all. Throws `error` with line and column. On so many threads, and one more, which calls `more`
/// while numbers of the block before are read: of the text only two blocks are in memory.
text_numbers parse_text(const text_source& more, const text_kind& of, int threads = 1);

/// White space, as it separates numbers and the words of a condition.
inline bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/// One number: decimal, with an optional sign; inf and nan for floats. Throws `error` as
/// "WHERE: '300' is ...".
template <number T>
T parse_number(std::string_view text, std::string_view where);

/// Appends numbers that read back the same, in the fewest digits, a line each; `is_half` if that is
/// as float16.
template <number T>
void append_text(std::span<const T> numbers, bool is_half, byte_buffer& to);

/// Numbers of a type that lie in memory.
struct text_column {
    element type;
    const void* numbers;
};

/// Appends lines of a number of each column, from `first` on, so many of them.
void append_lines(std::span<const text_column> columns, char separator, std::size_t first,
                  std::size_t count, byte_buffer& to);

}  // namespace lookback::cli
