/// \file
/// The types of numbers as files hold them: those that are computed with (dtype.hpp), bool, which
/// is computed with as uint8, and float16, as float32.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "dtype.hpp"

namespace lookback::cli {

/// How a file holds them.
enum class file_kind { npy, raw, text };

enum class encoding { plain, boolean, half };

struct element {
    constexpr element(dtype type, encoding as = encoding::plain, bool big_endian = false)
        : computed(type), stored(as), is_big_endian(big_endian) {}

    dtype computed;  ///< in memory
    encoding stored;
    bool is_big_endian;

    bool is_boolean() const { return stored == encoding::boolean; }
    /// As it is in memory, but for bool.
    bool is_plain() const { return !is_big_endian && stored != encoding::half; }
    /// In files.
    std::size_t size() const { return stored == encoding::half ? 2 : size_of(computed); }
    /// As in the headers of .npy files, without the order of bytes.
    std::string_view code() const;

    bool operator==(const element&) const = default;
};

/// As NumPy says.
std::string_view name(const element& type);

inline constexpr element boolean{dtype::uint8, encoding::boolean};
inline constexpr element float16{dtype::float32, encoding::half};

/// By a name of NumPy's or C's, such as float32, f4, uint16_t, unsigned short, or a code with the
/// order of its bytes, such as >i4.
std::optional<element> find_element(std::string_view text);

/// What is to be said of a name that NumPy and C have for different types; empty for others.
std::string_view two_meanings(std::string_view text);

/// For messages.
inline constexpr std::string_view element_names =
    "bool, int8 to int64, uint8 to uint64, or float16 to float64";

/// `items` numbers as they lie in a file to numbers in memory, which are aligned.
void decode(const element& type, const std::byte* in, std::size_t items, void* out);
/// The way back, in the machine's order of bytes. `out` may be `in`.
void encode(const element& type, const void* in, std::size_t items, std::byte* out);

}  // namespace lookback::cli
