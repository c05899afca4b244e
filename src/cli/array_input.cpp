#include "array_input.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "error.hpp"
#include "npy.hpp"
#include "text.hpp"

namespace lookback::cli {

static std::string_view characters(const byte_buffer& text) {
    return {reinterpret_cast<const char*>(text.data()), text.size()};
}

static byte_buffer read_standard_input() {
    constexpr std::size_t block = std::size_t{1} << 20;
    byte_buffer text;
    for (;;) {
        const ssize_t got = read(STDIN_FILENO, text.room(block), block);
        if (got == 0) return text;
        if (got > 0) text.grow(static_cast<std::size_t>(got));
        if (got < 0 && errno != EINTR) fail_with_errno("standard input", "read");
    }
}

array_input::array_input(const std::string& path, const std::optional<element>& type) {
    if (is_text_name(path)) {
        text_numbers numbers =
            path == "-" ? parse_text(characters(read_standard_input()), type, "standard input")
                        : parse_text(mapped_file(path).bytes(), type, path);
        stored_ = numbers.type;
        held_ = std::move(numbers.bytes);
        data_ = held_.data();
        items_ = held_.size() / size_of(this->type());
        shape_ = {items_};
        return;
    }
    const bool is_npy = path.ends_with(".npy");
    if (is_npy && type) {
        fail("--dtype {}: is for raw numbers and text; {} names its own type", name(*type), path);
    }
    file_.emplace(path);
    if (is_npy) {
        npy_header header = parse_npy(file_->bytes(), path);
        stored_ = header.type;
        is_fortran_ = header.is_fortran && header.shape.size() > 1;
        shape_ = std::move(header.shape);
        items_ = header.items;
        offset_in_file_ = header.data_offset;
    } else {
        if (!type) {
            fail("{}: raw numbers of unknown type; expected --dtype T, or a name ending in .npy",
                 path);
        }
        stored_ = *type;
        const std::size_t bytes = file_->bytes().size();
        if (bytes % item_bytes() != 0) {
            fail("{}: {} bytes; expected a multiple of {}, the size of {}", path, bytes,
                 item_bytes(), name(stored_));
        }
        items_ = bytes / item_bytes();
        shape_ = {items_};
    }
    is_plain_ = !is_fortran_ && !stored_.is_big_endian && stored_.stored != encoding::half;
    data_ = reinterpret_cast<const std::byte*>(file_->bytes().data()) + offset_in_file_;
}

array_input::array_input(byte_buffer numbers, dtype type, std::vector<std::size_t> shape)
    : held_(std::move(numbers)),
      data_(held_.data()),
      stored_(type),
      shape_(std::move(shape)),
      items_(held_.size() / size_of(type)) {}

// A little at a time: as bytes of the file, as numbers of its type, as numbers of the other.
void array_input::decode_to(std::size_t first, std::size_t count, dtype type,
                            std::byte* room) const {
    constexpr std::size_t part = 1024;
    alignas(8) std::byte gathered[part * 8];
    alignas(8) std::byte decoded[part * 8];
    for (std::size_t i = 0; i < count; i += part) {
        const std::size_t items = std::min(part, count - i);
        const std::byte* from = data_ + (first + i) * item_bytes();
        if (is_fortran_) {
            gather(first + i, items, gathered);
            from = gathered;
        }
        decode(stored_, from, items, decoded);
        convert(this->type(), decoded, items, type, room + i * size_of(type));
    }
}

// Items that lie in the order of Fortran, in that of C.
void array_input::gather(std::size_t first, std::size_t count, std::byte* room) const {
    const std::size_t size = item_bytes(), rank = shape_.size();
    std::size_t index[64];  // as many dimensions as a file may have
    for (std::size_t k = rank; k-- > 0; first /= shape_[k]) index[k] = first % shape_[k];
    std::size_t at = 0;
    for (std::size_t k = rank; k-- > 0;) at = at * shape_[k] + index[k];
    const std::size_t stride = items_ / shape_.back();  // between neighbours
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(room + i * size, data_ + at * size, size);
        at += stride;
        if (++index[rank - 1] < shape_.back()) continue;
        std::size_t k = rank - 1;  // the first whose index goes on
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
    if (file_ && !is_fortran_) {
        file_->fetch(offset_in_file_ + first * item_bytes(), count * item_bytes());
    }
}

void array_input::release(std::size_t first, std::size_t count) const {
    if (file_ && !is_fortran_) {
        file_->release(offset_in_file_ + first * item_bytes(), count * item_bytes());
    }
}

void array_input::check_complete() const {
    if (file_) file_->check_complete();
}

}  // namespace lookback::cli
