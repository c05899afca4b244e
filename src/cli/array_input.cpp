#include "array_input.hpp"

#include <unistd.h>

#include <cerrno>
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

array_input::array_input(const std::string& path, std::optional<dtype> type) {
    if (is_text_name(path)) {
        text_numbers numbers =
            path == "-" ? parse_text(characters(read_standard_input()), type, "standard input")
                        : parse_text(mapped_file(path).bytes(), type, path);
        type_ = numbers.type;
        held_ = std::move(numbers.bytes);
        data_ = held_.data();
        items_ = held_.size() / size_of(type_);
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
        type_ = header.type;
        shape_ = std::move(header.shape);
        items_ = header.items;
        offset_in_file_ = header.data_offset;
    } else {
        if (!type) {
            fail("{}: raw numbers of unknown type; expected --dtype T, or a name ending in .npy",
                 path);
        }
        type_ = *type;
        const std::size_t bytes = file_->bytes().size();
        if (bytes % size_of(type_) != 0) {
            fail("{}: {} bytes; expected a multiple of {}, the size of {}", path, bytes,
                 size_of(type_), name(type_));
        }
        items_ = bytes / size_of(type_);
        shape_ = {items_};
    }
    data_ = reinterpret_cast<const std::byte*>(file_->bytes().data()) + offset_in_file_;
}

array_input::array_input(byte_buffer numbers, dtype type, std::vector<std::size_t> shape)
    : held_(std::move(numbers)),
      data_(held_.data()),
      type_(type),
      shape_(std::move(shape)),
      items_(held_.size() / size_of(type)) {}

void array_input::expect(std::size_t first, std::size_t count) const {
    const std::size_t size = size_of(type_);
    if (file_) file_->expect(offset_in_file_ + first * size, count * size);
}

void array_input::fetch(std::size_t first, std::size_t count) const {
    const std::size_t size = size_of(type_);
    if (file_) file_->fetch(offset_in_file_ + first * size, count * size);
}

void array_input::release(std::size_t first, std::size_t count) const {
    const std::size_t size = size_of(type_);
    if (file_) file_->release(offset_in_file_ + first * size, count * size);
}

void array_input::check_complete() const {
    if (file_) file_->check_complete();
}

}  // namespace lookback::cli
