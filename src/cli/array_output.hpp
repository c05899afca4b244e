/// \file
/// The array that a command writes: a .npy file, a member of a .npz file, a file of raw numbers, or
/// text.
///
/// A .npy file begins with its length, which may be known only at the end. So room is left for the
/// header, which has the same size for every length. Where nothing can be written before the
/// header, as in a pipe, the numbers of a .npy file are held in memory.
///
/// A .npz file gets all arrays that one command writes to it, and no others, stored as they are.
/// All but the first are copied into it at the end, when their sizes are known.
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

/// Results are computed into the buffer that `room` gives. They are written in the background,
/// while the next results are computed into the other buffer.
class array_output {
 public:
    /// At most `threads` threads make text; 0: all cores.
    array_output(const output_target& target, const element& type, int threads = 1);

    /// The type of the numbers that are written. The file may hold them as another type
    /// (element.hpp).
    dtype type() const { return stored_.computed; }

    /// Call before the first `write`.
    void begin(std::span<const std::size_t> shape);
    /// Call before the first `append`.
    void begin_to_grow();

    /// True where results must come in the order of the array.
    bool is_sequential() const {
        return kind_ == file_kind::text || packer_ || file_.is_sequential();
    }

    /// Everything written from here on, as text, is of another type.
    void become(element type);

    /// A free buffer of `items` items, aligned to cache lines. The buffer before it must have been
    /// given to `write` or `append`, and may still be in use.
    std::byte* room(std::size_t items) { return room_of_bytes(items * size_of(type())); }
    std::byte* room_of_bytes(std::size_t bytes);

    /// Writes results as items [position, position + items) of the array. They lie in the last
    /// buffer, or in other memory that does not change until the next call of `write` or `finish`
    /// returns.
    void write(const void* data, std::size_t items, std::size_t position);

    /// Writes more results, perhaps none, behind the results appended so far. The array has one
    /// dimension. The results lie in the last buffer.
    void append(const void* data, std::size_t items);
    /// Appends text instead: lines with one number of each column. All columns lie in the last
    /// buffer.
    void append(std::vector<text_column> columns, char separator, std::size_t items);
    /// True where results are text.
    bool is_text() const { return kind_ == file_kind::text; }
    /// How many results were appended.
    std::size_t appended() const { return appended_; }

    /// Writes everything, checks that the inputs are still complete, and puts the files in their
    /// places. Before that last step it calls `tell` with the number of bytes of numbers that were
    /// written, before packing.
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

    std::optional<npz_name> array_;  // in a .npz file
    std::string place_;              // of the .npz file
    output_file file_;
    file_kind kind_;
    element stored_;
    bool is_growing_ = false;
    std::size_t appended_ = 0;     // items
    std::vector<std::byte> held_;  // until the header is written
    std::uint64_t data_offset_ = 0;
    std::uint64_t bytes_written_ = 0;
    pieces_checksum checksum_;         // of the member of a .npz file
    std::vector<zip_member> members_;  // of the .npz file, once they are complete
    byte_buffer encoded_;              // numbers as float16
    std::unique_ptr<packer> packer_;
    byte_buffer packed_;
    crew printers_;
    std::vector<byte_buffer> texts_;  // one for each printer
    aligned_bytes buffers_[2];
    int next_ = 0;
    background writer_;  // last: it uses the members above
};

}  // namespace lookback::cli
