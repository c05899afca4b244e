#include "npy.hpp"

#include <fmt/ranges.h>

#include <bit>
#include <limits>
#include <optional>

#include "error.hpp"
#include "literal.hpp"

namespace lookback::cli {

static_assert(std::endian::native == std::endian::little, "numbers are used as they are in files");

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t most_dimensions = 64;  // NumPy's own limit

std::size_t little_endian(std::string_view bytes) {
    std::size_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) {
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    }
    return value;
}

struct header_text {
    std::string_view text;
    std::size_t offset;
};

header_text find_header(std::string_view file, std::string_view path) {
    if (file.empty()) fail("{}: the file is empty; expected a NumPy array", path);
    if (!file.starts_with(magic.substr(0, file.size()))) {
        fail("{}: not a NumPy file: it begins with {}", path, quoted(file.substr(0, magic.size())));
    }
    const auto need = [&](std::size_t bytes) {
        if (file.size() < bytes) {
            fail("{}: truncated: the header takes {} bytes, the file holds {}", path, bytes,
                 file.size());
        }
    };
    need(magic.size() + 2);
    const auto major = static_cast<unsigned char>(file[magic.size()]);
    const auto minor = static_cast<unsigned char>(file[magic.size() + 1]);
    if (major < 1 || major > 3 || minor != 0) {
        fail("{}: .npy version {}.{}; expected 1.0, 2.0 or 3.0", path, major, minor);
    }
    const std::size_t length_bytes = major == 1 ? 2 : 4;
    const std::size_t offset = magic.size() + 2 + length_bytes;
    need(offset);
    const std::size_t length = little_endian(file.substr(magic.size() + 2, length_bytes));
    need(offset + length);
    return {file.substr(offset, length), offset};
}

element parse_descr(std::string_view descr, std::string_view path) {
    const auto refuse = [&](std::string_view what) {
        fail("{}: {} (dtype {}); expected {}", path, what, quoted(descr), element_names);
    };
    const char order = descr.empty() ? '\0' : descr.front();
    const bool has_order = order == '<' || order == '>' || order == '=' || order == '|';
    const std::string_view code = has_order ? descr.substr(1) : descr;
    if (code.starts_with('O')) refuse("Python objects cannot be scanned");
    const std::optional<element> type = find_element(descr);
    if (!type || code != type->code()) refuse("numbers of an unknown type");
    if (type->size() > 1 && !has_order) refuse("numbers of an unknown type");
    return *type;
}

// The product of the shape. The product of all sizes except 0, and its number of bytes, must be
// representable, so that code which multiplies some of the sizes need not check again.
std::size_t checked_items(std::span<const std::size_t> shape, std::size_t item_size,
                          std::string_view path) {
    std::size_t bytes = item_size;
    bool is_empty = false;
    for (const std::size_t size : shape) {
        is_empty |= size == 0;
        if (size > 0 && bytes > std::numeric_limits<std::ptrdiff_t>::max() / size) {
            fail("{}: shape ({}) takes more bytes than a machine can address", path,
                 fmt::join(shape, ", "));
        }
        if (size > 0) bytes *= size;
    }
    return is_empty ? 0 : bytes / item_size;
}

}  // namespace

npy_header parse_npy_header(std::string_view file, std::string_view path) {
    const header_text header = find_header(file, path);
    literal_reader reader(header.text, path, header.offset);
    std::optional<std::string_view> descr;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::size_t>> shape;
    reader.expect('{');
    while (!reader.accept('}')) {
        const std::string_view key = reader.string();
        reader.expect(':');
        if (key == "descr" && !descr) {
            if (reader.peek() == '[') {
                fail("{}: records of several fields cannot be scanned; expected {}", path,
                     element_names);
            }
            descr = reader.string();
        } else if (key == "fortran_order" && !fortran_order) {
            fortran_order = reader.boolean();
        } else if (key == "shape" && !shape) {
            shape = reader.shape(most_dimensions);
        } else {
            fail("{}: broken .npy header: unexpected key {}", path, quoted(key));
        }
        if (reader.accept(',')) continue;
        reader.expect('}');
        break;
    }
    reader.expect_end();
    if (!descr || !fortran_order || !shape) {
        fail("{}: broken .npy header: no '{}'", path,
             !descr           ? "descr"
             : !fortran_order ? "fortran_order"
                              : "shape");
    }
    const element type = parse_descr(*descr, path);
    const std::size_t items = checked_items(*shape, type.size(), path);
    return {type, *fortran_order, *std::move(shape), items, header.offset + header.text.size()};
}

npy_header parse_npy(std::string_view file, std::string_view path) {
    npy_header header = parse_npy_header(file, path);
    const std::size_t held = file.size() - header.data_offset;
    const std::size_t declared = header.items * header.type.size();
    if (held != declared) {
        fail("{}: {}: shape ({}) of {} takes {} bytes, the file holds {}", path,
             held < declared ? "truncated" : "too long", fmt::join(header.shape, ", "),
             name(header.type), declared, held);
    }
    return header;
}

std::size_t npy_header_bytes(std::string_view beginning) {
    constexpr std::size_t at = magic.size() + 2;                              // where the length is
    if (!beginning.starts_with(magic.substr(0, beginning.size()))) return 0;  // refused at once
    if (beginning.size() < at + 4) return at + 4;
    const std::size_t length_bytes = beginning[magic.size()] == 1 ? 2 : 4;
    return at + length_bytes + little_endian(beginning.substr(at, length_bytes));
}

std::string format_npy_header(const element& type, std::span<const std::size_t> shape) {
    std::string header =
        fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}",
                    type.size() == 1 ? '|' : '<', type.code(), fmt::join(shape, ", "),
                    shape.size() == 1 ? "," : "");
    // Padded so that the numbers begin at a multiple of 64, as NumPy does.
    constexpr std::size_t prelude = 10;
    const std::size_t end = (prelude + header.size() + 1 + 63) / 64 * 64;
    header.append(end - prelude - header.size() - 1, ' ');
    header += '\n';
    std::string file(magic);
    file += {1, 0, static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
    return file + header;
}

}  // namespace lookback::cli
