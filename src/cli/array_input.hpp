/// \file
/// The array that a command reads: a .npy file, a member of a .npz file, a file of raw numbers,
/// text in a file or on standard input, a stream of these, or numbers that are in memory already.
///
/// A member that is stored in a .npz file as it is gets read in place, like a .npy file. It has a
/// checksum, which .npy files do not have. The checksum is computed from the parts as they are
/// read, and at the end from the parts that were not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aligned_bytes.hpp"
#include "byte_buffer.hpp"
#include "checksum.hpp"
#include "csv_source.hpp"
#include "element.hpp"
#include "mapped_file.hpp"
#include "npz.hpp"
#include "number_stream.hpp"
#include "table/convert.hpp"
#include "text.hpp"

namespace lookback::cli {

/// How an array is read.
struct reading {
    file_kind standard_input = file_kind::text;
    std::string_view also = {};  ///< if text has no given type, it can hold this number, too
    int threads = 1;
    /// If not 0, an input that comes as a stream (standard input, text, packed data) is read as it
    /// arrives, in windows of about this many bytes. If 0, it is held in memory.
    std::size_t streamed_bytes = 0;
    /// A column of a table of text.
    std::shared_ptr<csv_source> table = nullptr;
    std::size_t column = 0;
};

class array_input {
 public:
    /// The name says what `path` is: *.npy, *.npz, text (text.hpp), or "-" for standard input. A
    /// file of any other name holds raw numbers of the given type. Throws `error`.
    array_input(const std::string& path, const std::optional<element>& type,
                const reading& how = {});
    /// Numbers in memory; their number is the product of the shape.
    array_input(byte_buffer numbers, dtype type, std::vector<std::size_t> shape);

    /// The type of the numbers in the file, and the type that they have once they are loaded.
    const element& stored() const { return stream_ ? stream_->type() : stored_; }
    dtype type() const { return stored().computed; }
    const std::vector<std::size_t>& shape() const { return shape_; }
    /// Of a stream, the items that have come so far.
    std::size_t items() const { return stream_ ? stream_->first() + stream_->items() : items_; }
    std::size_t bytes() const { return items() * item_bytes(); }
    std::size_t item_bytes() const { return is_decoded_ ? size_of(type()) : stored_.size(); }

    /// A stream holds only the numbers of its window, and `next` goes from window to window. The
    /// type of the numbers may change with the window. The number of items to come is known only if
    /// a header says it.
    const number_stream* stream() const { return stream_.get(); }
    bool next(std::size_t exactly) const { return stream_->next(exactly); }
    std::optional<std::size_t> told_items() const {
        if (stream_ && !stream_->header()) return std::nullopt;
        return items_;
    }

    /// True where the items can be used in place as `type`: no conversion, and aligned.
    bool lies_as(dtype type) const {
        // A header may have any length, so the numbers may lie anywhere.
        return is_plain_ && this->type() == type &&
               reinterpret_cast<std::uintptr_t>(data()) % size_of(type) == 0;
    }

    /// Items [first, first + count), in C order, as this type: in place, or converted into `room`.
    const void* load(std::size_t first, std::size_t count, dtype type, void* room) const {
        if (lies_as(type)) return at(first);
        if (is_plain_) {
            convert(this->type(), at(first), count, type, room);
        } else {
            decode_to(first, count, type, static_cast<std::byte*>(room));
        }
        return room;
    }

    /// Items that will be loaded next. They are read in the background.
    void expect(std::size_t first, std::size_t count) const;
    /// Reads items that will be loaded before the next call of `fetch`.
    void fetch(std::size_t first, std::size_t count) const;
    /// After the last use: throws `error` if the file has become shorter since it was opened, or if
    /// its checksum does not match.
    void check_complete() const;

 private:
    const std::byte* data() const { return stream_ ? stream_->data() : data_; }
    // Where an item lies: in the window of a stream, among the fetched items, or in the mapped
    // file.
    const std::byte* at(std::size_t first) const {
        if (stream_) return stream_->data() + (first - stream_->first()) * item_bytes();
        if (first - fetched_from_ < fetched_) {
            return fetched_bytes_.data() + (first - fetched_from_) * item_bytes();
        }
        return data_ + first * item_bytes();
    }
    void open_column(const std::optional<element>& type, const reading& how);
    void open_stream(const std::string& path, file_kind kind, const std::optional<element>& type,
                     const reading& how);
    void take_text(text_numbers numbers);
    void take_header(npy_header header);
    void decode_to(std::size_t first, std::size_t count, dtype type, std::byte* room) const;
    void gather(std::size_t first, std::size_t count, std::byte* room) const;

    bool open_npz(const npz_name& array);

    std::optional<mapped_file> file_;
    std::unique_ptr<number_stream> stream_;
    byte_buffer held_;  // numbers that do not lie in a file
    mutable aligned_bytes fetched_bytes_;
    mutable std::size_t fetched_from_ = 0, fetched_ = 0;  // items
    const std::byte* data_ = nullptr;
    std::size_t offset_in_file_ = 0;
    std::optional<npz_member> member_;  // an array that is stored in the file
    mutable pieces_checksum checksum_;  // of the parts of it that were read
    std::string name_;                  // for messages
    element stored_ = dtype::int64;
    bool is_fortran_ = false;  // and of several dimensions
    bool is_decoded_ = false;  // the numbers have the computed type already, as those of text do
    bool is_plain_ = true;     // the numbers need neither decoding nor another order
    std::vector<std::size_t> shape_;
    std::size_t items_ = 0;
};

}  // namespace lookback::cli
