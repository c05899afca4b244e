/// \file
/// Scans on the CPU: by the kernels, where they know the operator, or by any operator.
#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "lookback/cpu.hpp"
#include "lookback/detail/arguments.hpp"
#include "lookback/detail/cpu/call.hpp"
#include "lookback/detail/cpu/scan_problem.hpp"
#include "lookback/detail/cpu/simd.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "lookback/scan.hpp"

namespace lookback::detail {

// Whether the SIMD kernels scan it.
template <class In, class Out, class T, class Op>
inline constexpr bool has_kernel =
    simd_op_of<Op, T> != simd_op::none && same_walk<In, Out> &&
    std::same_as<std::iter_value_t<In>, T> && std::same_as<std::iter_value_t<Out>, T>;

template <bool is_exclusive, class In, class Out, class T, class Op>
void scan_tiles(const cpu& where, In first, std::size_t items, Out out, std::optional<T> init,
                const Op& op) {
    if constexpr (has_kernel<In, Out, T, Op>) {
        constexpr simd_op kernel_op = simd_op_of<Op, T>;
        using K = simd_type<kernel_op, T>;  // same bits, and a kernel
        constexpr std::ptrdiff_t step = walk<In>::step;
        const simd_kernel<K>& kernel = simd_kernel_of<kernel_op, K>(step < 0);
        const auto* const from = reinterpret_cast<const K*>(walk<In>::start(first));
        auto* const to = reinterpret_cast<K*>(walk<Out>::start(out));
        std::optional<K> before;
        if (init) before = static_cast<K>(*init);
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
            detail::run_simd_scan(where, simd_scan<K>{.kernel = kernel,
                                                      .in = from,
                                                      .out = to,
                                                      .items = items,
                                                      .step = step,
                                                      .init = before,
                                                      .exclusive = is_exclusive});
        }
    } else {
        detail::single_pass(
            where, scan_problem<is_exclusive, In, Out, T, Op>(std::move(first), items,
                                                              std::move(out), std::move(init), op));
    }
}

// Of items > 0.
template <bool is_exclusive, class T, class In, class Out, class Op>
void scan_array(const cpu& where, In first, std::size_t items, Out out, std::optional<T> init,
                const Op& op) {
    // A few nanoseconds count: no driver for one small tile. (The tree of a sum of floats has no
    // rows in so short a tile; other kernels begin to pay.)
    constexpr bool has_rows = has_kernel<In, Out, T, Op> && exactly_associative<Op, T>;
    if (items < short_tile_items || (items == short_tile_items && !has_rows)) {
        const scan_problem<is_exclusive, In, Out, T, Op> problem(
            std::move(first), items, std::move(out), std::move(init), op);
        no_tile_memory none;
        problem.emit({0, items}, problem.init(), none, std::nullopt, none);
    } else {
        detail::scan_tiles<is_exclusive>(where, std::move(first), items, std::move(out),
                                         std::move(init), op);
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
