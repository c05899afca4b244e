#include "byte_source.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <string_view>

#include "error.hpp"
#include "mapped_file.hpp"

namespace lookback::cli {

// Not blocking while it is opened: a named pipe without a writer is to be refused, not waited for.
byte_source::byte_source(const std::string& path, bool may_be_packed)
    : name_(path == "-" ? "standard input" : path),
      file_(path == "-" ? -1 : open(file_of(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)),
      number_(path == "-" ? STDIN_FILENO : file_.number()),
      may_be_packed_(may_be_packed) {
    if (path == "-") return;
    struct stat status {};
    if (!file_.is_open() || fstat(number_, &status) != 0) fail_with_errno(path, "read");
    if (S_ISDIR(status.st_mode)) fail("{}: is a directory; expected a file", path);
    if (!S_ISREG(status.st_mode)) {
        fail("{}: not a regular file; expected one, or - for text on standard input", path);
    }
    if (const auto as = packing_of(path)) unpacker_ = make_unpacker(*as, name_);
    if (const auto array = npz_of(path)) {
        open_member(find_in_npz(mapped_file(array->file).bytes(), *array));
    }
    may_be_packed_ &= !unpacker_;
}

void byte_source::open_member(const npz_member& member) {
    if (lseek(number_, static_cast<off_t>(member.data_offset), SEEK_SET) < 0) {
        fail_with_errno(name_, "read");
    }
    left_ = member.packed_bytes;
    unpacker_ = make_unpacker(member, name_);
}

// Text that pauses after its first byte is not waited for: packed files begin in no such way.
void byte_source::look_at_beginning() {
    may_be_packed_ = false;
    constexpr std::string_view firsts = "\x1f\x28";
    const auto there = [&] {
        return std::string_view(reinterpret_cast<const char*>(packed_.data()), packed_.size());
    };
    do {
        if (!read_packed(4 - packed_.size())) return;
        if (firsts.find(there().front()) == firsts.npos) return;
    } while (packed_.size() < 4);
    if (const auto as = packing_of_bytes(there())) unpacker_ = make_unpacker(*as, name_);
}

// Reads bytes of the file behind those that are there. False at its end.
bool byte_source::read_packed(std::size_t most) {
    most = static_cast<std::size_t>(std::min<std::uint64_t>(most, left_));
    for (;;) {
        const ssize_t got = ::read(number_, packed_.room(most), most);
        if (got >= 0) {
            packed_.grow(static_cast<std::size_t>(got));
            left_ -= static_cast<std::uint64_t>(got);
            is_read_ = got == 0;
            return !is_read_;
        }
        if (errno != EINTR) fail_with_errno(name_, "read");
    }
}

std::size_t byte_source::read_some(std::size_t most, byte_buffer& to) {
    constexpr std::size_t block = std::size_t{1} << 18;
    if (may_be_packed_) look_at_beginning();
    std::byte* const room = to.room(most);
    for (;;) {
        std::span<const std::byte> left(packed_.data() + packed_begin_,
                                        packed_.size() - packed_begin_);
        const std::size_t before = left.size();
        std::size_t made = 0;
        if (unpacker_) {
            made = unpacker_->unpack(left, {room, most});
        } else if (!left.empty()) {
            made = std::min(most, left.size());
            std::copy_n(left.begin(), made, room);
            left = left.subspan(made);
        }
        packed_begin_ += before - left.size();
        to.grow(made);
        if (made > 0) return made;
        if (!unpacker_) break;
        packed_.clear();
        packed_begin_ = 0;
        if (read_packed(block)) continue;
        if (!unpacker_->is_complete()) fail("{}: truncated: what is packed has no end", name_);
        is_at_end_ = true;
        return 0;
    }
    while (!is_read_) {
        const ssize_t got = ::read(number_, room, most);
        if (got < 0 && errno != EINTR) fail_with_errno(name_, "read");
        if (got < 0) continue;
        to.grow(static_cast<std::size_t>(got));
        is_read_ = got == 0;
        if (got > 0) return static_cast<std::size_t>(got);
    }
    is_at_end_ = true;
    return 0;
}

// A file, and the end of a pipe, never wait.
bool byte_source::is_waiting() const {
    if (is_read_ || packed_begin_ < packed_.size()) return false;
    pollfd asked{number_, POLLIN, 0};
    return poll(&asked, 1, 0) == 0;
}

void byte_source::read(std::size_t most, byte_buffer& to) {
    to.room(most);
    for (std::size_t got = 0; got < most && !is_at_end_;) {
        got += read_some(most - got, to);
        if (got > 0 && got < most && is_waiting()) return;
    }
}

void byte_source::read_all(byte_buffer& to) {
    constexpr std::size_t block = std::size_t{1} << 20;
    while (!is_at_end_) read_some(block, to);
}

}  // namespace lookback::cli
