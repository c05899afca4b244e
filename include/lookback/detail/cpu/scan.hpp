/// \file
/// Scans on the CPU: by the kernels, where they know the operator, or by any operator.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

#include "lookback/cpu.hpp"
#include "lookback/detail/arguments.hpp"
#include "lookback/detail/cpu/call.hpp"
#include "lookback/detail/cpu/scan_problem.hpp"
#include "lookback/detail/cpu/short_sums.hpp"
#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "lookback/scan.hpp"

namespace lookback::detail {

// Integers of type `To` have the bits of those of type `From`.
template <class To, class From>
concept same_bits_as = std::same_as<To, From> ||
                       (simd_integer<To> && simd_integer<From> && sizeof(To) == sizeof(From));

// Integers as kernels know them: by their size and sign.
template <std::integral E>
using sized_integer =
    std::conditional_t<std::is_signed_v<E>, std::make_signed_t<unsigned_word<sizeof(E)>>,
                       unsigned_word<sizeof(E)>>;
template <class E>
struct narrow_item {
    using type = E;
};
template <std::integral E>
struct narrow_item<E> {
    using type = sized_integer<E>;
};

// The operator of the kernel of a plain scan.
template <class Op, class T>
inline constexpr simd_op scan_op_of =
    pair_of_floats<T> && is_sum<Op, T> ? simd_op::plus : simd_op_of<Op, T>;

// Items of type E as the kernel of Op over T takes them: as T is taken, or narrower numbers that
// are summed. void: there is no such kernel.
template <class Op, class T, class E>
struct kernel_item {
    static constexpr simd_op op = scan_op_of<Op, T>;
    static constexpr bool widens = [] {
        if constexpr (op == simd_op::plus && simd_integer<T> == std::integral<E>) {
            using K = simd_type<op, T>;
            return std::derived_from<widening_family<K>,
                                     widening_scan<K, typename narrow_item<E>::type>>;
        } else {
            return false;
        }
    }();
    static auto type_of() {
        if constexpr (op != simd_op::none && same_bits_as<T, E>) {
            return std::type_identity<simd_type<op, T>>{};
        } else if constexpr (widens) {
            return narrow_item<E>{};
        } else {
            return std::type_identity<void>{};
        }
    }
    using type = typename decltype(type_of())::type;
};

// Whether the SIMD kernels scan it.
template <class In, class Out, class T, class Op>
inline constexpr bool has_kernel = [] {
    using item = kernel_item<Op, T, std::iter_value_t<In>>;
    return !std::is_void_v<typename item::type> && same_bits_as<written_item<Out>, T> &&
           same_walk<In, Out> && (!item::widens || walk<In>::step > 0);
}();

// Whether short_sums scans a few of them.
template <class In, class Out, class T, class Op>
inline constexpr bool sums_integers = [] {
    if constexpr (simd_op_of<Op, T> == simd_op::plus && simd_integer<T>) {
        return has_kernel<In, Out, T, Op> && same_bits_as<std::iter_value_t<In>, T> &&
               walk<In>::step > 0 && has_short_sums;
    }
    return false;
}();

// False: this machine has no kernel for it.
template <bool is_exclusive, class Op, class In, class Out, class T>
bool scan_by_kernel(const cpu& where, const In& first, std::size_t items, const Out& out,
                    const std::optional<T>& init) {
    constexpr simd_op kernel_op = scan_op_of<Op, T>;
    using K = simd_type<kernel_op, T>;  // same bits, and a kernel
    using item = kernel_item<Op, T, std::iter_value_t<In>>;
    using E = typename item::type;
    constexpr std::ptrdiff_t step = walk<In>::step;
    const auto* const from = reinterpret_cast<const E*>(walk<In>::start(first));
    auto* const to = reinterpret_cast<K*>(walk<Out>::start(out));
    std::optional<K> before;
    if (init) before = std::bit_cast<K>(*init);
    const auto scan_by = [&](const scan_kernel<K, E>& kernel, auto run) {
        if (!on_all_machines<kernel_op, T> && kernel.scan == nullptr) return false;
        if (items <= small_tile_items<K>) {  // one tile: no driver
            kernel.scan({.in = from,
                         .out = to,
                         .items = items,
                         .prefix = before ? &*before : nullptr,
                         .next = nullptr,
                         .next_items = 0,
                         .exclusive = is_exclusive,
                         .stream = false});
        } else {
            run(where, simd_scan<K, E>{.kernel = kernel,
                                       .in = from,
                                       .out = to,
                                       .items = items,
                                       .step = step,
                                       .init = before,
                                       .exclusive = is_exclusive});
        }
        return true;
    };
    if constexpr (item::widens) {
        const widening_scan<K, E>& scan = widening_kernels<K>();
        return scan_by(scan.kernel, scan.run);
    } else {
        return scan_by(simd_kernel_of<kernel_op, K>(step < 0), &run_simd_scan<K>);
    }
}

template <bool is_exclusive, class In, class Out, class T, class Op>
void scan_tiles(const cpu& where, In first, std::size_t items, Out out,
                const std::optional<T>& init, const Op& op) {
    constexpr bool by_kernel = has_kernel<In, Out, T, Op>;
    if constexpr (by_kernel) {
        if (detail::scan_by_kernel<is_exclusive, Op>(where, first, items, out, init)) return;
    }
    if constexpr (!by_kernel || !on_all_machines<scan_op_of<Op, T>, T>) {
        detail::single_pass(where, scan_problem<is_exclusive, In, Out, T, Op>(
                                       std::move(first), items, std::move(out), init, op));
    }
}

// Of items > 0. (By value, the initial value would be stored as parts and loaded as a whole, which
// costs a few items more time than their scan.)
template <bool is_exclusive, class T, class In, class Out, class Op>
void scan_array(const cpu& where, In first, std::size_t items, Out out,
                const std::optional<T>& init, const Op& op) {
    // A few nanoseconds count: no driver for one small tile. (The tree of a sum of floats has no
    // rows in so short a tile; other kernels begin to pay.)
    constexpr bool has_rows = has_kernel<In, Out, T, Op> && exactly_associative<Op, T>;
    if constexpr (sums_integers<In, Out, T, Op>) {
        if (items <= short_tile_items) {
            using K = simd_type<simd_op::plus, T>;
            return short_sums<K>::template scan<is_exclusive>(
                reinterpret_cast<const K*>(walk<In>::start(first)), items,
                reinterpret_cast<K*>(walk<Out>::start(out)), init ? static_cast<K>(*init) : K{0});
        }
    }
    if (items < short_tile_items || (items == short_tile_items && !has_rows)) {
        const scan_problem<is_exclusive, In, Out, T, Op> problem(std::move(first), items,
                                                                 std::move(out), init, op);
        no_tile_memory none;
        problem.emit({0, items}, problem.init(), none, std::nullopt, none);
    } else {
        detail::scan_tiles<is_exclusive>(where, std::move(first), items, std::move(out), init, op);
    }
}

template <>
struct scans_on<cpu> {
    template <bool is_exclusive, class T, class In, class Out, class Init, class Op>
    static void run(const cpu& where, In first, const item_count& count, Out out, const Init& init,
                    const Op& op) {
        const std::size_t items = count.get();
        if (items == 0) return;
        detail::scan_array<is_exclusive, T>(where, std::move(first), items, std::move(out),
                                            detail::start_with<T>(init), op);
    }
};

}  // namespace lookback::detail
