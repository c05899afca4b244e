/// \file
/// The SIMD kernels of a scan's tiles: which operators and types have them, and how they are
/// called. And the scan of a whole array by them, which is compiled into the library as well, once
/// for each type.
///
/// The kernels are compiled into the library for several instruction sets (src/simd_scan.cpp, once
/// for each type) and picked at run time. A kernel folds in rows of 64 bytes, whatever the vector
/// width, so that a sum of floats has the same bits on every machine (docs/design.md, "The tree").
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>

#include "lookback/cpu.hpp"
#include "lookback/detail/unsigned_words.hpp"
#include "lookback/operators.hpp"
#include "lookback/pixel.hpp"

namespace lookback::detail {

/// What a kernel folds in one step.
inline constexpr std::size_t row_bytes = 64;

/// The half of a tile: folded on its own, and read side by side with the other half.
inline constexpr std::size_t half_tile_bytes = std::size_t{128} << 10;

/// A sum or product of floats in a tile of at most this many items is folded item by item
/// (docs/design.md, "The tree"). So are other scans of fewer: nothing is gained by rows.
inline constexpr std::size_t short_tile_items = 64;

/// One tile. Items are counted in the order they are scanned in: item i is at in[i], or at in[-i]
/// in a backward scan; `out` and `next` likewise.
template <class T, class In = T>
struct simd_tile {
    const In* in;
    T* out;
    std::size_t items;  ///< > 0
    const T* prefix;    ///< the fold of everything before the tile; null where there is nothing
    const In* next;     ///< a tile to reduce on the way, as its data arrive from memory
    std::size_t next_items;  ///< 0 where there is none; at most items
    bool exclusive;          ///< needs a prefix
    bool stream;             ///< write around the caches; in and out must not overlap
};

template <class T>
struct simd_result {
    T inclusive_prefix;  ///< op(prefix, fold of the tile)
    T next_aggregate;    ///< fold of the next tile
};

/// Of items of type In, which are folded as T.
template <class T, class In>
struct scan_kernel {
    T (*reduce)(const In* in, std::size_t items);
    simd_result<T> (*scan)(const simd_tile<T, In>& tile);
    T (*combine)(T a, T b);  ///< the operator
    bool regroups;           ///< whether any grouping has the same bits
};
template <class T>
using simd_kernel = scan_kernel<T, T>;

// The kernels of a type, Kernel<T> each. Sums, products and bit operators of signed integers have
// the bits of the unsigned ones.
template <template <class> class Kernel, class T>
struct simd_family {  // of floats
    Kernel<T> plus, multiplies, minimum, maximum;
};
template <template <class> class Kernel, std::unsigned_integral T>
struct simd_family<Kernel, T> {
    Kernel<T> plus, multiplies, minimum, maximum, bit_and, bit_or, bit_xor;
};
template <template <class> class Kernel, std::signed_integral T>
struct simd_family<Kernel, T> {
    Kernel<T> minimum, maximum;
};
template <template <class> class Kernel, class T, int channels>
struct simd_family<Kernel, pixel<T, channels>> {
    Kernel<pixel<T, channels>> plus;
};

/// Two floats side by side, as complex numbers are.
using float_pair = pixel<float, 2>;
using double_pair = pixel<double, 2>;

/// The kernels for this machine, forward or backward. `T` is an integer of <cstdint>, float, double
/// or a pair of floats. Those of each type are an object file of their own: a program that is
/// linked with the static library has only those that it uses.
template <class T>
[[gnu::visibility("default")]] const simd_family<simd_kernel, T>& simd_kernels(bool backward);

/// An array that is scanned. `in` and `out` point to the first item in the order of the scan, and
/// step is 1, or -1 for a backward kernel.
template <class T, class In = T>
struct simd_scan {
    const scan_kernel<T, In>& kernel;
    const In* in;
    T* out;
    std::size_t items;  ///< > 0
    std::ptrdiff_t step;
    std::optional<T> init;  ///< an exclusive scan has one
    bool exclusive;
};
template <class T>
[[gnu::visibility("default")]] void run_simd_scan(const cpu& where, const simd_scan<T>& scan);

/// Sums of narrower items, forward, which become T as they are loaded.
template <class T, class In>
struct widening_scan {
    scan_kernel<T, In> kernel;
    void (*run)(const cpu& where, const simd_scan<T, In>& scan);
};
template <class T, class... In>
struct widening_scans : widening_scan<T, In>... {};
template <class T>
struct widening_family {};
template <>
struct widening_family<std::uint32_t>
    : widening_scans<std::uint32_t, std::uint8_t, std::uint16_t, std::int16_t> {};
template <>
struct widening_family<std::uint64_t> : widening_scans<std::uint64_t, std::uint8_t, std::uint16_t,
                                                       std::int16_t, std::uint32_t, std::int32_t> {
};

template <>
struct widening_family<double> : widening_scans<double, float> {};

/// Those for this machine, of T = std::uint32_t, std::uint64_t or double.
template <class T>
[[gnu::visibility("default")]] const widening_family<T>& widening_kernels();

/// to[i] = op(a[i], b[i]): rows of accumulators, for scans down columns.
template <class T>
using row_kernel = void (*)(const T* a, const T* b, T* to, std::size_t items);
template <class T>
[[gnu::visibility("default")]] const simd_family<row_kernel, T>& simd_row_kernels();

/// The instruction set in use, by Highway's name: "AVX3" is AVX-512.
[[gnu::visibility("default")]] const char* simd_target();

enum class simd_op { none, plus, multiplies, minimum, maximum, bit_and, bit_or, bit_xor };

/// Whether all machines have the kernel of a scan. Products of 8-byte integers take several
/// instructions before AVX-512, and more time than one by one: there it is null.
template <simd_op Op, class T>
inline constexpr bool on_all_machines =
    !(Op == simd_op::multiplies && std::integral<T> && sizeof(T) == 8);

// The kernel that computes `Op` over `T`: found where Op works on T itself and not on a wider type.
template <class V, class T>
concept computes_in = std::is_void_v<V> || std::same_as<V, T>;

template <class T>
concept simd_integer = std::integral<T> && !std::same_as<T, bool> && sizeof(T) <= 8;
template <class T>
concept simd_float = std::same_as<T, float> || std::same_as<T, double>;
template <class T>
concept simd_number = simd_integer<T> || simd_float<T>;

// std::complex of floats. To include its header takes a tenth of a second, so it is known by what
// it has. Functions of these names hide all others: as_const and proj are found by their argument
// alone, in std, and proj of a derived class returns its base.
namespace found_by_argument {
void as_const();
void proj();

template <class T>
concept std_complex = requires(const T& z) {
    requires simd_float<typename T::value_type>;
    { z.imag() } -> std::same_as<typename T::value_type>;
    as_const(z);
    { proj(z) } -> std::same_as<T>;
} && sizeof(T) == 2 * sizeof(typename T::value_type);
}  // namespace found_by_argument

/// Plain scans alone have kernels for their sums.
template <class T>
concept pair_of_floats = found_by_argument::std_complex<T> || std::same_as<T, float_pair> ||
                         std::same_as<T, double_pair>;

// Whether Op adds values of type T.
template <class Op, class T>
inline constexpr bool is_sum = false;
template <class V, class T>
    requires computes_in<V, T>
inline constexpr bool is_sum<plus<V>, T> = true;
template <class V, class T>
    requires computes_in<V, T>
inline constexpr bool is_sum<std::plus<V>, T> = true;

template <class Op, class T>
inline constexpr simd_op simd_op_of = simd_op::none;
template <class Op, simd_number T>
    requires is_sum<Op, T>
inline constexpr simd_op simd_op_of<Op, T> = simd_op::plus;
template <class V, simd_number T>
    requires computes_in<V, T>
inline constexpr simd_op simd_op_of<multiplies<V>, T> = simd_op::multiplies;
template <class V, simd_number T>
    requires computes_in<V, T>
inline constexpr simd_op simd_op_of<minimum<V>, T> = simd_op::minimum;
template <class V, simd_number T>
    requires computes_in<V, T>
inline constexpr simd_op simd_op_of<maximum<V>, T> = simd_op::maximum;
template <class V, simd_integer T>
    requires computes_in<V, T>
inline constexpr simd_op simd_op_of<bit_and<V>, T> = simd_op::bit_and;
template <class V, simd_integer T>
    requires computes_in<V, T>
inline constexpr simd_op simd_op_of<bit_or<V>, T> = simd_op::bit_or;
template <class V, simd_integer T>
    requires computes_in<V, T>
inline constexpr simd_op simd_op_of<bit_xor<V>, T> = simd_op::bit_xor;

// The type whose kernel serves T.
template <class T, bool ordered>
struct simd_type_of {
    using type = T;
};
template <simd_integer T, bool ordered>
struct simd_type_of<T, ordered> {
    using type =
        std::conditional_t<ordered && std::is_signed_v<T>,
                           std::make_signed_t<unsigned_word<sizeof(T)>>, unsigned_word<sizeof(T)>>;
};
template <pair_of_floats T>
struct simd_type_of<T, false> {
    using type = std::conditional_t<sizeof(T) == sizeof(float_pair), float_pair, double_pair>;
};
template <simd_op Op, class T>
using simd_type = typename simd_type_of<T, Op == simd_op::minimum || Op == simd_op::maximum>::type;

template <simd_op Op, class Family>
const auto& kernel_in(const Family& k) {
    if constexpr (Op == simd_op::plus) return k.plus;
    if constexpr (Op == simd_op::multiplies) return k.multiplies;
    if constexpr (Op == simd_op::minimum) return k.minimum;
    if constexpr (Op == simd_op::maximum) return k.maximum;
    if constexpr (Op == simd_op::bit_and) return k.bit_and;
    if constexpr (Op == simd_op::bit_or) return k.bit_or;
    if constexpr (Op == simd_op::bit_xor) return k.bit_xor;
}

template <simd_op Op, class T>  // T = simd_type<Op, T>
const simd_kernel<T>& simd_kernel_of(bool backward) {
    return kernel_in<Op>(simd_kernels<T>(backward));
}

}  // namespace lookback::detail
