/// \file
/// The types of numbers as files hold them: the types that are computed with (dtype.hpp), bool,
/// which is computed with as uint8, and float16, which is computed with as float32.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "dtype.hpp"

namespace lookback::cli {

/// How a file holds its numbers.
enum class file_kind { npy, raw, text };

enum class encoding { plain, boolean, half };

struct element {
    constexpr element(dtype type, encoding as = encoding::plain, bool big_endian = false)
        : computed(type), stored(as), is_big_endian(big_endian) {}

    dtype computed;  ///< the type in memory
    encoding stored;
    bool is_big_endian;

    bool is_boolean() const { return stored == encoding::boolean; }
    /// True if the file holds what memory holds. (A bool is plain, too.)
    bool is_plain() const { return !is_big_endian && stored != encoding::half; }
    /// Bytes in a file.
    std::size_t size() const { return stored == encoding::half ? 2 : size_of(computed); }
    /// The type code in the header of a .npy file, without the byte order.
    std::string_view code() const;

    bool operator==(const element&) const = default;
};

/// NumPy's name.
std::string_view name(const element& type);

inline constexpr element boolean{dtype::uint8, encoding::boolean};
inline constexpr element float16{dtype::float32, encoding::half};

/// Finds a type by a name of NumPy or C, such as float32, f4, uint16_t, unsigned short, or by a
/// code with its byte order, such as >i4.
std::optional<element> find_element(std::string_view text);

/// What to say about a name that means different types in NumPy and C; empty for other names.
std::string_view two_meanings(std::string_view text);

/// For messages.
inline constexpr std::string_view element_names =
    "bool, int8 to int64, uint8 to uint64, or float16 to float64";

/// Converts `items` numbers from the form that they have in a file. `out` is aligned.
void decode(const element& type, const std::byte* in, std::size_t items, void* out);
/// Converts numbers to the form that they have in a file, in the machine's byte order. `out` may be
/// `in`.
void encode(const element& type, const void* in, std::size_t items, std::byte* out);

}  // namespace lookback::cli
