#include "element.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "half.hpp"

namespace lookback::cli {
namespace {

struct spelling {
    dtype type;
    std::string_view names;  // each between spaces; a space within a name is written _
};

// The names of NumPy, its type characters, and the names of C. A long has 64 bits on every machine
// that the program runs on.
constexpr std::array<spelling, 10> spellings{
    {{dtype::int8, " b byte int8_t signed_char "},
     {dtype::int16, " h short int16_t "},
     {dtype::int32, " i intc int32_t "},
     {dtype::int64, " l q long longlong long_long int64_t intp int_ ssize_t ptrdiff_t "},
     {dtype::uint8, " B ubyte uint8_t unsigned_char "},
     {dtype::uint16, " H ushort uint16_t unsigned_short "},
     {dtype::uint32, " I uintc uint32_t unsigned_int unsigned "},
     {dtype::uint64,
      " L Q ulong ulonglong unsigned_long unsigned_long_long uint64_t uintp size_t "},
     {dtype::float32, " f single "},
     {dtype::float64, " d double float_ "}}};

bool is_one_of(std::string_view text, std::string_view names) {
    std::string between = " ";
    between += text;
    between += ' ';
    std::replace(between.begin() + 1, between.end() - 1, ' ', '_');
    return names.find(between) != names.npos;
}

std::optional<element> find_name(std::string_view text) {
    if (is_one_of(text, " bool b1 ? bool_ _Bool ")) return boolean;
    if (is_one_of(text, " float16 f2 e half _Float16 ")) return float16;
    if (const auto type = find_dtype(text)) return *type;
    for (const spelling& s : spellings) {
        if (is_one_of(text, s.names)) return s.type;
    }
    return std::nullopt;
}

}  // namespace

std::string_view name(const element& type) {
    if (type.is_boolean()) return "bool";
    return type.stored == encoding::half ? "float16" : name(type.computed);
}

std::string_view element::code() const {
    if (stored == encoding::boolean) return "b1";
    return stored == encoding::half ? "f2" : entry(computed).code;
}

std::optional<element> find_element(std::string_view text) {
    const char order = text.empty() ? '\0' : text.front();
    if (order != '<' && order != '>' && order != '=' && order != '|') return find_name(text);
    std::optional<element> type = find_name(text.substr(1));
    const bool is_code = type && (text.size() == 2 || text.substr(1) == type->code());
    if (!is_code || (type->size() > 1 && order == '|')) return std::nullopt;
    type->is_big_endian = order == '>' && type->size() > 1;
    return type;
}

std::string_view two_meanings(std::string_view text) {
    if (text == "int") return "int32 in C, int64 in NumPy";
    if (text == "uint") return "uint32 in C, uint64 in NumPy";
    return text == "float" ? "float32 in C, float64 in NumPy" : "";
}

void decode(const element& type, const std::byte* in, std::size_t items, void* out) {
    auto* const to = static_cast<std::byte*>(out);
    const std::size_t size = type.size();
    if (type.stored == encoding::half) {
        auto* const floats = static_cast<float*>(out);
        for (std::size_t i = 0; i < items; ++i) {
            std::uint16_t half;
            std::memcpy(&half, in + 2 * i, 2);
            if (type.is_big_endian) half = static_cast<std::uint16_t>(half << 8 | half >> 8);
            floats[i] = to_float(half);
        }
    } else if (type.is_big_endian) {
        for (std::size_t i = 0; i < items; ++i) {
            std::reverse_copy(in + i * size, in + (i + 1) * size, to + i * size);
        }
    } else {
        std::memcpy(to, in, items * size);
    }
}

void encode(const element& type, const void* in, std::size_t items, std::byte* out) {
    if (type.stored != encoding::half) {
        std::memmove(out, in, items * type.size());
        return;
    }
    const auto* const floats = static_cast<const float*>(in);
    for (std::size_t i = 0; i < items; ++i) {
        const std::uint16_t half = to_half(floats[i]);
        std::memcpy(out + 2 * i, &half, 2);
    }
}

}  // namespace lookback::cli
