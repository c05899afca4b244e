/// \file
/// Numbers in text that comes block by block.
///
/// Where no type is asked for, numbers are int64 until one is not, which has to be uint64 then, if
/// none before it is negative, or else float64, as are all behind it.
///
/// A block is cut at white space into a part for each thread (text_parts.hpp). Each is read as the
/// type so far, up to the first word that is no such number.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "byte_buffer.hpp"
#include "crew.hpp"
#include "element.hpp"
#include "text.hpp"

namespace lookback::cli {

class text_reader {
 public:
    text_reader(const text_kind& of, int threads);

    /// The type of the numbers that the last call of `read` has appended.
    const element& type() const { return type_; }
    /// Which of the integers that the last call of `read` has appended were -0: they are 0, and
    /// would be another float. Counted from the beginning of `to`.
    const std::vector<std::size_t>& minus_zeros() const { return minus_zeros_; }

    /// Appends numbers of one type to `to`: those of the text, which begins behind the last one
    /// that was read. Returns how far it has come: to a number of another type, or to the end, but
    /// for a word there that may go on, unless `is_end`. The first number may have another type
    /// than those before it if `may_change`. Throws `error` with line and column.
    std::size_t read(std::string_view text, bool is_end, bool may_change, byte_buffer& to);
    /// True where the last call of `read` has stopped at a number of another type.
    bool is_at_other_type() const { return is_at_other_type_; }

 private:
    struct part {
        std::size_t done = 0;  // characters
        std::size_t lines = 0;
        byte_buffer numbers;
        bool has_negative = false;
        std::vector<std::size_t> minus_zeros;
    };

    void refuse_long_words(std::string_view text) const;
    std::size_t read_parts(std::string_view text, byte_buffer& to, std::size_t& lines);
    void change_type(std::string_view text, std::size_t at);
    std::string place_in(std::string_view text, std::size_t at) const;

    element type_ = dtype::int64;
    bool is_given_;
    bool has_negative_ = false;
    std::vector<std::size_t> minus_zeros_;
    bool is_at_other_type_ = false;
    std::string path_;
    std::string column_of_table_;
    std::size_t lines_ = 0;   // before what is read next
    std::size_t column_ = 0;  // of what is read next
    std::vector<part> parts_;
    crew threads_;
};

}  // namespace lookback::cli
