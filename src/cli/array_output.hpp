/// \file
/// The array that a command writes: a .npy file, a member of a .npz file, a file of raw numbers, or
/// text.
///
/// Its length may be known at the end only, while a .npy file begins with it: so room is left for
/// the header, which has the same size whatever the length is. Where nothing can be written before
/// the header, in a pipe, the numbers of a .npy file are held in memory.
///
/// A .npz file has all arrays that one command writes to it, and no others, stored as they are.
/// Those behind the first one are copied there at the end, when their size is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aligned_bytes.hpp"
#include "background.hpp"
#include "byte_buffer.hpp"
#include "checksum.hpp"
#include "crew.hpp"
#include "element.hpp"
#include "npz.hpp"
#include "output_file.hpp"
#include "packing.hpp"
#include "text.hpp"

namespace lookback::cli {

class array_input;

struct output_target {
    std::string path;
    file_kind kind;
};

/// Results are computed into the buffer that `room` gives, and written in the background while the
/// next ones are computed into the other one.
class array_output {
 public:
    /// Text is made by at most so many threads, 0: all cores.
    array_output(const output_target& target, const element& type, int threads = 1);

    /// Of the numbers that are written. In the file they may be of another (element.hpp).
    dtype type() const { return stored_.computed; }

    /// Before the first `write`.
    void begin(std::span<const std::size_t> shape);
    /// Before the first `append`.
    void begin_to_grow();

    /// True where results must come in the order of the array.
    bool is_sequential() const {
        return kind_ == file_kind::text || packer_ || file_.is_sequential();
    }

    /// What is written from here on, as text, is of another type.
    void become(element type);

    /// A free buffer of so many items, aligned to cache lines. The one before it, which must have
    /// been given to `write` or `append`, may be in use still.
    std::byte* room(std::size_t items) { return room_of_bytes(items * size_of(type())); }
    std::byte* room_of_bytes(std::size_t bytes);

    /// Writes results as items [position, position + items) of the array. They lie in the last
    /// buffer, or in other memory that stays as it is until the next call of `write` returns, or of
    /// `finish`.
    void write(const void* data, std::size_t items, std::size_t position);

    /// Writes more results, perhaps none, behind those that were appended: the array has one
    /// dimension. They lie in the last buffer.
    void append(const void* data, std::size_t items);
    /// For text: the same, in lines of a number of each column. All lie in the last buffer.
    void append(std::vector<text_column> columns, char separator, std::size_t items);
    /// True where results are text.
    bool is_text() const { return kind_ == file_kind::text; }
    /// How many results were appended.
    std::size_t appended() const { return appended_; }

    /// Everything is written, of inputs that are complete still; the files are there. Before they
    /// are, `tell` is called with how many bytes of numbers were written, before packing.
    static void finish(std::initializer_list<const array_input*> inputs,
                       const std::vector<array_output*>& outputs,
                       const std::function<void(std::uint64_t written)>& tell);

 private:
    template <class Job>
    void in_background(std::size_t items, const Job& job);
    bool is_held() const { return is_growing_ && kind_ == file_kind::npy && is_sequential(); }
    void put(std::span<const std::byte> data, std::uint64_t offset);
    void put_numbers(const std::byte* data, std::size_t items, std::size_t position);
    void put_numbers_as_text(const void* data, std::size_t items);
    template <class Append>
    void put_text(std::size_t items, const Append& append);
    void write_packed();
    void complete();
    std::uint64_t begin_of_member() const;
    void complete_member();
    void take_over(array_output& other);
    void finish_npz();

    std::optional<npz_name> array_;  // of a .npz file
    std::string place_;              // of that file
    output_file file_;
    file_kind kind_;
    element stored_;
    bool is_growing_ = false;
    std::size_t appended_ = 0;     // items
    std::vector<std::byte> held_;  // until the header is written
    std::uint64_t data_offset_ = 0;
    std::uint64_t bytes_written_ = 0;
    pieces_checksum checksum_;         // of a member of a .npz file
    std::vector<zip_member> members_;  // of the file, once they are complete
    byte_buffer encoded_;              // as float16
    std::unique_ptr<packer> packer_;
    byte_buffer packed_;
    crew printers_;
    std::vector<byte_buffer> texts_;  // of one printer each
    aligned_bytes buffers_[2];
    int next_ = 0;
    background writer_;  // last: it uses the others
};

}  // namespace lookback::cli
