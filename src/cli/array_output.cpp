#include "array_output.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "array_input.hpp"
#include "error.hpp"
#include "npy.hpp"
#include "packing.hpp"
#include "text.hpp"

namespace lookback::cli {
namespace {

std::string member_name(const npz_name& array, std::size_t before) {
    return name_in_npz(array, before) + ".npy";
}

// Each byte that begins a UTF-8 character says how many bytes follow it.
bool is_utf8(std::string_view text) {
    std::size_t following = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (following > 0) {
            if (byte >> 6 != 2) return false;
            --following;
        } else if (byte >> 7 != 0) {
            following = byte >> 5 == 6 ? 1 : byte >> 4 == 14 ? 2 : byte >> 3 == 30 ? 3 : 0;
            if (following == 0) return false;
        }
    }
    return following == 0;
}

// Where the data of a stored member begin in the archive.
std::uint64_t begin_of(const zip_member& member) {
    return member.header_offset + zip_header_bytes + member.name.size();
}
std::uint64_t end_of(const zip_member& member) { return begin_of(member) + member.bytes; }

}  // namespace

array_output::array_output(const output_target& target, const element& type, int threads)
    : array_(npz_of(target.path)),
      file_(file_of(target.path)),
      kind_(target.kind),
      stored_(type),
      printers_(threads) {
    if (array_) {
        constexpr std::size_t longest_name = 65535;
        const std::size_t length = member_name(*array_, 0).size();
        if (length > longest_name) {
            fail("{}: the name of an array of {} bytes; expected at most {}", array_->file, length,
                 longest_name);
        }
        if (!is_utf8(array_->array)) {
            fail("{}: the name of an array is not UTF-8; expected one that is", array_->file);
        }
        place_ = place_of(array_->file);
        if (file_.is_sequential()) {
            fail("{}: .npz files are not written in order; expected a regular file", array_->file);
        }
    }
    if (const auto as = packing_of(target.path)) packer_ = make_packer(*as);
    stored_.is_big_endian = false;  // the machine's order is written, whatever order was read
}

void array_output::begin(std::span<const std::size_t> shape) {
    if (kind_ != file_kind::npy) return;
    const std::string header = format_npy_header(stored_, shape);
    put(std::as_bytes(std::span(header)), 0);
    data_offset_ = header.size();
}

void array_output::begin_to_grow() {
    is_growing_ = true;
    if (kind_ == file_kind::npy) data_offset_ = format_npy_header(stored_, {&appended_, 1}).size();
}

void array_output::become(element type) {
    type.is_big_endian = false;  // as in the constructor
    if (type == stored_) return;
    writer_.wait();
    stored_ = type;
}

std::byte* array_output::room_of_bytes(std::size_t bytes) {
    return buffers_[std::exchange(next_, 1 - next_)].room(bytes);
}

// Few items are written at once: it would take longer to start a thread.
template <class Job>
void array_output::in_background(std::size_t items, const Job& job) {
    constexpr std::size_t few = 4096;
    if (items > few) return writer_.start(job);
    writer_.wait();
    job();
}

void array_output::write(const void* data, std::size_t items, std::size_t position) {
    in_background(items, [this, data, items, position] {
        if (kind_ == file_kind::text) {
            put_numbers_as_text(data, items);
        } else if (stored_.stored != encoding::half) {
            put_numbers(static_cast<const std::byte*>(data), items, position);
        } else {
            constexpr std::size_t part = std::size_t{1} << 16;
            encoded_.clear();
            std::byte* const to = encoded_.room(part * stored_.size());
            for (std::size_t i = 0; i < items; i += part) {
                const std::size_t count = std::min(part, items - i);
                encode(stored_, static_cast<const float*>(data) + i, count, to);
                put_numbers(to, count, position + i);
            }
        }
    });
}

// Writes numbers in the form that the file has.
void array_output::put_numbers(const std::byte* data, std::size_t items, std::size_t position) {
    const std::span bytes(data, items * stored_.size());
    if (is_held()) {
        held_.insert(held_.end(), bytes.begin(), bytes.end());
    } else {
        put(bytes, data_offset_ + position * stored_.size());
    }
}

void array_output::append(const void* data, std::size_t items) {
    const std::size_t position = appended_;
    appended_ += items;
    write(data, items, position);
}

void array_output::append(std::vector<text_column> columns, char separator, std::size_t items) {
    appended_ += items;
    in_background(items, [this, columns = std::move(columns), separator, items] {
        put_text(items, [&](std::size_t first, std::size_t some, byte_buffer& to) {
            append_lines(columns, separator, first, some, to);
        });
    });
}

