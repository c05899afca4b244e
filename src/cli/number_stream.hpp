/// \file
/// Numbers that are used as they arrive, in bounded memory: of text, raw, or of a .npy file in a
/// pipe. A window of them is what has come until the input pauses, or as much as is asked for.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "byte_buffer.hpp"
#include "byte_source.hpp"
#include "csv_source.hpp"
#include "element.hpp"
#include "npy.hpp"
#include "text_reader.hpp"

namespace lookback::cli {

class number_stream {
 public:
    /// Text has the type that `text_reader` gives it, or this one; raw numbers need one. Windows
    /// have about so many bytes. Waits for the first numbers, so that there is a type. Throws
    /// `error`.
    number_stream(const std::string& path, file_kind kind, const std::optional<element>& type,
                  std::string_view also, int threads, std::size_t window_bytes);

    /// The same of a column of a table, others of which may be read besides.
    number_stream(const std::shared_ptr<csv_source>& table, std::size_t column,
                  const std::optional<element>& type, std::string_view also, int threads,
                  std::size_t window_bytes);

    /// The header of a .npy file.
    const std::optional<npy_header>& header() const { return header_; }

    /// Goes to the next window; at first, to the first one. False behind the last one. A window has
    /// at least one number, or exactly so many, but where those of one type end. Throws `error`.
    bool next(std::size_t exactly = 0);

    /// The numbers of the window, how many there are, and how many have been before it.
    const std::byte* data() const { return numbers_.data() + begin_; }
    std::size_t items() const { return items_; }
    std::size_t first() const { return first_; }
    /// Those of text have been made numbers that are computed with already.
    const element& type() const { return reader_ ? reader_->type() : type_; }
    bool is_decoded() const { return reader_.has_value(); }
    std::size_t item_bytes() const { return reader_ ? size_of(type().computed) : type_.size(); }

    /// All numbers that are left, in place of windows.
    byte_buffer take_all();

 private:
    void start_text(const text_kind& of, int threads);
    void read_header();
    const std::string& name() const;
    bool is_at_end() const;
    bool has_ended() const;
    void read_more();
    void check_end() const;

    std::optional<byte_source> source_;  // or
    std::shared_ptr<csv_source> table_;
    std::size_t column_ = 0;  // of the table
    std::size_t block_;       // bytes that are read at a time
    element type_ = dtype::int64;
    std::optional<text_reader> reader_;  // of text
    std::optional<npy_header> header_;
    byte_buffer text_;  // that is not read as numbers yet, from text_begin_ on
    std::size_t text_begin_ = 0;
    byte_buffer numbers_;  // those of the window, and behind it, from begin_ on
    std::size_t begin_ = 0;
    std::size_t items_ = 0;
    std::size_t first_ = 0;
};

}  // namespace lookback::cli
