#include "zip.hpp"

#include <algorithm>

#include "error.hpp"

namespace lookback::cli {
namespace {

constexpr std::uint64_t in_64_bits = 0xffffffff;  // means: see the ZIP64 field
constexpr std::uint16_t zip64_field = 1;
constexpr std::size_t end_bytes = 22, end_64_bytes = 56, locator_bytes = 20;

// Reads numbers, which are little-endian, and text from a file that may be damaged.
class bytes_of_file {
 public:
    bytes_of_file(std::string_view bytes, std::string_view path) : bytes_(bytes), path_(path) {}

    std::uint64_t size() const { return bytes_.size(); }
    std::string_view text(std::uint64_t at, std::uint64_t count) const {
        if (at > size() || count > size() - at) {
            fail("{}: damaged, or not a .npz file: it ends inside its records", path_);
        }
        return bytes_.substr(at, count);
    }
    std::uint64_t number(std::uint64_t at, std::size_t count) const {
        const std::string_view digits = text(at, count);
        std::uint64_t value = 0;
        for (std::size_t i = count; i-- > 0;) {
            value = value << 8 | static_cast<unsigned char>(digits[i]);
        }
        return value;
    }
    bool has(std::string_view signature, std::uint64_t at) const {
        return text(at, signature.size()) == signature;
    }