void array_output::put_numbers_as_text(const void* data, std::size_t items) {
    with_type(type(), [&]<class T>(std::type_identity<T>) {
        put_text(items, [&](std::size_t first, std::size_t some, byte_buffer& to) {
            append_text(std::span(static_cast<const T*>(data) + first, some),
                        stored_.stored == encoding::half, to);
        });
    });
}

// Makes text a part at a time, on all threads.
template <class Append>
void array_output::put_text(std::size_t items, const Append& append) {
    constexpr std::size_t part = 1 << 14;
    texts_.resize(printers_.size());
    for (std::size_t done = 0; done < items;) {
        const std::size_t begin = done;
        const std::size_t left = (items - begin + part - 1) / part;
        const std::size_t parts = std::min(left, texts_.size());
        printers_.run(parts, [&](std::size_t k) {
            const std::size_t first = begin + k * part;
            texts_[k].clear();
            append(first, std::min(part, items - first), texts_[k]);
        });
        for (std::size_t k = 0; k < parts; ++k) put({texts_[k].data(), texts_[k].size()}, 0);
        done = std::min(items, begin + parts * part);
    }
}

void array_output::put(std::span<const std::byte> data, std::uint64_t offset) {
    if (packer_) {
        packer_->pack(data, false, packed_);
        write_packed();
    } else if (is_sequential()) {
        file_.append(data);
    } else {
        if (array_) checksum_.add(offset, data);
        file_.write_at(begin_of_member() + offset, data);
    }
    bytes_written_ += data.size();
}

std::uint64_t array_output::begin_of_member() const {
    return array_ ? begin_of({.name = member_name(*array_, 0)}) : 0;
}

void array_output::write_packed() {
    file_.append({packed_.data(), packed_.size()});
    packed_.clear();
}

void array_output::complete() {
    writer_.wait();
    if (is_growing_ && kind_ == file_kind::npy) {
        const std::string header = format_npy_header(stored_, {&appended_, 1});
        put(std::as_bytes(std::span(header)), 0);
        if (is_held()) put(held_, data_offset_);
    }
    if (array_) complete_member();
    if (!packer_) return;
    packer_->pack({}, true, packed_);
    write_packed();
}

void array_output::complete_member() {
    const auto missing = [](std::uint64_t, std::uint64_t) -> std::span<const std::byte> {
        throw std::logic_error("lookback: a part of an array was not written");
    };
    members_.push_back({.name = member_name(*array_, 0),
                        .crc = checksum_.of(bytes_written_, missing),
                        .packed_bytes = bytes_written_,
                        .bytes = bytes_written_});
}

// Adds the member of another output that goes to the same file.
void array_output::take_over(array_output& other) {
    zip_member member = std::move(other.members_.front());
    member.name = member_name(*other.array_, members_.size());
    member.header_offset = end_of(members_.back());
    file_.copy(other.file_, other.begin_of_member(), member.bytes, begin_of(member));
    other.file_.give_up();
    members_.push_back(std::move(member));
}

void array_output::finish_npz() {
    for (const zip_member& member : members_) {
        const std::string header = format_zip_header(member);
        file_.write_at(member.header_offset, std::as_bytes(std::span(header)));
    }
    const std::uint64_t end = end_of(members_.back());
    const std::string directory = format_zip_directory(members_, end);
    file_.write_at(end, std::as_bytes(std::span(directory)));
}

void array_output::finish(std::initializer_list<const array_input*> inputs,
                          const std::vector<array_output*>& outputs,
                          const std::function<void(std::uint64_t written)>& tell) {
    std::vector<array_output*> archives;
    std::vector<output_file*> files;
    std::uint64_t bytes = 0;
    for (array_output* out : outputs) {
        out->complete();
        bytes += out->bytes_written_;
        const auto same = std::find_if(archives.begin(), archives.end(), [&](const auto* other) {
            return out->array_ && other->place_ == out->place_;
        });
        if (same != archives.end()) {
            (*same)->take_over(*out);
            continue;
        }
        if (out->array_) archives.push_back(out);
        files.push_back(&out->file_);
    }
    for (array_output* archive : archives) archive->finish_npz();
    for (const array_input* in : inputs) in->check_complete();
    output_file::commit(files, [&] { tell(bytes); });
}

}  // namespace lookback::cli
