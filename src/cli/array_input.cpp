#include "array_input.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "error.hpp"
#include "npy.hpp"
#include "packing.hpp"
#include "text.hpp"

namespace lookback::cli {

static std::string_view characters(const byte_buffer& text) {
    return {reinterpret_cast<const char*>(text.data()), text.size()};
}

array_input::array_input(const std::string& path, const std::optional<element>& type,
                         const reading& how) {
    if (how.table) {
        open_column(type, how);
        return;
    }
    const bool is_standard = path == "-";
    const file_kind kind =
        is_standard ? how.standard_input : kind_of_name(path).value_or(file_kind::raw);
    const std::string name_of = is_standard ? "standard input" : path;
    if (kind == file_kind::npy && type) {
        fail("--dtype {}: is for raw numbers and text; {} names its own type", name(*type),
             name_of);
    }
    if (kind == file_kind::raw && !type) {
        fail("{}: raw numbers of unknown type; expected --dtype T, or a name ending in .npy",
             name_of);
    }
    const auto array = npz_of(path);
    const bool is_packed = array ? !open_npz(*array) : packing_of(path).has_value();
    if (how.streamed_bytes > 0 && (is_standard || is_packed || kind == file_kind::text)) {
        open_stream(path, kind, type, how);
        return;
    }
    if (is_standard || is_packed) {
        byte_source(path, kind != file_kind::raw).read_all(held_);
    } else if (!file_) {
        file_.emplace(path);
    }
    std::string_view bytes = file_ ? file_->bytes() : characters(held_);
    if (member_) bytes = bytes.substr(member_->data_offset, member_->bytes);
    if (kind == file_kind::text) {
        text_numbers numbers = parse_text(bytes, {type, name_of, {}, how.also}, how.threads);
        check_complete();
        file_.reset();
        take_text(std::move(numbers));
        return;
    }
    if (kind == file_kind::npy) {
        npy_header header = parse_npy(bytes, name_of);
        bytes.remove_prefix(header.data_offset);
        offset_in_file_ = header.data_offset + (member_ ? member_->data_offset : 0);
        take_header(std::move(header));
    } else {
        stored_ = *type;
        if (bytes.size() % item_bytes() != 0) {
            fail("{}: {} bytes; expected a multiple of {}, the size of {}", name_of, bytes.size(),
                 item_bytes(), name(stored_));
        }
        items_ = bytes.size() / item_bytes();
        shape_ = {items_};
    }
    is_plain_ = !is_fortran_ && stored_.is_plain();
    data_ = reinterpret_cast<const std::byte*>(bytes.data());
}

// Opens an array that is stored as it is. Returns false if the array is deflated.
bool array_input::open_npz(const npz_name& array) {
    mapped_file archive(array.file);
    npz_member member = find_in_npz(archive.bytes(), array);
    if (member.is_deflated) return false;
    file_.emplace(std::move(archive));
    member_.emplace(std::move(member));
    name_ = fmt::format("{}: {}", array.file, quoted(std::string_view(member_->name)));
    return true;
}

void array_input::take_text(text_numbers numbers) {
    stored_ = numbers.type;
    held_ = std::move(numbers.bytes);
    data_ = held_.data();
    is_decoded_ = true;
    items_ = held_.size() / item_bytes();
    shape_ = {items_};
}

void array_input::open_column(const std::optional<element>& type, const reading& how) {
    if (how.streamed_bytes > 0) {
        stream_ = std::make_unique<number_stream>(how.table, how.column, type, how.also,
                                                  how.threads, how.streamed_bytes);
        is_decoded_ = true;
        return;
    }
    byte_buffer words;
    how.table->read_all(how.column, words);
    take_text(parse_text(characters(words),
                         {type, how.table->name(), how.table->label(how.column), how.also},
                         how.threads));
}

void array_input::open_stream(const std::string& path, file_kind kind,
                              const std::optional<element>& type, const reading& how) {
    stream_ = std::make_unique<number_stream>(path, kind, type, how.also, how.threads,
                                              how.streamed_bytes);
    is_decoded_ = stream_->is_decoded();
    stored_ = stream_->type();
    is_plain_ = is_decoded_ || stored_.is_plain();
    if (!stream_->header()) return;
    take_header(*stream_->header());
    if (!is_fortran_) return;
    held_ = stream_->take_all();  // its items lie in Fortran order
    stream_.reset();
    data_ = held_.data();
    is_plain_ = false;
}

void array_input::take_header(npy_header header) {
    stored_ = header.type;
    is_fortran_ = header.is_fortran && header.shape.size() > 1;
    shape_ = std::move(header.shape);
    items_ = header.items;
}

array_input::array_input(byte_buffer numbers, dtype type, std::vector<std::size_t> shape)
    : held_(std::move(numbers)),
      data_(held_.data()),
      stored_(type),
      shape_(std::move(shape)),
      items_(held_.size() / size_of(type)) {}

// Converts a part at a time: bytes of the file, then numbers of the file's type, then numbers of
// `type`.
void array_input::decode_to(std::size_t first, std::size_t count, dtype type,
                            std::byte* room) const {
    constexpr std::size_t part = 1024;
    alignas(8) std::byte gathered[part * 8];
    alignas(8) std::byte decoded[part * 8];
    for (std::size_t i = 0; i < count; i += part) {
        const std::size_t items = std::min(part, count - i);
        const std::byte* from = at(first + i);
        if (is_fortran_) {
            gather(first + i, items, gathered);
            from = gathered;
        }
        decode(stored_, from, items, decoded);
        convert(this->type(), decoded, items, type, room + i * size_of(type));
    }
}

// Copies items that lie in Fortran order to `room`, in C order.
void array_input::gather(std::size_t first, std::size_t count, std::byte* room) const {
    const std::size_t size = item_bytes(), rank = shape_.size();
    std::size_t index[64];  // the most dimensions that a file may have
    for (std::size_t k = rank; k-- > 0; first /= shape_[k]) index[k] = first % shape_[k];
    std::size_t at = 0;
    for (std::size_t k = rank; k-- > 0;) at = at * shape_[k] + index[k];
    const std::size_t stride = items_ / shape_.back();  // between neighbours in C order
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(room + i * size, data_ + at * size, size);
        at += stride;
        if (++index[rank - 1] < shape_.back()) continue;
        std::size_t k = rank - 1;  // the first dimension whose index is in range
        while (k > 0 && index[k] == shape_[k]) index[k--] = 0, ++index[k];
        at = 0;
        for (k = rank; k-- > 0;) at = at * shape_[k] + index[k];
    }
}

void array_input::expect(std::size_t first, std::size_t count) const {
    if (file_ && !is_fortran_) {
        file_->expect(offset_in_file_ + first * item_bytes(), count * item_bytes());
    }
}

void array_input::fetch(std::size_t first, std::size_t count) const {
    if (!file_ || is_fortran_) return;
    const std::size_t bytes = count * item_bytes();
    fetched_ = 0;
    const std::size_t offset = offset_in_file_ + first * item_bytes();
    file_->read(offset, {fetched_bytes_.room(bytes), bytes});
    if (member_) checksum_.add(offset - member_->data_offset, {fetched_bytes_.data(), bytes});
    fetched_from_ = first;
    fetched_ = count;
}

void array_input::check_complete() const {
    if (file_) file_->check_complete();
    if (!member_) return;
    const auto all =
        std::as_bytes(std::span(file_->bytes())).subspan(member_->data_offset, member_->bytes);
    const auto found = checksum_.of(all.size(), [&](std::uint64_t begin, std::uint64_t end) {
        return all.subspan(begin, end - begin);
    });
    if (found != member_->crc) fail("{} is damaged: its checksum does not match", name_);
}

}  // namespace lookback::cli
