/// \file
/// Scans along an axis on the CPU: rows as plain scans, columns tile by tile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

#include "lookback/axis_scan.hpp"
#include "lookback/detail/cpu/call.hpp"
#include "lookback/detail/cpu/column_scan_problem.hpp"
#include "lookback/detail/cpu/scan.hpp"
#include "lookback/detail/cpu/shares.hpp"
#include "lookback/detail/cpu/single_pass.hpp"
#include "lookback/detail/cpu/workers.hpp"
#include "lookback/pixel.hpp"

namespace lookback::detail {

// Rows that are long enough for several threads are scanned one after another. Shorter rows are
// shared out to the threads.
template <bool is_exclusive, class In, class Out, class T, class Op>
void scan_rows(const cpu& where, In first, const axis_extents& e, Out out,
               const std::optional<T>& init, const Op& op) {
    const auto scan_row = [&](const cpu& row_where, std::size_t row) {
        const auto from = first + static_cast<std::iter_difference_t<In>>(row * e.length);
        const auto to = out + static_cast<std::iter_difference_t<Out>>(row * e.length);
        if (e.length <= short_tile_items) {
            const scan_problem<is_exclusive, In, Out, T, Op> problem(from, e.length, to, init, op);
            no_tile_memory none;
            problem.emit({0, e.length}, problem.init(), none, std::nullopt, none);
        } else {
            detail::scan_array<is_exclusive, T>(row_where, from, e.length, to, init, op);
        }
    };
    if (e.length >= 4 * scan_tile_items<T>) {
        for (std::size_t row = 0; row < e.outer; ++row) scan_row(where, row);
        return;
    }
    const std::size_t rows_of_a_tile = std::max<std::size_t>(1, small_tile_items<T> / e.length);
    detail::for_shares(where, e.outer, rows_of_a_tile, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) scan_row({.threads = 1}, row);
    });
}

// If there are several strips of columns for every thread, threads scan whole strips. If there are
// even more, a thread scans some side by side, so that memory is read in longer pieces. Otherwise
// the columns are scanned tile by tile.
template <class Problem>
void scan_columns(const cpu& where, const Problem& problem) {
    const auto threads = static_cast<std::size_t>(worker_limit(where));
    if (threads > 1 && problem.strips() < 4 * threads) {
        detail::single_pass(where, problem);
        return;
    }
    const std::size_t share = std::clamp<std::size_t>(problem.strips() / (2 * threads), 1, 8);
    detail::for_shares(
        where, problem.strips(), std::max(share, problem.items_for_a_thread()),
        [&](std::size_t begin, std::size_t end) { problem.scan_strips(begin, end); });
}

// Two columns of floats that are summed are one scan of pairs.
template <class In, class Out, class T, class Op>
inline constexpr bool sums_pairs = [] {
    if constexpr (simd_float<T> && contiguous_items_of<In, T> && contiguous_items_of<Out, T>) {
        return simd_op_of<Op, T> == simd_op::plus;
    }
    return false;
}();

template <bool is_exclusive, class In, class Out, class T>
void scan_pairs(const cpu& where, const In& first, const axis_extents& e, const Out& out,
                const std::optional<T>& init) {
    using pair = pixel<T, 2>;
    std::optional<pair> start;
    if (init) start = pair{{*init, *init}};
    detail::scan_rows<is_exclusive>(where, reinterpret_cast<const pair*>(std::to_address(first)),
                                    {.outer = e.outer, .length = e.length, .inner = 1},
                                    reinterpret_cast<pair*>(std::to_address(out)), start, plus<>{});
}

template <>
struct axis_scans_on<cpu> {
    template <bool is_exclusive, class T, class In, class Out, class Init, class Op>
    static void run(const cpu& where, In first, const axis_extents& extents, Out out,
                    const Init& init, const Op& op) {
        std::optional<T> start = detail::start_with<T>(init);
        if constexpr (sums_pairs<In, Out, T, Op>) {
            if (extents.inner == 2) {
                return detail::scan_pairs<is_exclusive>(where, first, extents, out, start);
            }
        }
        if (extents.inner == 1) {
            detail::scan_rows<is_exclusive, In, Out, T>(where, first, extents, out, start, op);
        } else {
            detail::scan_columns(where, column_scan_problem<is_exclusive, In, Out, T, Op>(
                                            first, extents, out, std::move(start), op));
        }
    }
};

}  // namespace lookback::detail
