/// \file
/// The types of numbers that files hold, under NumPy's names.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace lookback::cli {

enum class dtype { int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32, float64 };

struct dtype_entry {
    dtype type;
    std::string_view name;
    std::string_view code;  ///< kind and bytes, as in .npy headers
    std::size_t size;
};

/// In the order of the enumeration.
inline constexpr std::array<dtype_entry, 10> dtypes{{{dtype::int8, "int8", "i1", 1},
                                                     {dtype::int16, "int16", "i2", 2},
                                                     {dtype::int32, "int32", "i4", 4},
                                                     {dtype::int64, "int64", "i8", 8},
                                                     {dtype::uint8, "uint8", "u1", 1},
                                                     {dtype::uint16, "uint16", "u2", 2},
                                                     {dtype::uint32, "uint32", "u4", 4},
                                                     {dtype::uint64, "uint64", "u8", 8},
                                                     {dtype::float32, "float32", "f4", 4},
                                                     {dtype::float64, "float64", "f8", 8}}};

inline const dtype_entry& entry(dtype type) { return dtypes[static_cast<std::size_t>(type)]; }
inline std::string_view name(dtype type) { return entry(type).name; }
inline std::size_t size_of(dtype type) { return entry(type).size; }
inline bool is_float(dtype type) { return type >= dtype::float32; }

/// By name or code.
inline std::optional<dtype> find_dtype(std::string_view text) {
    for (const dtype_entry& e : dtypes) {
        if (text == e.name || text == e.code) return e.type;
    }
    return std::nullopt;
}

/// For messages.
inline constexpr std::string_view dtype_names =
    "int8 to int64, uint8 to uint64, float32 or float64";

template <class T>
concept number = std::same_as<T, std::int8_t> || std::same_as<T, std::int16_t> ||
                 std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t> ||
                 std::same_as<T, std::uint8_t> || std::same_as<T, std::uint16_t> ||
                 std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t> ||
                 std::same_as<T, float> || std::same_as<T, double>;

/// Calls `f(std::type_identity<T>{})` with the C++ type.
template <class F>
decltype(auto) with_type(dtype type, F&& f) {
    switch (type) {
        case dtype::int8: return f(std::type_identity<std::int8_t>{});
        case dtype::int16: return f(std::type_identity<std::int16_t>{});
        case dtype::int32: return f(std::type_identity<std::int32_t>{});
        case dtype::int64: return f(std::type_identity<std::int64_t>{});
        case dtype::uint8: return f(std::type_identity<std::uint8_t>{});
        case dtype::uint16: return f(std::type_identity<std::uint16_t>{});
        case dtype::uint32: return f(std::type_identity<std::uint32_t>{});
        case dtype::uint64: return f(std::type_identity<std::uint64_t>{});
        case dtype::float32: return f(std::type_identity<float>{});
        case dtype::float64: break;
    }
    return f(std::type_identity<double>{});
}

template <number T>
constexpr dtype dtype_of() {
    if constexpr (std::is_floating_point_v<T>) {
        return sizeof(T) == 4 ? dtype::float32 : dtype::float64;
    } else {
        constexpr int log2 = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
        return static_cast<dtype>(log2 + (std::is_signed_v<T> ? 0 : 4));
    }
}

}  // namespace lookback::cli