 private:
    std::string_view bytes_;
    std::string_view path_;
};

struct directory {
    std::uint64_t members;
    std::uint64_t offset;
};

// Finds the last record, which only a comment of up to 65,535 bytes may follow.
std::uint64_t find_end(const bytes_of_file& file, std::string_view path) {
    if (file.size() >= end_bytes) {
        const std::uint64_t last = file.size() - end_bytes;
        const std::uint64_t first = last - std::min<std::uint64_t>(last, 0xffff);
        for (std::uint64_t at = last + 1; at-- > first;) {
            if (file.has("PK\5\6", at) && file.number(at + 20, 2) == last - at) return at;
        }
    }
    fail("{}: not a .npz file, or truncated: it has no directory", path);
}

directory find_directory(const bytes_of_file& file, std::string_view path) {
    const std::uint64_t end = find_end(file, path);
    if (end >= locator_bytes && file.has("PK\6\7", end - locator_bytes)) {
        const std::uint64_t wide = file.number(end - locator_bytes + 8, 8);
        if (file.has("PK\6\6", wide)) return {file.number(wide + 32, 8), file.number(wide + 48, 8)};
    }
    return {file.number(end + 10, 2), file.number(end + 16, 4)};
}

// Takes the numbers of a member that do not fit in 32 bits from their ZIP64 field.
void read_zip64(const bytes_of_file& file, std::uint64_t at, std::uint64_t bytes,
                zip_member& member) {
    for (const std::uint64_t end = at + bytes; at + 4 <= end;) {
        const std::uint64_t id = file.number(at, 2), size = file.number(at + 2, 2);
        at += 4;
        if (id == zip64_field) {
            const std::uint64_t field_end = std::min(at + size, end);
            for (std::uint64_t* const number :
                 {&member.bytes, &member.packed_bytes, &member.header_offset}) {
                if (*number != in_64_bits || at + 8 > field_end) continue;
                *number = file.number(at, 8);
                at += 8;
            }
            return;
        }
        at += size;
    }
}

void put(std::string& to, std::uint64_t value, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to += static_cast<char>(value >> 8 * i & 0xff);
}

// What the header of a member and its entry in the directory share. It begins with the version
// needed to read the file: 4.5, because of ZIP64. The date is always 1980-01-01, as NumPy's is, so
// that the same arrays make the same file.
void put_description(std::string& to, const zip_member& member, std::size_t field_bytes) {
    constexpr std::uint16_t names_are_utf8 = 1 << 11, date = 1 << 5 | 1;
    put(to, 45, 2);
    put(to, names_are_utf8, 2);
    put(to, 0, 2);  // stored
    put(to, 0, 2);  // midnight
    put(to, date, 2);
    put(to, member.crc, 4);
    put(to, in_64_bits, 4);
    put(to, in_64_bits, 4);
    put(to, member.name.size(), 2);
    put(to, 4 + field_bytes, 2);
}

}  // namespace

std::vector<zip_member> read_zip_directory(std::string_view archive, std::string_view path) {
    const bytes_of_file file(archive, path);
    const directory all = find_directory(file, path);
    std::vector<zip_member> members;
    std::uint64_t at = all.offset;
    for (std::uint64_t i = 0; i < all.members; ++i) {
        if (!file.has("PK\1\2", at)) fail("{}: damaged: its directory is broken", path);
        zip_member member;
        const std::uint64_t flags = file.number(at + 8, 2), method = file.number(at + 10, 2);
        member.crc = static_cast<std::uint32_t>(file.number(at + 16, 4));
        member.packed_bytes = file.number(at + 20, 4);
        member.bytes = file.number(at + 24, 4);
        member.header_offset = file.number(at + 42, 4);
        const std::uint64_t name = file.number(at + 28, 2), fields = file.number(at + 30, 2);
        member.name = file.text(at + 46, name);
        read_zip64(file, at + 46 + name, fields, member);
        if ((flags & 1) != 0)
            fail("{}: {} is encrypted", path, quoted(std::string_view(member.name)));
        if (method != 0 && method != 8) {
            fail("{}: {} is packed by method {}; expected it stored or deflated", path,
                 quoted(std::string_view(member.name)), method);
        }
        member.is_deflated = method == 8;
        at += 46 + name + fields + file.number(at + 32, 2);
        members.push_back(std::move(member));
    }
    return members;
}

std::uint64_t zip_data_offset(std::string_view archive, const zip_member& member,
                              std::string_view path) {
    const bytes_of_file file(archive, path);
    const std::uint64_t at = member.header_offset;
    if (!file.has("PK\3\4", at))
        fail("{}: damaged: {} is not there", path, quoted(std::string_view(member.name)));
    const std::uint64_t data = at + 30 + file.number(at + 26, 2) + file.number(at + 28, 2);
    file.text(data, member.packed_bytes);
    if (!member.is_deflated && member.bytes != member.packed_bytes) {
        fail("{}: damaged: {} is stored, and has two sizes", path,
             quoted(std::string_view(member.name)));
    }
    return data;
}

std::string format_zip_header(const zip_member& member) {
    constexpr std::size_t field = 16;
    std::string header = "PK\3\4";
    put_description(header, member, field);
    header += member.name;
    put(header, zip64_field, 2);
    put(header, field, 2);
    put(header, member.bytes, 8);
    put(header, member.packed_bytes, 8);
    return header;
}

std::string format_zip_directory(std::span<const zip_member> members, std::uint64_t offset) {
    constexpr std::size_t field = 24;
    constexpr std::uint32_t unix_3 = 3 << 8, owner_reads_and_writes = 0600 << 16;
    std::string all;
    for (const zip_member& member : members) {
        all += "PK\1\2";
        put(all, unix_3 | 45, 2);
        put_description(all, member, field);
        put(all, 0, 6);  // no comment, first disk, no attributes
        put(all, owner_reads_and_writes, 4);
        put(all, in_64_bits, 4);
        all += member.name;
        put(all, zip64_field, 2);
        put(all, field, 2);
        put(all, member.bytes, 8);
        put(all, member.packed_bytes, 8);
        put(all, member.header_offset, 8);
    }
    const std::uint64_t bytes = all.size();
    all += "PK\6\6";
    put(all, end_64_bytes - 12, 8);
    put(all, unix_3 | 45, 2);
    put(all, 45, 2);
    put(all, 0, 8);  // disks
    put(all, members.size(), 8);
    put(all, members.size(), 8);
    put(all, bytes, 8);
    put(all, offset, 8);
    all += "PK\6\7";
    put(all, 0, 4);
    put(all, offset + bytes, 8);
    put(all, 1, 4);
    all += "PK\5\6";
    put(all, 0, 4);
    put(all, members.size(), 2);
    put(all, members.size(), 2);
    put(all, std::min(bytes, in_64_bits), 4);
    put(all, std::min(offset, in_64_bits), 4);
    put(all, 0, 2);
    return all;
}

}  // namespace lookback::cli
