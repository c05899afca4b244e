/// \file
/// The types of numbers that are known at run time, under NumPy's names, and the operators.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace lookback::table {

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

/// Finds a type by its name or code.
inline std::optional<dtype> find_dtype(std::string_view text) {
    for (const dtype_entry& e : dtypes) {
        if (text == e.name || text == e.code) return e.type;
    }
    return std::nullopt;
}

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

/// Calls `f` with the unsigned integer of this size.
template <class F>
decltype(auto) with_bits(std::size_t bytes, F&& f) {
    switch (bytes) {
        case 1: return f(std::type_identity<std::uint8_t>{});
        case 2: return f(std::type_identity<std::uint16_t>{});
        case 4: return f(std::type_identity<std::uint32_t>{});
        default: return f(std::type_identity<std::uint64_t>{});
    }
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

enum class operation { sum, product, min, max, bit_and, bit_or, bit_xor };

/// In the order of the enumeration.
inline constexpr std::array<std::string_view, 7> operation_names{"sum", "product", "min", "max",
                                                                 "and", "or",      "xor"};
inline std::string_view name(operation op) { return operation_names[static_cast<std::size_t>(op)]; }
inline bool is_bitwise(operation op) { return op >= operation::bit_and; }

/// One number. Its type is kept elsewhere.
class scalar {
 public:
    scalar() = default;
    scalar(dtype type, const void* at) { std::memcpy(bits_, at, size_of(type)); }
    template <number T>
    explicit scalar(T x) {
        std::memcpy(bits_, &x, sizeof(T));
    }
    template <number T>
    T as() const {
        T x;
        std::memcpy(&x, bits_, sizeof(T));
        return x;
    }
    void put(dtype type, void* at) const { std::memcpy(at, bits_, size_of(type)); }

 private:
    std::byte bits_[8] = {};
};

/// NaN equals nothing, and -0 equals 0.
inline bool are_equal(dtype type, const scalar& a, const scalar& b) {
    return with_type(type, [&]<class T>(std::type_identity<T>) { return a.as<T>() == b.as<T>(); });
}

/// An optional number as an optional T.
template <number T>
std::optional<T> as(const std::optional<scalar>& x) {
    return x ? std::optional<T>(x->as<T>()) : std::nullopt;
}
template <number T>
std::optional<scalar> scalar_of(const std::optional<T>& x) {
    return x ? std::optional<scalar>(*x) : std::nullopt;
}

/// The unsigned integer type of the same size. Its sums, products and bitwise results have the same
/// bits.
inline dtype without_sign(dtype type) {
    return type <= dtype::int64 ? static_cast<dtype>(static_cast<int>(type) + 4) : type;
}
inline bool is_signed_integer(dtype type) { return type <= dtype::int64; }

}  // namespace lookback::table
